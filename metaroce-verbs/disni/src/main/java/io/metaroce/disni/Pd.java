package io.metaroce.disni;

import com.ibm.disni.verbs.IbvPd;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A protection domain, with its regions by key. */
final class Pd extends IbvPd {
    private static final AtomicInteger NUMBERS = new AtomicInteger(1);

    private final ProtectionDomain domain;
    private final Map<Integer, MemoryRegion> regions = new ConcurrentHashMap<>();

    Pd(Context context) throws IOException {
        super(context);
        handle = NUMBERS.getAndIncrement();
        domain = context.device().createProtectionDomain();
    }

    ProtectionDomain domain() {
        return domain;
    }

    void add(MemoryRegion region) {
        regions.put(region.lkey(), region);
    }

    void remove(MemoryRegion region) {
        regions.remove(region.lkey());
    }

    /** Where in its region an address lies. */
    long offset(int lkey, long address, int length) throws IOException {
        MemoryRegion region = regions.get(lkey);
        if (region == null) {
            if (length == 0) {
                return 0;
            }
            throw new IOException("lkey " + lkey + ": no region of this protection domain has it");
        }
        return address - region.address();
    }

    @Override
    public void close() {
        super.close();
        domain.close();
    }
}

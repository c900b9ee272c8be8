package io.metaroce.disni;

import com.ibm.disni.verbs.IbvMr;
import io.metaroce.verbs.MemoryRegion;
import java.io.IOException;

/** A memory region. Its address is the number by which work requests and peers name its first byte. */
final class Mr extends IbvMr {
    private final Pd domain;
    private final MemoryRegion region;

    Mr(Pd domain, MemoryRegion region, int access) throws IOException {
        super(
                domain.getContext(),
                region.address(),
                Math.toIntExact(region.length()),
                access,
                region.lkey(),
                region.rkey(),
                region.lkey());
        this.domain = domain;
        this.region = region;
    }

    void deregister() {
        domain.remove(region);
        region.close();
        close();
    }
}

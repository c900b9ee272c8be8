package io.metaroce.disni;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCRegMr;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The prepared calls that register memory and take that back. */
final class RegionCalls {
    private RegionCalls() {}

    /** Registers a whole buffer, whatever its position and limit, as DiSNI does. */
    static final class Register extends SVCRegMr {
        private final Pd domain;
        private final ByteBuffer buffer;
        private final int access;
        private @Nullable Mr made;
        private boolean freed;

        Register(Pd domain, ByteBuffer buffer, int access) {
            this.domain = domain;
            this.buffer = buffer;
            this.access = access;
        }

        @Override
        public SVCRegMr execute() throws IOException {
            AccessFlag[] flags = Arrays.stream(AccessFlag.values())
                    .filter(flag -> (access & flag.value()) != 0)
                    .toArray(AccessFlag[]::new);
            try {
                MemoryRegion region =
                        domain.domain().register(buffer.duplicate().clear(), flags);
                domain.add(region);
                made = new Mr(domain, region, access);
            } catch (VerbsException e) {
                throw new IOException(e.getMessage(), e);
            }
            return this;
        }

        @Override
        public @Nullable IbvMr getMr() {
            return made;
        }

        @Override
        public boolean isValid() {
            return !freed;
        }

        @Override
        public SVCRegMr free() {
            freed = true;
            return this;
        }
    }

    /** Takes a registration back. */
    static final class Deregister extends SVCDeregMr {
        private final Mr region;
        private boolean freed;

        Deregister(Mr region) {
            this.region = region;
        }

        @Override
        public SVCDeregMr execute() {
            region.deregister();
            return this;
        }

        @Override
        public boolean isValid() {
            return !freed;
        }

        @Override
        public SVCDeregMr free() {
            freed = true;
            return this;
        }
    }
}

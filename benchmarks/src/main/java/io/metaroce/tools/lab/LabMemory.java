package io.metaroce.tools.lab;

import io.metaroce.memory.Access;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.sim.Host;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What hosts read and write. What bytes say is judged elsewhere, so every host registers a region without memory or,
 * where payload is copied, the same memory: thousands of flows of megabytes would not fit otherwise.
 */
final class LabMemory {
    /** Protection domain of every region and stream. */
    static final int DOMAIN = 1;

    private static final long BASE = 0x10_0000_0000L;

    private final long bytes;
    private final @Nullable ByteBuffer memory; // none where payload is not copied

    LabMemory(LabFabric fabric, long bytes) {
        this.bytes = bytes;
        memory = fabric.isPayloadCopied() ? ByteBuffer.allocateDirect(Math.toIntExact(bytes)) : null;
    }

    /** The region of one more host. */
    MemoryRegion register(Host host) {
        return memory == null
                ? host.endpoint().regions().registerNull(DOMAIN, bytes, BASE, Access.ALL)
                : host.endpoint().regions().register(DOMAIN, memory, BASE, Access.ALL);
    }
}

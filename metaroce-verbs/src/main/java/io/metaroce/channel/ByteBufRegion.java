package io.metaroce.channel;

import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * The whole capacity of a direct {@code ByteBuf} as registered memory. It is retained until this is closed. Offsets of
 * the region are indices of the buffer.
 */
@SuppressWarnings("exports") // who calls it has what it adapts to
public final class ByteBufRegion implements AutoCloseable {
    private final ByteBuf buffer;
    private final MemoryRegion region;
    private boolean closed;

    private ByteBufRegion(ByteBuf buffer, MemoryRegion region) {
        this.buffer = buffer;
        this.region = region;
    }

    /**
     * Registers a buffer.
     *
     * @throws IllegalArgumentException when it is on the heap or in several parts: copy it into one direct buffer
     */
    public static ByteBufRegion register(ProtectionDomain domain, ByteBuf buffer, AccessFlag... access) {
        if (!buffer.isDirect() || buffer.nioBufferCount() != 1) {
            throw new IllegalArgumentException("register " + buffer + ": it is on the heap or in several parts; copy it"
                    + " with ByteBufAllocator.directBuffer(n).writeBytes(buffer)");
        }
        ByteBuffer all = buffer.nioBuffer(0, buffer.capacity());
        MemoryRegion region = domain.register(all, access);
        return new ByteBufRegion(buffer.retain(), region);
    }

    /** The registered memory. */
    public MemoryRegion region() {
        return region;
    }

    /** Takes the registration back, then releases the buffer. Does nothing the second time. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            region.close();
            buffer.release();
        }
    }
}

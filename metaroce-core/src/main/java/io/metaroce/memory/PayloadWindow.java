package io.metaroce.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The payload of the packet being written: a window on registered memory, or, where it has several pieces or straddles
 * two chunks, a copy in one bounce buffer. Valid until the next {@link #begin}. Endpoint thread.
 *
 * <p>Users of {@link #buffer()} work with absolute indexes; position and limit of a region's chunk must not move.
 */
public final class PayloadWindow {
    private final RegionTable regions;
    private final ByteBuffer bounce;
    private ByteBuffer buffer;
    private int offset;
    private int length;
    private boolean inBounce;

    /**
     * Makes a window.
     *
     * @param regions the regions it opens on
     * @param payloadBytesMax bytes of a packet's payload at most
     */
    public PayloadWindow(RegionTable regions, int payloadBytesMax) {
        this.regions = regions;
        bounce = ByteBuffer.allocateDirect(payloadBytesMax);
        buffer = bounce;
    }

    /** Starts an empty payload. */
    public void begin() {
        length = 0;
        inBounce = false;
    }

    /** Appends bytes of a local entry; on a fault the payload stays as it was. */
    public PlacementFault add(int domain, int lkey, long from, int bytes) {
        if (bytes == 0) {
            return PlacementFault.NONE;
        }
        return append(regions.find(lkey), domain, from, bytes, 0);
    }

    /** Appends bytes the peer reads; {@code address} is unsigned; on a fault the payload stays as it was. */
    public PlacementFault addRemote(int domain, int rkey, long address, int bytes) {
        if (bytes == 0) {
            return PlacementFault.NONE;
        }
        MemoryRegion region = regions.find(rkey);
        return append(region, domain, region == null ? 0 : address - region.base(), bytes, Access.REMOTE_READ);
    }

    /** Appends bytes that are in no region, such as inline data of a request. */
    public void addBytes(ByteBuffer from, int fromOffset, int bytes) {
        checkRoom(bytes);
        if (length == 0) {
            buffer = from;
            offset = fromOffset;
            inBounce = false;
        } else {
            gather();
            bounce.put(length, from, fromOffset, bytes);
        }
        length += bytes;
    }

    /** Where the payload is. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Index of its first byte. */
    public int offset() {
        return offset;
    }

    /** Its bytes. */
    public int length() {
        return length;
    }

    private PlacementFault append(@Nullable MemoryRegion region, int domain, long from, int bytes, int access) {
        PlacementFault fault = RegionPlacement.check(region, domain, from, bytes, access);
        if (fault != PlacementFault.NONE || region == null) {
            return fault;
        }
        checkRoom(bytes);
        if (length == 0 && region.run(from, bytes) == bytes) {
            buffer = region.chunk(from);
            offset = region.inChunk(from);
            inBounce = false;
        } else {
            gather();
            region.get(from, bounce, length, bytes);
        }
        length += bytes;
        return PlacementFault.NONE;
    }

    /** Brings what there is into the bounce buffer. */
    private void gather() {
        if (!inBounce) {
            if (length > 0) {
                bounce.put(0, buffer, offset, length);
            }
            buffer = bounce;
            offset = 0;
            inBounce = true;
        }
    }

    private void checkRoom(int bytes) {
        if (bytes < 0 || bytes > bounce.capacity() - length) {
            throw new IllegalArgumentException("a payload of " + ((long) length + bytes) + " bytes, at most "
                    + bounce.capacity() + " fit in a packet");
        }
    }
}

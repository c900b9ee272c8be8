package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * News of planes, told before the next ACK would.
 *
 * <pre>PlaneStatus ::= BaseHeader planeUp:16 changed:16 reserved:32</pre>
 */
public final class PlaneStatus {
    static final int PLANE_UP = BaseHeader.LENGTH;
    static final int CHANGED = PLANE_UP + 2;
    static final int RESERVED = CHANGED + 2;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = RESERVED + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public PlaneStatus wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Bit k: the sender can receive on plane k. */
    public int planeUp() {
        return buffer.getShort(at + PLANE_UP) & 0xFFFF;
    }

    /** Sets {@link #planeUp()}. */
    public PlaneStatus planeUp(int value) {
        buffer.putShort(at + PLANE_UP, (short) value);
        return this;
    }

    /** Bit k: plane k has changed. */
    public int changed() {
        return buffer.getShort(at + CHANGED) & 0xFFFF;
    }

    /** Sets {@link #changed()}; zeroes the reserved bits after it. */
    public PlaneStatus changed(int value) {
        buffer.putShort(at + CHANGED, (short) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putInt(at + RESERVED, 0);
        return this;
    }
}

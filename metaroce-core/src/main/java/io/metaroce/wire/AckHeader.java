package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * The head of an acknowledgement: the rate hint and what concerns the connection as a whole. Path blocks and stream
 * updates follow, in this order, then options. An ACK without blocks is a bare hint.
 *
 * <pre>
 * AckHeader ::= BaseHeader rateHint:16 planeUp:16 rxBytes:32 pathBlockCount:8 streamUpdateCount:8 ackFlags:8 reserved:8
 * ACK       ::= AckHeader PathBlock^pathBlockCount StreamUpdate^streamUpdateCount options trailer</pre>
 */
public final class AckHeader {
    /** Flag: answers a PROBE. */
    public static final int PROBE_ANSWER = 0x80;
    /** Flag: this endpoint was paused since its last ACK; take no RTT sample. */
    public static final int PAUSED = 0x40;

    static final int RATE_HINT = BaseHeader.LENGTH;
    static final int PLANE_UP = RATE_HINT + 2;
    static final int RX_BYTES = PLANE_UP + 2;
    static final int PATH_BLOCK_COUNT = RX_BYTES + 4;
    static final int STREAM_UPDATE_COUNT = PATH_BLOCK_COUNT + 1;
    static final int ACK_FLAGS = STREAM_UPDATE_COUNT + 1;
    static final int RESERVED = ACK_FLAGS + 1;
    /** Bytes from the start of the packet to the first block. */
    public static final int LENGTH = RESERVED + 1;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public AckHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Share of inbound bandwidth granted to this connection, as RateHint16. */
    public int rateHint() {
        return buffer.getShort(at + RATE_HINT) & 0xFFFF;
    }

    /** Sets {@link #rateHint()}. */
    public AckHeader rateHint(int value) {
        buffer.putShort(at + RATE_HINT, (short) value);
        return this;
    }

    /** Bit k: the sender of this ACK can receive on plane k. */
    public int planeUp() {
        return buffer.getShort(at + PLANE_UP) & 0xFFFF;
    }

    /** Sets {@link #planeUp()}. */
    public AckHeader planeUp(int value) {
        buffer.putShort(at + PLANE_UP, (short) value);
        return this;
    }

    /** Accepted payload of the connection so far, in units of 64 bytes; wraps. */
    public int rxBytes() {
        return buffer.getInt(at + RX_BYTES);
    }

    /** Sets {@link #rxBytes()}. */
    public AckHeader rxBytes(int value) {
        buffer.putInt(at + RX_BYTES, value);
        return this;
    }

    /** Number of {@link PathBlock}s that follow. */
    public int pathBlockCount() {
        return buffer.get(at + PATH_BLOCK_COUNT) & 0xFF;
    }

    /** Sets {@link #pathBlockCount()}. */
    public AckHeader pathBlockCount(int value) {
        buffer.put(at + PATH_BLOCK_COUNT, (byte) value);
        return this;
    }

    /** Number of {@link StreamUpdate}s that follow the blocks. */
    public int streamUpdateCount() {
        return buffer.get(at + STREAM_UPDATE_COUNT) & 0xFF;
    }

    /** Sets {@link #streamUpdateCount()}. */
    public AckHeader streamUpdateCount(int value) {
        buffer.put(at + STREAM_UPDATE_COUNT, (byte) value);
        return this;
    }

    /** Flags: {@link #PROBE_ANSWER}, {@link #PAUSED}. */
    public int ackFlags() {
        return buffer.get(at + ACK_FLAGS) & 0xFF;
    }

    /** Sets {@link #ackFlags()}; zeroes the reserved bits after it. */
    public AckHeader ackFlags(int value) {
        buffer.put(at + ACK_FLAGS, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.put(at + RESERVED, (byte) 0);
        return this;
    }
}

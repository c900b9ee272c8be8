package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * A piece of what a READ_REQ asked for, placed by tag and offset in whatever order the pieces come.
 *
 * <pre>ReadResponseHeader ::= BaseHeader rdTag:32 offset:32 totLen:32 status:8 demand:8 reserved:16</pre>
 */
public final class ReadResponseHeader {
    static final int RD_TAG = BaseHeader.LENGTH;
    static final int OFFSET = RD_TAG + 4;
    static final int TOT_LEN = OFFSET + 4;
    static final int STATUS = TOT_LEN + 4;
    static final int DEMAND = STATUS + 1;
    static final int RESERVED = DEMAND + 1;
    /** Bytes from the start of the packet to its options or payload. */
    public static final int LENGTH = RESERVED + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ReadResponseHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The read this belongs to. */
    public int rdTag() {
        return buffer.getInt(at + RD_TAG);
    }

    /** Sets {@link #rdTag()}. */
    public ReadResponseHeader rdTag(int value) {
        buffer.putInt(at + RD_TAG, value);
        return this;
    }

    /** Offset of the first payload byte in the read, in bytes, unsigned. */
    public int offset() {
        return buffer.getInt(at + OFFSET);
    }

    /** Sets {@link #offset()}. */
    public ReadResponseHeader offset(int value) {
        buffer.putInt(at + OFFSET, value);
        return this;
    }

    /** Length of the whole read in bytes, unsigned. */
    public int totLen() {
        return buffer.getInt(at + TOT_LEN);
    }

    /** Sets {@link #totLen()}. */
    public ReadResponseHeader totLen(int value) {
        buffer.putInt(at + TOT_LEN, value);
        return this;
    }

    /** 0, or the {@link NakCode} of a read that failed; then there is no payload. */
    public int status() {
        return buffer.get(at + STATUS) & 0xFF;
    }

    /** Sets {@link #status()}. */
    public ReadResponseHeader status(int value) {
        buffer.put(at + STATUS, (byte) value);
        return this;
    }

    /** Bytes still queued on this connection after this packet, as Demand8. */
    public int demand() {
        return buffer.get(at + DEMAND) & 0xFF;
    }

    /** Sets {@link #demand()}; zeroes the reserved bits after it. */
    public ReadResponseHeader demand(int value) {
        buffer.put(at + DEMAND, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }
}

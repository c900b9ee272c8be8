package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * What was in memory before an atomic operation.
 *
 * <pre>AtomicResponseHeader ::= BaseHeader atTag:32 status:8 reserved:24 original:64</pre>
 */
public final class AtomicResponseHeader {
    static final int AT_TAG = BaseHeader.LENGTH;
    static final int STATUS = AT_TAG + 4;
    static final int RESERVED = STATUS + 1;
    static final int ORIGINAL = RESERVED + 3;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = ORIGINAL + 8;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public AtomicResponseHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The operation this belongs to. */
    public int atTag() {
        return buffer.getInt(at + AT_TAG);
    }

    /** Sets {@link #atTag()}. */
    public AtomicResponseHeader atTag(int value) {
        buffer.putInt(at + AT_TAG, value);
        return this;
    }

    /** 0, or the {@link NakCode} of an operation that failed. */
    public int status() {
        return buffer.get(at + STATUS) & 0xFF;
    }

    /** Sets {@link #status()}; zeroes the reserved bits after it. */
    public AtomicResponseHeader status(int value) {
        buffer.put(at + STATUS, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.put(at + RESERVED, (byte) 0);
        buffer.putShort(at + RESERVED + 1, (short) 0);
        return this;
    }

    /** The number before the operation. */
    public long original() {
        return buffer.getLong(at + ORIGINAL);
    }

    /** Sets {@link #original()}. */
    public AtomicResponseHeader original(long value) {
        buffer.putLong(at + ORIGINAL, value);
        return this;
    }
}

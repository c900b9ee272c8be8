package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Says that the rest of a read, or an atomic, will not come, and why.
 *
 * <pre>StatusResponseHeader ::= BaseHeader tag:32 code:8 kind:8 reserved:16</pre>
 */
public final class StatusResponseHeader {
    /** Value of {@link #kind()}: the tag is that of a read. */
    public static final int READ = 0;
    /** Value of {@link #kind()}: the tag is that of an atomic. */
    public static final int ATOMIC = 1;

    static final int TAG = BaseHeader.LENGTH;
    static final int CODE = TAG + 4;
    static final int KIND = CODE + 1;
    static final int RESERVED = KIND + 1;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = RESERVED + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public StatusResponseHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The read or atomic this belongs to. */
    public int tag() {
        return buffer.getInt(at + TAG);
    }

    /** Sets {@link #tag()}. */
    public StatusResponseHeader tag(int value) {
        buffer.putInt(at + TAG, value);
        return this;
    }

    /** Why, as {@link NakCode}. */
    public int code() {
        return buffer.get(at + CODE) & 0xFF;
    }

    /** Sets {@link #code()}. */
    public StatusResponseHeader code(int value) {
        buffer.put(at + CODE, (byte) value);
        return this;
    }

    /** What the tag names: {@link #READ} or {@link #ATOMIC}. */
    public int kind() {
        return buffer.get(at + KIND) & 0xFF;
    }

    /** Sets {@link #kind()}; zeroes the reserved bits after it. */
    public StatusResponseHeader kind(int value) {
        buffer.put(at + KIND, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }
}

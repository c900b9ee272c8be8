package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Ends a connection (CLOSE) or answers that (CLOSE_ACK).
 *
 * <pre>CloseHeader ::= BaseHeader code:16 flags:8 reserved:8 closeId:32</pre>
 */
public final class CloseHeader {
    /** Flag of CLOSE: at once, without finishing what is outstanding. */
    public static final int ABORT = 0x80;
    /** Flag of CLOSE_ACK: understood, own work is still being finished. */
    public static final int PENDING = 0x80;
    /** Code: the application is done. */
    public static final int NORMAL = 0;
    /** Code: the application gave up. */
    public static final int APPLICATION_ABORT = 1;
    /** Code: nothing was heard for too long. */
    public static final int IDLE = 2;
    /** Code: no room left. */
    public static final int NO_RESOURCES = 3;
    /** Code: this plus a {@link NakCode}. */
    public static final int ERROR_BASE = 0x100;

    static final int CODE = BaseHeader.LENGTH;
    static final int CLOSE_FLAGS = CODE + 2;
    static final int RESERVED = CLOSE_FLAGS + 1;
    static final int CLOSE_ID = RESERVED + 1;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = CLOSE_ID + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public CloseHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Why; CLOSE_ACK repeats it. */
    public int code() {
        return buffer.getShort(at + CODE) & 0xFFFF;
    }

    /** Sets {@link #code()}. */
    public CloseHeader code(int value) {
        buffer.putShort(at + CODE, (short) value);
        return this;
    }

    /** Flags: {@link #ABORT} in CLOSE, {@link #PENDING} in CLOSE_ACK. */
    public int flags() {
        return buffer.get(at + CLOSE_FLAGS) & 0xFF;
    }

    /** Sets {@link #flags()}; zeroes the reserved bits after it. */
    public CloseHeader flags(int value) {
        buffer.put(at + CLOSE_FLAGS, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.put(at + RESERVED, (byte) 0);
        return this;
    }

    /** Names this close; CLOSE_ACK repeats it. */
    public int closeId() {
        return buffer.getInt(at + CLOSE_ID);
    }

    /** Sets {@link #closeId()}. */
    public CloseHeader closeId(int value) {
        buffer.putInt(at + CLOSE_ID, value);
        return this;
    }
}

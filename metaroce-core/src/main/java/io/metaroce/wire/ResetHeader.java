package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Says that a ConnId is unknown here. It counts only with the token announced for that ConnId.
 *
 * <pre>ResetHeader ::= BaseHeader deadConnId:32 reserved:32 token:128</pre>
 */
public final class ResetHeader {
    static final int DEAD_CONN_ID = BaseHeader.LENGTH;
    static final int RESERVED = DEAD_CONN_ID + 4;
    static final int TOKEN = RESERVED + 4;
    /** Bytes from the start of the packet to its end. */
    public static final int LENGTH = TOKEN + 16;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ResetHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The unknown ConnId. */
    public int deadConnId() {
        return buffer.getInt(at + DEAD_CONN_ID);
    }

    /** Sets {@link #deadConnId()}; zeroes the reserved bits after it. */
    public ResetHeader deadConnId(int value) {
        buffer.putInt(at + DEAD_CONN_ID, value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putInt(at + RESERVED, 0);
        return this;
    }

    /** RESET_TOKEN announced in the handshake. */
    public byte[] token() {
        byte[] copy = new byte[16];
        buffer.get(at + TOKEN, copy);
        return copy;
    }

    /** Sets {@link #token()}. */
    public ResetHeader token(byte[] value) {
        buffer.put(at + TOKEN, value, 0, 16);
        return this;
    }
}

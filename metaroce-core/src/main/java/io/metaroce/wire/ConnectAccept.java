package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Accepts a connection. Parameters follow as options.
 *
 * <pre>ConnectAccept ::= BaseHeader nonce:64 respConnId:32 version:8 reserved:24
 * CONN_ACCEPT   ::= ConnectAccept ConnectParameters trailer</pre>
 */
public final class ConnectAccept {
    static final int NONCE = BaseHeader.LENGTH;
    static final int RESP_CONN_ID = NONCE + 8;
    static final int CHOSEN_VERSION = RESP_CONN_ID + 4;
    static final int RESERVED = CHOSEN_VERSION + 1;
    /** Bytes from the start of the packet to its parameters. */
    public static final int LENGTH = RESERVED + 3;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ConnectAccept wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Nonce of the request. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public ConnectAccept nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }

    /** ConnId the responder wants to receive on. */
    public int respConnId() {
        return buffer.getInt(at + RESP_CONN_ID);
    }

    /** Sets {@link #respConnId()}. */
    public ConnectAccept respConnId(int value) {
        buffer.putInt(at + RESP_CONN_ID, value);
        return this;
    }

    /** Version chosen. */
    public int version() {
        return buffer.get(at + CHOSEN_VERSION) & 0xFF;
    }

    /** Sets {@link #version()}; zeroes the reserved bits after it. */
    public ConnectAccept version(int value) {
        buffer.put(at + CHOSEN_VERSION, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.put(at + RESERVED, (byte) 0);
        buffer.putShort(at + RESERVED + 1, (short) 0);
        return this;
    }
}

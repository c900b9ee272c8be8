package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Asks to repeat the request with a cookie, which proves that the initiator receives where it says.
 *
 * <pre>ConnectRetry ::= BaseHeader nonce:64 cookie:128</pre>
 */
public final class ConnectRetry {
    static final int NONCE = BaseHeader.LENGTH;
    static final int COOKIE = NONCE + 8;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = COOKIE + 16;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ConnectRetry wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Nonce of the request. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public ConnectRetry nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }

    /** Cookie to repeat the request with. */
    public byte[] cookie() {
        byte[] copy = new byte[16];
        buffer.get(at + COOKIE, copy);
        return copy;
    }

    /** Sets {@link #cookie()}. */
    public ConnectRetry cookie(byte[] value) {
        buffer.put(at + COOKIE, value, 0, 16);
        return this;
    }
}

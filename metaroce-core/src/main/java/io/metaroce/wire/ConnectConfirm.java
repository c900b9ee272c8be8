package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Tells the responder that its acceptance arrived.
 *
 * <pre>ConnectConfirm ::= BaseHeader nonce:64</pre>
 */
public final class ConnectConfirm {
    static final int NONCE = BaseHeader.LENGTH;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = NONCE + 8;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ConnectConfirm wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Nonce of the request. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public ConnectConfirm nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }
}

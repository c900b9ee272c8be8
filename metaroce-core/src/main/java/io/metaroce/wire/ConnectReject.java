package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Refuses a connection. Private data may follow as an option.
 *
 * <pre>ConnectReject ::= BaseHeader nonce:64 reason:16 reserved:16
 * CONN_REJECT   ::= ConnectReject options trailer</pre>
 */
public final class ConnectReject {
    /** Reason: no version in common. */
    public static final int VERSION = 1;
    /** Reason: a required feature is missing. */
    public static final int FEATURE = 2;
    /** Reason: no room. */
    public static final int RESOURCES = 3;
    /** Reason: nobody listens for the service. */
    public static final int NO_SERVICE = 4;
    /** Reason: the application refused. */
    public static final int REFUSED = 5;
    /** Reason: a parameter is missing or outside its range. */
    public static final int PARAMETER = 6;
    /** Reason: the request belongs to a connection that is gone. */
    public static final int STALE = 7;
    /** Reason: no integrity profile in common. */
    public static final int INTEGRITY = 8;

    static final int NONCE = BaseHeader.LENGTH;
    static final int REASON = NONCE + 8;
    static final int RESERVED = REASON + 2;
    /** Bytes from the start of the packet to its options. */
    public static final int LENGTH = RESERVED + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ConnectReject wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Nonce of the request. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public ConnectReject nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }

    /** Why. */
    public int reason() {
        return buffer.getShort(at + REASON) & 0xFFFF;
    }

    /** Sets {@link #reason()}; zeroes the reserved bits after it. */
    public ConnectReject reason(int value) {
        buffer.putShort(at + REASON, (short) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }
}

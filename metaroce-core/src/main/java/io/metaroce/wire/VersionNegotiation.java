package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Lists the versions of the responder for an initiator that asked in another one. Not authenticated: it counts only
 * before any other reply.
 *
 * <pre>VersionNegotiation ::= BaseHeader nonce:64 versions:16 reserved:16</pre>
 */
public final class VersionNegotiation {
    static final int NONCE = BaseHeader.LENGTH;
    static final int VERSIONS = NONCE + 8;
    static final int RESERVED = VERSIONS + 2;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = RESERVED + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public VersionNegotiation wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Nonce of the request. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public VersionNegotiation nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }

    /** Bit v: the responder speaks version v. */
    public int versions() {
        return buffer.getShort(at + VERSIONS) & 0xFFFF;
    }

    /** Sets {@link #versions()}; zeroes the reserved bits after it. */
    public VersionNegotiation versions(int value) {
        buffer.putShort(at + VERSIONS, (short) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }
}

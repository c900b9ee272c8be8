package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Asks for a connection. Parameters follow as options, then zeros to at least {@link #PACKET_BYTES_MIN} bytes. Bytes 0
 * to 35 are the same in all versions.
 *
 * <pre>ConnectRequest ::= BaseHeader initConnId:32 serviceId:32 nonce:64 versions:16 reserved:16
 * CONN_REQ       ::= ConnectRequest ConnectParameters zeros trailer</pre>
 */
public final class ConnectRequest {
    /** Length of a CONN_REQ in bytes, at least: an answer of up to three times its length must be of use. */
    public static final int PACKET_BYTES_MIN = 1200;

    static final int INIT_CONN_ID = BaseHeader.LENGTH;
    static final int SERVICE_ID = INIT_CONN_ID + 4;
    static final int NONCE = SERVICE_ID + 4;
    static final int VERSIONS = NONCE + 8;
    static final int RESERVED = VERSIONS + 2;
    /** Bytes from the start of the packet to its parameters. */
    public static final int LENGTH = RESERVED + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ConnectRequest wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** ConnId the initiator wants to receive on. */
    public int initConnId() {
        return buffer.getInt(at + INIT_CONN_ID);
    }

    /** Sets {@link #initConnId()}. */
    public ConnectRequest initConnId(int value) {
        buffer.putInt(at + INIT_CONN_ID, value);
        return this;
    }

    /** Which service of the responder is meant. */
    public int serviceId() {
        return buffer.getInt(at + SERVICE_ID);
    }

    /** Sets {@link #serviceId()}. */
    public ConnectRequest serviceId(int value) {
        buffer.putInt(at + SERVICE_ID, value);
        return this;
    }

    /** Repeated in every answer. */
    public long nonce() {
        return buffer.getLong(at + NONCE);
    }

    /** Sets {@link #nonce()}. */
    public ConnectRequest nonce(long value) {
        buffer.putLong(at + NONCE, value);
        return this;
    }

    /** Bit v: the initiator speaks version v. */
    public int versions() {
        return buffer.getShort(at + VERSIONS) & 0xFFFF;
    }

    /** Sets {@link #versions()}; zeroes the reserved bits after it. */
    public ConnectRequest versions(int value) {
        buffer.putShort(at + VERSIONS, (short) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }
}

package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * What a READ_REQ asks for. It carries a rate hint, because the responses to it are data that this side will receive.
 *
 * <pre>
 * ReadRequestHeader ::= BaseHeader MessageHeader rkey:32 length:32 remoteAddress:64 rdTag:32 rateHint:16 hintSeq:16
 * </pre>
 */
public final class ReadRequestHeader {
    static final int RKEY = MessageHeader.LENGTH;
    static final int LENGTH_FIELD = RKEY + 4;
    static final int REMOTE_ADDRESS = LENGTH_FIELD + 4;
    static final int RD_TAG = REMOTE_ADDRESS + 8;
    static final int RATE_HINT = RD_TAG + 4;
    static final int HINT_SEQ = RATE_HINT + 2;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = HINT_SEQ + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ReadRequestHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Key of the region that is read. */
    public int rkey() {
        return buffer.getInt(at + RKEY);
    }

    /** Sets {@link #rkey()}. */
    public ReadRequestHeader rkey(int value) {
        buffer.putInt(at + RKEY, value);
        return this;
    }

    /** Bytes to read, unsigned. */
    public int length() {
        return buffer.getInt(at + LENGTH_FIELD);
    }

    /** Sets {@link #length()}. */
    public ReadRequestHeader length(int value) {
        buffer.putInt(at + LENGTH_FIELD, value);
        return this;
    }

    /** Address of the first byte to read. */
    public long remoteAddress() {
        return buffer.getLong(at + REMOTE_ADDRESS);
    }

    /** Sets {@link #remoteAddress()}. */
    public ReadRequestHeader remoteAddress(long value) {
        buffer.putLong(at + REMOTE_ADDRESS, value);
        return this;
    }

    /** Name of this read in its responses. */
    public int rdTag() {
        return buffer.getInt(at + RD_TAG);
    }

    /** Sets {@link #rdTag()}. */
    public ReadRequestHeader rdTag(int value) {
        buffer.putInt(at + RD_TAG, value);
        return this;
    }

    /** Share of inbound bandwidth granted to the peer, as RateHint16. */
    public int rateHint() {
        return buffer.getShort(at + RATE_HINT) & 0xFFFF;
    }

    /** Sets {@link #rateHint()}. */
    public ReadRequestHeader rateHint(int value) {
        buffer.putShort(at + RATE_HINT, (short) value);
        return this;
    }

    /** Low 16 bits of the last AckSeq this side has sent; orders the hint. */
    public int hintSeq() {
        return buffer.getShort(at + HINT_SEQ) & 0xFFFF;
    }

    /** Sets {@link #hintSeq()}. */
    public ReadRequestHeader hintSeq(int value) {
        buffer.putShort(at + HINT_SEQ, (short) value);
        return this;
    }
}

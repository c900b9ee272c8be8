package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Which posted receive the payload of a SEND, SEND_IMM or SEND_INV goes to. The packet carries the match, so it lands
 * although earlier messages have not.
 *
 * <pre>SendHeader ::= BaseHeader MessageHeader rsn:32 messageLength:32 [immediate:32 | invalidateRkey:32]</pre>
 */
public final class SendHeader {
    static final int RSN = MessageHeader.LENGTH;
    static final int MESSAGE_LENGTH = RSN + 4;
    /** Bytes from the start of a SEND to its options or payload. */
    public static final int LENGTH = MESSAGE_LENGTH + 4;

    static final int IMMEDIATE = LENGTH;
    /** Bytes from the start of a SEND_IMM to its options or payload. */
    public static final int LENGTH_IMMEDIATE = IMMEDIATE + 4;

    static final int INVALIDATE_RKEY = IMMEDIATE;
    /** Bytes from the start of a SEND_INV to its options or payload. */
    public static final int LENGTH_INVALIDATE = INVALIDATE_RKEY + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public SendHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Number of the posted receive this message consumes. */
    public int rsn() {
        return buffer.getInt(at + RSN);
    }

    /** Sets {@link #rsn()}. */
    public SendHeader rsn(int value) {
        buffer.putInt(at + RSN, value);
        return this;
    }

    /** Length of the whole message in bytes, unsigned. */
    public int messageLength() {
        return buffer.getInt(at + MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}. */
    public SendHeader messageLength(int value) {
        buffer.putInt(at + MESSAGE_LENGTH, value);
        return this;
    }

    /** Immediate data of SEND_IMM, a number in network order; the others have none. */
    public int immediate() {
        return buffer.getInt(at + IMMEDIATE);
    }

    /** Sets {@link #immediate()}. */
    public SendHeader immediate(int value) {
        buffer.putInt(at + IMMEDIATE, value);
        return this;
    }

    /** Key that SEND_INV invalidates; the others have none. */
    public int invalidateRkey() {
        return buffer.getInt(at + INVALIDATE_RKEY);
    }

    /** Sets {@link #invalidateRkey()}. */
    public SendHeader invalidateRkey(int value) {
        buffer.putInt(at + INVALIDATE_RKEY, value);
        return this;
    }
}

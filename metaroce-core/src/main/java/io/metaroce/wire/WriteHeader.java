package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Where the payload of a WRITE or WRITE_IMM goes. Every packet carries its own destination, so it is written to its
 * final place whatever has come before it.
 *
 * <pre>WriteHeader ::= BaseHeader MessageHeader rkey:32 messageLength:32 remoteAddress:64 [rsn:32 immediate:32]</pre>
 */
public final class WriteHeader {
    static final int RKEY = MessageHeader.LENGTH;
    static final int MESSAGE_LENGTH = RKEY + 4;
    static final int REMOTE_ADDRESS = MESSAGE_LENGTH + 4;
    /** Bytes from the start of a WRITE to its options or payload. */
    public static final int LENGTH = REMOTE_ADDRESS + 8;

    static final int RSN = LENGTH;
    static final int IMMEDIATE = RSN + 4;
    /** Bytes from the start of a WRITE_IMM to its options or payload. */
    public static final int LENGTH_IMMEDIATE = IMMEDIATE + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public WriteHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Writes the fields of a WRITE; those of WRITE_IMM follow them. */
    public WriteHeader write(int rkey, int messageLength, long remoteAddress) {
        buffer.putLong(at + RKEY, Words.join(rkey, messageLength));
        buffer.putLong(at + REMOTE_ADDRESS, remoteAddress);
        return this;
    }

    /** Key of the region the message is written to. */
    public int rkey() {
        return buffer.getInt(at + RKEY);
    }

    /** Sets {@link #rkey()}. */
    public WriteHeader rkey(int value) {
        buffer.putInt(at + RKEY, value);
        return this;
    }

    /** Length of the whole message in bytes, unsigned. */
    public int messageLength() {
        return buffer.getInt(at + MESSAGE_LENGTH);
    }

    /** Sets {@link #messageLength()}. */
    public WriteHeader messageLength(int value) {
        buffer.putInt(at + MESSAGE_LENGTH, value);
        return this;
    }

    /** Address of this packet's first payload byte. */
    public long remoteAddress() {
        return buffer.getLong(at + REMOTE_ADDRESS);
    }

    /** Sets {@link #remoteAddress()}. */
    public WriteHeader remoteAddress(long value) {
        buffer.putLong(at + REMOTE_ADDRESS, value);
        return this;
    }

    /** Number of the posted receive that WRITE_IMM consumes; WRITE has none. */
    public int rsn() {
        return buffer.getInt(at + RSN);
    }

    /** Sets {@link #rsn()}. */
    public WriteHeader rsn(int value) {
        buffer.putInt(at + RSN, value);
        return this;
    }

    /** Immediate data of WRITE_IMM, a number in network order; WRITE has none. */
    public int immediate() {
        return buffer.getInt(at + IMMEDIATE);
    }

    /** Sets {@link #immediate()}. */
    public WriteHeader immediate(int value) {
        buffer.putInt(at + IMMEDIATE, value);
        return this;
    }
}

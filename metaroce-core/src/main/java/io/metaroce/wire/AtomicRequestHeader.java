package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * One operation on a remote number of up to eight bytes.
 *
 * <pre>AtomicRequestHeader ::= BaseHeader MessageHeader rkey:32 atTag:32 remoteAddress:64 op:8 size:8 reserved:16
 *                         operandA:64 operandB:64</pre>
 */
public final class AtomicRequestHeader {
    /** Value of {@link #op()}: compare with A, and if equal store B. */
    public static final int CAS = 0;
    /** Value of {@link #op()}: add A. */
    public static final int FAA = 1;
    /** Value of {@link #op()}: store A. */
    public static final int SWAP = 2;

    static final int RKEY = MessageHeader.LENGTH;
    static final int AT_TAG = RKEY + 4;
    static final int REMOTE_ADDRESS = AT_TAG + 4;
    static final int OP = REMOTE_ADDRESS + 8;
    static final int SIZE = OP + 1;
    static final int RESERVED = SIZE + 1;
    static final int OPERAND_A = RESERVED + 2;
    static final int OPERAND_B = OPERAND_A + 8;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = OPERAND_B + 8;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public AtomicRequestHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Key of the region the number lies in. */
    public int rkey() {
        return buffer.getInt(at + RKEY);
    }

    /** Sets {@link #rkey()}. */
    public AtomicRequestHeader rkey(int value) {
        buffer.putInt(at + RKEY, value);
        return this;
    }

    /** Name of this operation in its response. */
    public int atTag() {
        return buffer.getInt(at + AT_TAG);
    }

    /** Sets {@link #atTag()}. */
    public AtomicRequestHeader atTag(int value) {
        buffer.putInt(at + AT_TAG, value);
        return this;
    }

    /** Address of the number. */
    public long remoteAddress() {
        return buffer.getLong(at + REMOTE_ADDRESS);
    }

    /** Sets {@link #remoteAddress()}. */
    public AtomicRequestHeader remoteAddress(long value) {
        buffer.putLong(at + REMOTE_ADDRESS, value);
        return this;
    }

    /** Operation: {@link #CAS}, {@link #FAA} or {@link #SWAP}. */
    public int op() {
        return buffer.get(at + OP) & 0xFF;
    }

    /** Sets {@link #op()}. */
    public AtomicRequestHeader op(int value) {
        buffer.put(at + OP, (byte) value);
        return this;
    }

    /** Width of the number in bytes. */
    public int size() {
        return buffer.get(at + SIZE) & 0xFF;
    }

    /** Sets {@link #size()}; zeroes the reserved bits after it. */
    public AtomicRequestHeader size(int value) {
        buffer.put(at + SIZE, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }

    /** First operand: what CAS compares with, what FAA adds, what SWAP stores. */
    public long operandA() {
        return buffer.getLong(at + OPERAND_A);
    }

    /** Sets {@link #operandA()}. */
    public AtomicRequestHeader operandA(long value) {
        buffer.putLong(at + OPERAND_A, value);
        return this;
    }

    /** Second operand: what CAS stores. */
    public long operandB() {
        return buffer.getLong(at + OPERAND_B);
    }

    /** Sets {@link #operandB()}. */
    public AtomicRequestHeader operandB(long value) {
        buffer.putLong(at + OPERAND_B, value);
        return this;
    }
}

package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * The fast copy of a refusal or error; the slow, sticky one stands in the stream's updates.
 *
 * <pre>
 * NakHeader ::= BaseHeader code:8 reserved:8 streamId:16 msn:32 rsnLimit:32 slotPsn:32 slotPath:8 attempt:8 retryDelay:16
 * </pre>
 */
public final class NakHeader {
    static final int CODE = BaseHeader.LENGTH;
    static final int RESERVED = CODE + 1;
    static final int STREAM_ID = RESERVED + 1;
    static final int MSN = STREAM_ID + 2;
    static final int RSN_LIMIT = MSN + 4;
    static final int SLOT_PSN = RSN_LIMIT + 4;
    static final int SLOT_PATH = SLOT_PSN + 4;
    static final int ATTEMPT = SLOT_PATH + 1;
    static final int RETRY_DELAY = ATTEMPT + 1;
    /** Bytes from the start of the packet to its options or end. */
    public static final int LENGTH = RETRY_DELAY + 2;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public NakHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** What happened, as {@link NakCode}. */
    public int code() {
        return buffer.get(at + CODE) & 0xFF;
    }

    /** Sets {@link #code()}; zeroes the reserved bits after it. */
    public NakHeader code(int value) {
        buffer.put(at + CODE, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.put(at + RESERVED, (byte) 0);
        return this;
    }

    /** Stream of the message. */
    public int streamId() {
        return buffer.getShort(at + STREAM_ID) & 0xFFFF;
    }

    /** Sets {@link #streamId()}. */
    public NakHeader streamId(int value) {
        buffer.putShort(at + STREAM_ID, (short) value);
        return this;
    }

    /** Number of the message. */
    public int msn() {
        return buffer.getInt(at + MSN);
    }

    /** Sets {@link #msn()}. */
    public NakHeader msn(int value) {
        buffer.putInt(at + MSN, value);
        return this;
    }

    /** Receives posted so far on the stream. */
    public int rsnLimit() {
        return buffer.getInt(at + RSN_LIMIT);
    }

    /** Sets {@link #rsnLimit()}. */
    public NakHeader rsnLimit(int value) {
        buffer.putInt(at + RSN_LIMIT, value);
        return this;
    }

    /** PSN of the packet that is the cause. */
    public int slotPsn() {
        return buffer.getInt(at + SLOT_PSN);
    }

    /** Sets {@link #slotPsn()}. */
    public NakHeader slotPsn(int value) {
        buffer.putInt(at + SLOT_PSN, value);
        return this;
    }

    /** Path of the packet that is the cause. */
    public int slotPath() {
        return buffer.get(at + SLOT_PATH) & 0xFF;
    }

    /** Sets {@link #slotPath()}. */
    public NakHeader slotPath(int value) {
        buffer.put(at + SLOT_PATH, (byte) value);
        return this;
    }

    /** Attempt that is refused. */
    public int attempt() {
        return buffer.get(at + ATTEMPT) & 0xFF;
    }

    /** Sets {@link #attempt()}. */
    public NakHeader attempt(int value) {
        buffer.put(at + ATTEMPT, (byte) value);
        return this;
    }

    /** When to try again without further notice, as RetryDelay16. */
    public int retryDelay() {
        return buffer.getShort(at + RETRY_DELAY) & 0xFFFF;
    }

    /** Sets {@link #retryDelay()}. */
    public NakHeader retryDelay(int value) {
        buffer.putShort(at + RETRY_DELAY, (short) value);
        return this;
    }
}

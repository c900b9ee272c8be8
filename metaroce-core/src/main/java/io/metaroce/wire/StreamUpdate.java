package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * What one stream has come to at the sender of the report: absolute, sticky, harmless when lost or repeated.
 *
 * <pre>StreamUpdate ::= streamId:16 flags:8 code:8 nextMsn:32 rsnLimit:32</pre>
 */
public final class StreamUpdate {
    /** Flag: message {@link #nextMsn()} is refused, {@link #code()} is the refused attempt. */
    public static final int REFUSED = 0x80;
    /** Flag: message {@link #nextMsn()} failed, {@link #code()} says why. */
    public static final int FAILED = 0x40;
    /** Flag: {@link #rsnLimit()} is valid. */
    public static final int LIMIT_VALID = 0x20;
    /** Flag: the stream is open here. */
    public static final int OPEN = 0x10;
    /** Flag: this side's requester has stopped; nothing new will come. */
    public static final int QUIET = 0x08;

    static final int STREAM_ID = 0;
    static final int FLAGS = STREAM_ID + 2;
    static final int CODE = FLAGS + 1;
    static final int NEXT_MSN = CODE + 1;
    static final int RSN_LIMIT = NEXT_MSN + 4;
    /** Bytes of one update. */
    public static final int LENGTH = RSN_LIMIT + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the update; valid until the buffer is
     * reused.
     */
    public StreamUpdate wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** The stream. */
    public int streamId() {
        return buffer.getShort(at + STREAM_ID) & 0xFFFF;
    }

    /** Sets {@link #streamId()}. */
    public StreamUpdate streamId(int value) {
        buffer.putShort(at + STREAM_ID, (short) value);
        return this;
    }

    /** Flags: {@link #REFUSED}, {@link #FAILED}, {@link #LIMIT_VALID}, {@link #OPEN}, {@link #QUIET}. */
    public int flags() {
        return buffer.get(at + FLAGS) & 0xFF;
    }

    /** Sets {@link #flags()}. */
    public StreamUpdate flags(int value) {
        buffer.put(at + FLAGS, (byte) value);
        return this;
    }

    /** Refused attempt, or {@link NakCode} of the failure. */
    public int code() {
        return buffer.get(at + CODE) & 0xFF;
    }

    /** Sets {@link #code()}. */
    public StreamUpdate code(int value) {
        buffer.put(at + CODE, (byte) value);
        return this;
    }

    /** Every message before it is complete at the receiver. */
    public int nextMsn() {
        return buffer.getInt(at + NEXT_MSN);
    }

    /** Sets {@link #nextMsn()}. */
    public StreamUpdate nextMsn(int value) {
        buffer.putInt(at + NEXT_MSN, value);
        return this;
    }

    /** Receives posted so far: RSNs before it have a buffer. */
    public int rsnLimit() {
        return buffer.getInt(at + RSN_LIMIT);
    }

    /** Sets {@link #rsnLimit()}. */
    public StreamUpdate rsnLimit(int value) {
        buffer.putInt(at + RSN_LIMIT, value);
        return this;
    }
}

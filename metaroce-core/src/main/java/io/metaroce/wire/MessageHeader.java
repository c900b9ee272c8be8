package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Which message of which stream a request packet belongs to.
 *
 * <pre>MessageHeader ::= BaseHeader streamId:16 attempt:3 messageFlags:5 demand:8 msn:32 messageOffset:32
 * messageFlags  ::= SOLICITED:1 ORDERED:1 UNORDERED_OK:1 WITHDRAWN:1 reserved:1</pre>
 */
public final class MessageHeader {
    /** Flag: the receive completion is solicited. */
    public static final int SOLICITED = 0x10;
    /** Flag: to be placed only after all earlier messages of the stream. */
    public static final int ORDERED = 0x08;
    /** Flag: the responder may complete the message before earlier ones. */
    public static final int UNORDERED_OK = 0x04;
    /** Flag: the slot is only filled; nothing is placed or executed. */
    public static final int WITHDRAWN = 0x02;

    static final int STREAM_ID = BaseHeader.LENGTH;
    static final int ATTEMPT = STREAM_ID + 2;
    static final int MESSAGE_FLAGS = ATTEMPT;
    static final int DEMAND = ATTEMPT + 1;
    static final int MSN = DEMAND + 1;
    static final int MESSAGE_OFFSET = MSN + 4;
    /** Bytes from the start of the packet to the header of its operation. */
    public static final int LENGTH = MESSAGE_OFFSET + 4;

    private static final int FLAGS_MASK = 0x1F;
    private static final int RESERVED_MASK = 0x01;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public MessageHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Writes all fields, the attempt modulo 8. */
    public MessageHeader write(int streamId, int attempt, int messageFlags, int demand, int msn, int messageOffset) {
        // R-HDR-003: the reserved bit is sent as zero.
        int flags = messageFlags & FLAGS_MASK & ~RESERVED_MASK;
        int first = (streamId << 16) | ((attempt & 7) << 13) | (flags << 8) | (demand & 0xFF);
        buffer.putLong(at + STREAM_ID, Words.join(first, msn));
        buffer.putInt(at + MESSAGE_OFFSET, messageOffset);
        return this;
    }

    /** The stream. */
    public int streamId() {
        return buffer.getShort(at + STREAM_ID) & 0xFFFF;
    }

    /** Sets {@link #streamId()}. */
    public MessageHeader streamId(int value) {
        buffer.putShort(at + STREAM_ID, (short) value);
        return this;
    }

    /** Which attempt at the message this is, 0..7; the upper three bits of the byte of flags. */
    public int attempt() {
        return (buffer.get(at + ATTEMPT) >>> 5) & 7;
    }

    /** Sets {@link #attempt()}, modulo 8; the flags stay. */
    public MessageHeader attempt(int value) {
        buffer.put(at + ATTEMPT, (byte) ((value << 5) | messageFlags()));
        return this;
    }

    /** Flags {@link #SOLICITED}, {@link #ORDERED}, {@link #UNORDERED_OK}, {@link #WITHDRAWN}; not the attempt. */
    public int messageFlags() {
        // R-HDR-003: the reserved bit is ignored on receipt.
        return buffer.get(at + MESSAGE_FLAGS) & (FLAGS_MASK & ~RESERVED_MASK);
    }

    /** Sets {@link #messageFlags()}; the attempt stays, so set both. */
    public MessageHeader messageFlags(int value) {
        // R-HDR-003: the reserved bit is sent as zero.
        buffer.put(at + MESSAGE_FLAGS, (byte) ((attempt() << 5) | (value & FLAGS_MASK & ~RESERVED_MASK)));
        return this;
    }

    /** Whether flag {@link #WITHDRAWN} is set. */
    public boolean isWithdrawn() {
        return (buffer.get(at + MESSAGE_FLAGS) & WITHDRAWN) != 0;
    }

    /** Bytes still queued on this connection after this packet, as Demand8. */
    public int demand() {
        return buffer.get(at + DEMAND) & 0xFF;
    }

    /** Sets {@link #demand()}. */
    public MessageHeader demand(int value) {
        buffer.put(at + DEMAND, (byte) value);
        return this;
    }

    /** Number of the message in the stream. */
    public int msn() {
        return buffer.getInt(at + MSN);
    }

    /** Sets {@link #msn()}. */
    public MessageHeader msn(int value) {
        buffer.putInt(at + MSN, value);
        return this;
    }

    /** Offset of this packet's first payload byte in the message, unsigned; 0 in READ_REQ and ATOMIC_REQ. */
    public int messageOffset() {
        return buffer.getInt(at + MESSAGE_OFFSET);
    }

    /** Sets {@link #messageOffset()}. */
    public MessageHeader messageOffset(int value) {
        buffer.putInt(at + MESSAGE_OFFSET, value);
        return this;
    }
}

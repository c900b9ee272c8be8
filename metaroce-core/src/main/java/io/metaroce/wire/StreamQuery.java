package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Asks what has become of streams whose messages seem delivered but not complete.
 *
 * <pre>STREAM_QUERY ::= BaseHeader count:8 reserved:24 entry^count options trailer
 * entry        ::= streamId:16 reserved:16</pre>
 */
public final class StreamQuery {
    static final int COUNT = BaseHeader.LENGTH;
    static final int RESERVED = COUNT + 1;
    /** Bytes from the start of the packet to its first entry. */
    public static final int LENGTH = RESERVED + 3;
    /** Bytes of an entry. */
    public static final int ENTRY_LENGTH = 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public StreamQuery wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Number of streams asked about. */
    public int count() {
        return buffer.get(at + COUNT) & 0xFF;
    }

    /** Sets {@link #count()}; zeroes the reserved bits after it. */
    public StreamQuery count(int value) {
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putInt(at + COUNT, value << 24);
        return this;
    }

    /** Stream asked about in entry {@code index}. */
    public int streamId(int index) {
        return buffer.getShort(at + LENGTH + index * ENTRY_LENGTH) & 0xFFFF;
    }

    /** Sets {@link #streamId(int)}; zeroes the reserved bits after it. */
    public StreamQuery streamId(int index, int value) {
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putInt(at + LENGTH + index * ENTRY_LENGTH, value << 16);
        return this;
    }
}

package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * The list of stream updates that CREDIT and STREAM_STATUS consist of.
 *
 * <pre>CREDIT, STREAM_STATUS ::= BaseHeader count:8 reserved:24 StreamUpdate^count options trailer</pre>
 */
public final class StreamList {
    static final int COUNT = BaseHeader.LENGTH;
    static final int RESERVED = COUNT + 1;
    /** Bytes from the start of the packet to its first update. */
    public static final int LENGTH = RESERVED + 3;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public StreamList wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Number of updates. */
    public int count() {
        return buffer.get(at + COUNT) & 0xFF;
    }

    /** Sets {@link #count()}; zeroes the reserved bits after it. */
    public StreamList count(int value) {
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putInt(at + COUNT, value << 24);
        return this;
    }

    /** Lays {@code view} over update {@code index} and returns it. */
    public StreamUpdate update(int index, StreamUpdate view) {
        return view.wrap(buffer, at + LENGTH + index * StreamUpdate.LENGTH);
    }
}

package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * A question to the peer: in the order of a path (T), or about a route (C). Exactly one of the two is asked. Padding
 * may follow, to learn what a route carries.
 *
 * <pre>ProbeHeader ::= BaseHeader flags:8 plane:8 reserved:16 challenge:64
 * PROBE       ::= ProbeHeader options padding trailer</pre>
 */
public final class ProbeHeader {
    /** Flag T: takes part in the path's order, like a slot packet. */
    public static final int IN_PATH = 0x80;
    /** Flag C: tests a route and is echoed; changes no state of the path. */
    public static final int CHALLENGE = 0x40;
    /** Flag K: sent because nothing else was. */
    public static final int KEEPALIVE = 0x20;
    /** Flag P: padded to the length of a full packet. */
    public static final int PADDED = 0x10;

    static final int PROBE_FLAGS = BaseHeader.LENGTH;
    static final int PLANE = PROBE_FLAGS + 1;
    static final int RESERVED = PLANE + 1;
    static final int CHALLENGE_FIELD = RESERVED + 2;
    /** Bytes from the start of the packet to its options or padding. */
    public static final int LENGTH = CHALLENGE_FIELD + 8;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public ProbeHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Flags: {@link #IN_PATH}, {@link #CHALLENGE}, {@link #KEEPALIVE}, {@link #PADDED}. */
    public int flags() {
        return buffer.get(at + PROBE_FLAGS) & 0xFF;
    }

    /** Sets {@link #flags()}. */
    public ProbeHeader flags(int value) {
        buffer.put(at + PROBE_FLAGS, (byte) value);
        return this;
    }

    /** Plane it was sent on. */
    public int plane() {
        return buffer.get(at + PLANE) & 0xFF;
    }

    /** Sets {@link #plane()}; zeroes the reserved bits after it. */
    public ProbeHeader plane(int value) {
        buffer.put(at + PLANE, (byte) value);
        // R-HDR-003: reserved fields are sent as zero.
        buffer.putShort(at + RESERVED, (short) 0);
        return this;
    }

    /** Number that is echoed when {@link #CHALLENGE} is set. */
    public long challenge() {
        return buffer.getLong(at + CHALLENGE_FIELD);
    }

    /** Sets {@link #challenge()}. */
    public ProbeHeader challenge(long value) {
        buffer.putLong(at + CHALLENGE_FIELD, value);
        return this;
    }
}

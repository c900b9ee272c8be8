package io.metaroce.wire;

import io.metaroce.datagram.Datagram;
import java.nio.ByteBuffer;

/**
 * The 16 bytes a secured packet starts with, in clear. The base header and everything behind it follow encrypted, then
 * a tag, and no trailer.
 *
 * <pre>SecuredHeader ::= version:4 flags:4 keyPhase:8 reserved:16 dstConnId:32 counter:64
 * flags         ::= M:1 reserved:3</pre>
 */
public final class SecuredHeader {
    /** Flag: congestion was met on the way; may be set in transit, so the tag takes it as 0. */
    public static final int M = BaseHeader.M;

    static final int VERSION = 0;
    static final int FLAGS = VERSION;
    static final int KEY_PHASE = VERSION + 1;
    static final int RESERVED = KEY_PHASE + 1;
    static final int DST_CONN_ID = RESERVED + 2;
    static final int COUNTER = DST_CONN_ID + 4;
    /** Bytes of the header. */
    public static final int LENGTH = COUNTER + 8;
    /** Bytes of the tag at the end of the packet. */
    public static final int TAG_LENGTH = 16;
    /** Bytes by which a secured packet is longer than the same packet with a trailer. */
    public static final int OVERHEAD_BYTES = LENGTH + TAG_LENGTH - Crc32cTrailer.LENGTH;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /** Whether a datagram starts with such a header; it may be too short for one. */
    public static boolean begins(Datagram datagram) {
        return datagram.length() > 0
                && ((datagram.buffer().get(datagram.offset()) >>> 4) & 0xF) == BaseHeader.VERSION_SECURED;
    }

    /** Lays this view over {@code buffer}, {@code offset} being the start of the packet. */
    public SecuredHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Writes a whole header with flags and reserved bits zero. */
    public SecuredHeader begin(int keyPhase, int dstConnId, long counter) {
        // R-HDR-001: a secured packet starts with this header.
        buffer.putInt(at, (BaseHeader.VERSION_SECURED << 28) | ((keyPhase & 0xFF) << 16));
        buffer.putInt(at + DST_CONN_ID, dstConnId);
        buffer.putLong(at + COUNTER, counter);
        return this;
    }

    /** Whether flag {@link #M} is set. */
    public boolean isMarked() {
        return (buffer.get(at + FLAGS) & M) != 0;
    }

    /** The low eight bits of the number of the keys. */
    public int keyPhase() {
        return buffer.get(at + KEY_PHASE) & 0xFF;
    }

    /** The receiver's number of the connection. */
    public int dstConnId() {
        return buffer.getInt(at + DST_CONN_ID);
    }

    /** New for every transmission. */
    public long counter() {
        return buffer.getLong(at + COUNTER);
    }

    /** Copies what the tag covers of this header: all of it, flag {@link #M} taken as 0. */
    public void covered(byte[] into) {
        buffer.get(at, into, 0, LENGTH);
        // R-HDR-008: flag M may be set in transit and is taken as 0.
        into[0] = (byte) (into[0] & ~M);
    }
}

package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * The 16 bytes every packet starts with.
 *
 * <pre>BaseHeader ::= version:4 flags:4 opcode:8 pathId:8 pathEpoch:8 dstConnId:32 psn:32 txStamp:32
 * flags      ::= M:1 R:1 A:1 X:1</pre>
 */
public final class BaseHeader {
    /** The version this library speaks. */
    public static final int VERSION_1 = 1;
    /** The version number of a secured packet. */
    public static final int VERSION_SECURED = 0xF;
    /** Flag: congestion was met on the way; may be set in transit, so trailer and tag take it as 0. */
    public static final int M = 0x8;
    /** Flag: this slot was transmitted before. */
    public static final int R = 0x4;
    /** Flag: acknowledge at once. */
    public static final int A = 0x2;
    /** Flag: a chain of options follows the headers. */
    public static final int X = 0x1;

    static final int VERSION = 0;
    static final int FLAGS = VERSION;
    static final int OPCODE = VERSION + 1;
    static final int PATH_ID = OPCODE + 1;
    static final int PATH_EPOCH = PATH_ID + 1;
    static final int DST_CONN_ID = PATH_EPOCH + 1;
    static final int PSN = DST_CONN_ID + 4;
    static final int TX_STAMP = PSN + 4;
    /** Bytes of the base header. */
    public static final int LENGTH = TX_STAMP + 4;

    private ByteBuffer buffer = Empty.BUFFER;
    private int at;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of the packet; valid until the buffer is
     * reused.
     */
    public BaseHeader wrap(ByteBuffer buffer, int offset) {
        this.buffer = buffer;
        this.at = offset;
        return this;
    }

    /** Writes a whole header: version 1, the opcode, everything else zero. */
    public BaseHeader begin(int opcode) {
        return write(opcode, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Writes everything around an opcode that is written already: version 1, and these fields as their setters would.
     */
    public BaseHeader complete(int flags, int pathId, int pathEpoch, int dstConnId, int psn, int txStamp) {
        return write(opcode(), flags, pathId, pathEpoch, dstConnId, psn, txStamp);
    }

    private BaseHeader write(int opcode, int flags, int pathId, int pathEpoch, int dstConnId, int psn, int txStamp) {
        // R-HDR-001: every packet starts with this header, version 1.
        int first = (VERSION_1 << 28) | ((flags & 0xF) << 24) | (opcode << 16) | ((pathId & 0xFF) << 8);
        buffer.putLong(at, Words.join(first | (pathEpoch & 0xFF), dstConnId));
        buffer.putLong(at + PSN, Words.join(psn, txStamp));
        return this;
    }

    /** Version of the packet, 0..15. */
    public int version() {
        return (buffer.get(at + VERSION) >>> 4) & 0xF;
    }

    /** Sets {@link #version()}; the flags stay. */
    public BaseHeader version(int value) {
        buffer.put(at + VERSION, (byte) ((value << 4) | flags()));
        return this;
    }

    /** Flags {@link #M}, {@link #R}, {@link #A}, {@link #X}. */
    public int flags() {
        return buffer.get(at + FLAGS) & 0xF;
    }

    /** Sets {@link #flags()}; the version stays. */
    public BaseHeader flags(int value) {
        buffer.put(at + FLAGS, (byte) ((version() << 4) | (value & 0xF)));
        return this;
    }

    /** Whether flag {@link #M} is set. */
    public boolean isMarked() {
        return (buffer.get(at + FLAGS) & M) != 0;
    }

    /** Whether flag {@link #R} is set. */
    public boolean isResent() {
        return (buffer.get(at + FLAGS) & R) != 0;
    }

    /** Whether flag {@link #A} is set. */
    public boolean wantsAck() {
        return (buffer.get(at + FLAGS) & A) != 0;
    }

    /** Whether flag {@link #X} is set. */
    public boolean hasOptions() {
        return (buffer.get(at + FLAGS) & X) != 0;
    }

    /** What the packet is: a number of {@link Opcode}. */
    public int opcode() {
        return buffer.get(at + OPCODE) & 0xFF;
    }

    /** Sets {@link #opcode()}. */
    public BaseHeader opcode(int value) {
        buffer.put(at + OPCODE, (byte) value);
        return this;
    }

    /** The path: of the slot or in-path probe; of other packets the path whose route carries them, for information. */
    public int pathId() {
        return buffer.get(at + PATH_ID) & 0xFF;
    }

    /** Sets {@link #pathId()}. */
    public BaseHeader pathId(int value) {
        buffer.put(at + PATH_ID, (byte) value);
        return this;
    }

    /** Epoch of the path: counts its routes, modulo 256; compared for equality only. */
    public int pathEpoch() {
        return buffer.get(at + PATH_EPOCH) & 0xFF;
    }

    /** Sets {@link #pathEpoch()}. */
    public BaseHeader pathEpoch(int value) {
        buffer.put(at + PATH_EPOCH, (byte) value);
        return this;
    }

    /** The connection, by the number its receiver chose; 0 where there is none yet. */
    public int dstConnId() {
        return buffer.getInt(at + DST_CONN_ID);
    }

    /** Sets {@link #dstConnId()}. */
    public BaseHeader dstConnId(int value) {
        buffer.putInt(at + DST_CONN_ID, value);
        return this;
    }

    /** The slot of slot packets; the next PSN of the path in in-path probes; the AckSeq of report packets; else 0. */
    public int psn() {
        return buffer.getInt(at + PSN);
    }

    /** Sets {@link #psn()}. */
    public BaseHeader psn(int value) {
        buffer.putInt(at + PSN, value);
        return this;
    }

    /** When it was sent, in units of 16 ns; strictly increasing over slot packets and in-path probes of a path. */
    public int txStamp() {
        return buffer.getInt(at + TX_STAMP);
    }

    /** Sets {@link #txStamp()}. */
    public BaseHeader txStamp(int value) {
        buffer.putInt(at + TX_STAMP, value);
        return this;
    }
}

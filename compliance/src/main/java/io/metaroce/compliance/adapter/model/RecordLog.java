package io.metaroce.compliance.adapter.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Records of 64 bytes as {@code spec/cosim.json} lays them out, in the order in which they came about, and beside them
 * the bytes of packets and placements.
 */
public final class RecordLog {
    /** Bytes of a record. */
    public static final int RECORD_BYTES = 64;
    /** Records after which nothing more is begun. */
    public static final int EFFECTS_MAX = 4096;

    /** Where it lies in a record. */
    public static final int ORDER = 0;
    /** Where it lies in a record. */
    public static final int KIND = 4;
    /** Where it lies in a record. */
    public static final int REASON = 5;

    static final int PATH = 6;
    static final int EPOCH = 7;
    /** Where it lies in a record. */
    public static final int T_NS = 8;

    static final int CONN = 16;
    static final int PSN = 20;
    static final int STREAM = 24;
    /** Where it lies in a record. */
    public static final int FLAGS = 26;

    static final int MSN = 28;
    static final int MR = 32;
    /** Where it lies in a record. */
    public static final int LEN = 36;

    static final int OFF = 40;
    /** Where it lies in a record. */
    public static final int ARG0 = 48;

    static final int ARG1 = 56;

    private static final int BLOB_BYTES_MAX = 8 << 20;
    private static final byte[] EMPTY = new byte[RECORD_BYTES];

    private ByteBuffer records = buffer(64 * RECORD_BYTES);
    private ByteBuffer blob = ByteBuffer.allocate(1 << 16); // big-endian, as packets are
    private int count;
    private int blobLength;
    private int nextOrder;

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer grown(ByteBuffer full, int used, int wanted) {
        if (wanted <= full.capacity()) {
            return full;
        }
        return ByteBuffer.allocate(Math.max(wanted, 2 * full.capacity()))
                .order(full.order())
                .put(0, full, 0, used);
    }

    /** Begins a record; answers where its bytes lie in {@link #records()}. */
    int begin(long tNs, Kind kind) {
        int at = count * RECORD_BYTES;
        records = grown(records, at, at + RECORD_BYTES);
        records.put(at, EMPTY);
        records.putInt(at + ORDER, nextOrder++);
        records.put(at + KIND, (byte) kind.number());
        records.putLong(at + T_NS, tNs);
        count++;
        return at;
    }

    /** Makes room for bytes that belong to the newest record; answers where they go in {@link #blob()}. */
    int beginBytes(int length) {
        blob = grown(blob, blobLength, blobLength + length);
        int at = blobLength;
        blobLength += length;
        return at;
    }

    /** Whether nothing more should be begun before somebody takes what is there. */
    boolean isFull() {
        return count >= EFFECTS_MAX || blobLength >= BLOB_BYTES_MAX;
    }

    /** The records, one behind the other, little-endian; valid until more is recorded. */
    public ByteBuffer records() {
        return records;
    }

    /** The bytes of packets and placements, one behind the other, in the order of their records. */
    public ByteBuffer blob() {
        return blob;
    }

    /** How many records there are. */
    public int count() {
        return count;
    }

    /** Bytes used of {@link #blob()}. */
    public int blobLength() {
        return blobLength;
    }

    /** Forgets everything but how far the numbers have come. */
    public void clear() {
        count = 0;
        blobLength = 0;
    }
}

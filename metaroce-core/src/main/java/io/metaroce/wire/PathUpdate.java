package io.metaroce.wire;

import java.nio.ByteBuffer;

/**
 * Tells the peer where paths are; advisory, nothing depends on it. The list has no count: it ends with the packet, and
 * so options stand before it.
 *
 * <pre>PATH_UPDATE ::= BaseHeader options entry^n trailer
 * entry       ::= pathId:8 epoch:8 state:8 plane:8</pre>
 */
public final class PathUpdate {
    /** Bit of {@link #state}: the path is on a borrowed route. */
    public static final int BORROWED = 0x80;
    /** Bytes of an entry. */
    public static final int ENTRY_LENGTH = 4;

    /** Bytes from the start of the packet to its options or first entry. */
    public static final int LENGTH = BaseHeader.LENGTH;

    static final int PATH_ID = 0;
    static final int EPOCH = PATH_ID + 1;
    static final int STATE = EPOCH + 1;
    static final int PLANE = STATE + 1;

    private ByteBuffer buffer = Empty.BUFFER;
    private int list;
    private int count;

    /**
     * Lays this view over {@code buffer}, {@code offset} being the start of a packet without options; no entries yet.
     */
    public PathUpdate wrap(ByteBuffer buffer, int offset) {
        return wrapList(buffer, offset + LENGTH, 0);
    }

    /** Lays this view over {@code count} entries that start at {@code at}. */
    PathUpdate wrapList(ByteBuffer buffer, int at, int count) {
        this.buffer = buffer;
        this.list = at;
        this.count = count;
        return this;
    }

    /** Number of entries; not a field of the packet, which ends after the last. */
    public int count() {
        return count;
    }

    /** Sets {@link #count()} of this view. */
    public PathUpdate count(int value) {
        count = value;
        return this;
    }

    /** Path of entry {@code index}. */
    public int pathId(int index) {
        return buffer.get(entry(index) + PATH_ID) & 0xFF;
    }

    /** Sets {@link #pathId(int)}. */
    public PathUpdate pathId(int index, int value) {
        buffer.put(entry(index) + PATH_ID, (byte) value);
        return this;
    }

    /** Present epoch of the path. */
    public int epoch(int index) {
        return buffer.get(entry(index) + EPOCH) & 0xFF;
    }

    /** Sets {@link #epoch(int)}. */
    public PathUpdate epoch(int index, int value) {
        buffer.put(entry(index) + EPOCH, (byte) value);
        return this;
    }

    /** State of the path: VALIDATING, ACTIVE, SUSPECT, DRAINING, FAILED, ADMIN_DOWN from 0, with {@link #BORROWED}. */
    public int state(int index) {
        return buffer.get(entry(index) + STATE) & 0xFF;
    }

    /** Sets {@link #state(int)}. */
    public PathUpdate state(int index, int value) {
        buffer.put(entry(index) + STATE, (byte) value);
        return this;
    }

    /** Plane of its route. */
    public int plane(int index) {
        return buffer.get(entry(index) + PLANE) & 0xFF;
    }

    /** Sets {@link #plane(int)}. */
    public PathUpdate plane(int index, int value) {
        buffer.put(entry(index) + PLANE, (byte) value);
        return this;
    }

    private int entry(int index) {
        return list + index * ENTRY_LENGTH;
    }
}

package io.metaroce.queue;

/** One receive work request on its way. Same thread rule as {@link SendCell}. */
public final class ReceiveCell extends WorkCell implements SgeList {
    private final int[] lkeys;
    private final long[] offsets;
    private final int[] lengths;
    private int sgeCount;
    private long lengthBytes;
    private long wrId;

    ReceiveCell(Object home, int sgeMax) {
        super(home);
        lkeys = new int[sgeMax];
        offsets = new long[sgeMax];
        lengths = new int[sgeMax];
    }

    /** Makes it a receive without room; done when it is acquired. */
    @Override
    void clear() {
        sgeCount = 0;
        lengthBytes = 0;
        wrId = 0;
    }

    /** The application's own number for the request. */
    public long wrId() {
        return wrId;
    }

    /** Sets {@link #wrId()}. */
    public ReceiveCell wrId(long v) {
        wrId = v;
        return this;
    }

    /**
     * Adds a scatter-gather entry.
     *
     * @param lkey key of the local region
     * @param offset first byte, counted from the start of the region
     * @param length bytes, 0..2^31-1
     * @throws IllegalArgumentException when the cell is full or the length is negative; the message names the limit
     */
    public ReceiveCell addSge(int lkey, long offset, int length) {
        checkSge(sgeCount, lkeys.length, length);
        lkeys[sgeCount] = lkey;
        offsets[sgeCount] = offset;
        lengths[sgeCount] = length;
        sgeCount++;
        lengthBytes += length;
        return this;
    }

    /** Scatter-gather entries. */
    public int sgeCount() {
        return sgeCount;
    }

    /** Scatter-gather entries it can hold. */
    public int sgeMax() {
        return lkeys.length;
    }

    @Override
    public int lkey(int i) {
        return lkeys[i];
    }

    @Override
    public long offset(int i) {
        return offsets[i];
    }

    @Override
    public int length(int i) {
        return lengths[i];
    }

    /** Room for a message, in bytes. */
    public long lengthBytes() {
        return lengthBytes;
    }

    static void checkSge(int count, int max, int length) {
        if (count >= max) {
            throw new IllegalArgumentException(
                    "scatter-gather entry " + (count + 1) + ", but the queue takes " + max + "; raise sgeMax");
        }
        if (length < 0) {
            throw new IllegalArgumentException(
                    "scatter-gather entry of " + length + " bytes, allowed are 0..2147483647; use several entries");
        }
    }
}

package io.metaroce.sim;

/** Bytes that the ports of one switch share; who may hold how many of them depends on how many are free. */
final class SharedBuffer {
    private final long bytes;
    private final int alphaQ8;
    private long used;

    SharedBuffer(long bytes, int alphaQ8) {
        this.bytes = bytes;
        this.alphaQ8 = alphaQ8;
    }

    /** What one of those who share may hold now. */
    long threshold() {
        return ((bytes - used) * alphaQ8) >> 8;
    }

    /** Whether somebody who holds so many bytes may take so many more. */
    boolean takes(long held, int more) {
        return used + more <= bytes && held + more <= threshold();
    }

    void take(long count) {
        used += count;
    }

    void give(long count) {
        used -= count;
    }

    long used() {
        return used;
    }
}

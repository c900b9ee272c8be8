package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/** The first window of a connection that knows nothing, or nothing any more. */
final class ColdStart {
    private static final long PER_PLANE_BYTES_MAX = 64 * 1024;

    private final int expectedFanIn; // 0: unknown
    private long budgetBytes = Long.MAX_VALUE; // INIT_BUDGET of the peer
    private int planes = 1;
    private boolean cold = true; // no signal has come since the start
    private boolean marked; // since the start
    private boolean hinted; // since the start

    ColdStart(int expectedFanIn) {
        this.expectedFanIn = expectedFanIn;
    }

    void budgetBytes(long bytes) {
        budgetBytes = bytes;
    }

    void planes(int count) {
        planes = count;
    }

    /** Whether there is more than one plane. */
    boolean hasPlanes() {
        return planes > 1;
    }

    void begin() {
        cold = true;
        marked = false;
        hinted = false;
    }

    /** Whether no signal has come since the start. */
    boolean isCold() {
        return cold;
    }

    void onSignal() {
        cold = false;
    }

    void onMark() {
        marked = true;
    }

    /** Whether this hint is the first since the start and nothing spoke against trusting it. */
    boolean takeFirstHint() {
        boolean first = !hinted;
        hinted = true;
        return first && !marked;
    }

    /** IW: the window to start with. */
    long windowBytes(LineModel line) {
        // R-CC-012: never above the first window nor above what the peer allows before its first hint.
        return Math.min(budgetBytes, unlimitedBytes(line));
    }

    /** The window to start with when the peer has said its share before the first packet. */
    long windowBytes(LineModel line, long hintBytesPerSecond) {
        return Math.min(budgetBytes, line.onEmptyLineBytes(hintBytesPerSecond) + line.packetBytes());
    }

    private long unlimitedBytes(LineModel line) {
        long product = line.onEmptyLineBytes(line.lineBytesPerSecond());
        if (expectedFanIn > 0) {
            return product / expectedFanIn;
        }
        long low = 4L * line.packetBytes();
        return FixedPoint.clamp(product / 8, low, Math.max(low, PER_PLANE_BYTES_MAX * planes));
    }
}

package io.metaroce.rate;

/**
 * Bytes in flight, and how full the window was before the signals of this instant were applied.
 *
 * <p>All acknowledgements of one receive pass carry the same instant, and one acknowledgement carries blocks of several
 * paths. Whether a window was used is a question about the moment before the first of them.
 */
final class Flight {
    private long bytes;
    private long settledBytes; // after the last send or signal
    private long levelBytes; // before the first signal of the instant levelNs
    private long levelNs = -1;

    void onSent(int costBytes) {
        bytes += costBytes;
        settledBytes = bytes;
    }

    void onLeft(long costBytes) {
        bytes -= costBytes;
    }

    void onSignal(long nowNs) {
        levelBytes = nowNs == levelNs ? Math.max(levelBytes, settledBytes) : settledBytes;
        levelNs = nowNs;
        settledBytes = bytes;
    }

    /** What was in flight before the signals of the last instant. */
    long levelBytes() {
        return levelBytes;
    }

    long bytes() {
        return bytes;
    }
}

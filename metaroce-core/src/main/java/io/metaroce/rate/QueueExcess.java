package io.metaroce.rate;

/**
 * How much longer than its shortest one the round trip of a path is, at best: the least excess of a round. What stands
 * above the least cannot be avoided by any packet, so it is a queue.
 */
final class QueueExcess {
    static final long NONE = Long.MAX_VALUE;

    private long runningNs = NONE;
    private long finishedNs = NONE;
    private long finishedAtNs;

    void onSample(long excessNs) {
        runningNs = Math.min(runningNs, excessNs);
    }

    /** The round is over. */
    void turn(long nowNs) {
        finishedAtNs = nowNs;
        finishedNs = runningNs;
        runningNs = NONE;
    }

    void forget() {
        runningNs = NONE;
        finishedNs = NONE;
    }

    /** Least excess of the round that ended last; {@link #NONE} when it had no sample. */
    long finishedNs() {
        return finishedNs;
    }

    /** The same, if that round ended no earlier than {@code sinceNs}: what a path says that is not used is old. */
    long finishedNs(long sinceNs) {
        return finishedAtNs >= sinceNs ? finishedNs : NONE;
    }
}

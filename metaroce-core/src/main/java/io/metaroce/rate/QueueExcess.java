package io.metaroce.rate;

import java.util.Arrays;

/**
 * How much longer than its shortest one the round trip of each path is, at best: the least excess of a round. What
 * stands above the least cannot be avoided by any packet, so it is a queue. Two seconds of it are as bad as more.
 */
final class QueueExcess {
    static final int NONE = Integer.MAX_VALUE;

    private final int[] runningNs;
    private final int[] finishedNs;

    QueueExcess(int count) {
        runningNs = new int[count];
        finishedNs = new int[count];
        Arrays.fill(runningNs, NONE);
        Arrays.fill(finishedNs, NONE);
    }

    void onSample(int path, long excessNs) {
        runningNs[path] = (int) Math.min(runningNs[path], Math.min(excessNs, NONE - 1));
    }

    /** The round of the path is over. */
    void turn(int path) {
        finishedNs[path] = runningNs[path];
        runningNs[path] = NONE;
    }

    void forget(int path) {
        runningNs[path] = NONE;
        finishedNs[path] = NONE;
    }

    /** Least excess of the path's round that ended last, in ns; {@link #NONE} when it had no sample. */
    int finishedNs(int path) {
        return finishedNs[path];
    }

    /**
     * The least over the active paths, in rounds that ended at {@code sinceNs} or later, since what a path says that is
     * not used is old; {@link #NONE} when unknown.
     */
    int leastNs(PathWindows windows, PathRounds rounds, long sinceNs) {
        int least = NONE;
        for (int path = 0; path < finishedNs.length; path++) {
            if (finishedNs[path] < least && windows.isActive(path) && rounds.beganSince(path, sinceNs)) {
                least = finishedNs[path];
            }
        }
        return least;
    }
}

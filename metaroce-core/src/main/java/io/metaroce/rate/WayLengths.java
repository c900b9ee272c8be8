package io.metaroce.rate;

import java.util.Arrays;

/**
 * How much longer the way of each path is than the shortest one of the connection: a row for each path.
 *
 * <p>The difference of base round trips says that only if both were ever measured without a queue. A queue that all
 * paths share shows in all of them, so round trips of the same time are compared as well, and the least difference of
 * some dozen rounds counts: what is only sometimes longer is a queue.
 */
final class WayLengths {
    private static final int ROUNDS = 32; // of which the least counts, with that of as many before
    private static final int ROUNDS_MIN = 4; // before anything is believed
    private static final int SAME_TIME_ROUNDS = 8; // by then a short way there has met a short way back
    private static final int COUNTED_PART = 8; // of the shortest round trip
    private static final int NONE = Integer.MAX_VALUE;
    private static final int UNKNOWN = -1;

    private final PathWindows windows;
    private final int[] runningNs;
    private final int[] finishedNs;
    private final int[] extraNs; // UNKNOWN, or the least of both
    private final byte[] rounds; // in running
    private final Round sameTime = new Round();
    private long runningMinNs = Long.MAX_VALUE; // least round trip of any path
    private long finishedMinNs = Long.MAX_VALUE;
    private long sumNs; // over active paths that are known
    private int known;

    WayLengths(PathWindows windows) {
        this.windows = windows;
        int count = windows.count();
        runningNs = new int[count];
        finishedNs = new int[count];
        extraNs = new int[count];
        rounds = new byte[count];
        for (int path = 0; path < count; path++) {
            restart(path);
        }
        Arrays.fill(extraNs, UNKNOWN);
    }

    /** A round trip of any path was measured. */
    void onSample(long nowNs, long rttNs, long srttNs) {
        if (sameTime.turns(nowNs, SAME_TIME_ROUNDS * srttNs)) {
            finishedMinNs = runningMinNs;
            runningMinNs = Long.MAX_VALUE;
        }
        runningMinNs = Math.min(runningMinNs, rttNs);
    }

    /** A round of the path is over, with at least one sample; this was its least excess above the base of the path. */
    void onRound(int path, int excessNs) {
        long base = windows.baseRttNs(path);
        long now = base + excessNs - Math.min(runningMinNs, finishedMinNs);
        long extra = Math.min(now, base - windows.baseRttNs());
        // So little does not matter, and a full queue that few packets meet looks like it.
        long counted = extra < windows.baseRttNs() / COUNTED_PART ? 0 : extra;
        runningNs[path] = (int) Math.min(runningNs[path], counted);
        rounds[path]++;
        if (extraNs[path] != UNKNOWN || rounds[path] >= ROUNDS_MIN) {
            know(path, Math.min(runningNs[path], finishedNs[path]));
        }
        if (rounds[path] >= ROUNDS) {
            finishedNs[path] = runningNs[path];
            runningNs[path] = NONE;
            rounds[path] = 0;
        }
    }

    /** The path has taken another route. */
    void forget(int path) {
        restart(path);
        know(path, UNKNOWN);
    }

    /** The path has become active. */
    void onActivated(int path) {
        count(extraNs[path], 1);
    }

    /** The path is active no more. */
    void onDeactivated(int path) {
        count(extraNs[path], -1);
    }

    /** The mean over those active paths of which it is known, in ns; 0 when there is none. */
    long meanNs() {
        return known == 0 ? 0 : sumNs / known;
    }

    private void restart(int path) {
        runningNs[path] = NONE;
        finishedNs[path] = NONE;
        rounds[path] = 0;
    }

    private void know(int path, int ns) {
        if (windows.isActive(path)) {
            count(extraNs[path], -1);
            count(ns, 1);
        }
        extraNs[path] = ns;
    }

    private void count(int ns, int sign) {
        if (ns != UNKNOWN) {
            sumNs += (long) sign * ns;
            known += sign;
        }
    }
}

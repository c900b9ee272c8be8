package io.metaroce.rate;

import io.metaroce.num.Bits;
import org.jspecify.annotations.Nullable;

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

    private final PathWindows windows;
    private final @Bits(7) byte[] rounds; // heard of: the first ROUNDS, then ROUNDS more again and again
    private int @Nullable [] leastNs; // of each path's running rounds, then of those before; 0 until a way is longer
    private final Round sameTime = new Round();
    private long runningMinNs = Long.MAX_VALUE; // least round trip of any path
    private long finishedMinNs = Long.MAX_VALUE;
    private long sumNs; // over active paths that are known
    private int known;

    WayLengths(PathWindows windows) {
        this.windows = windows;
        rounds = new byte[windows.count()];
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
        int sign = windows.isActive(path) ? 1 : 0;
        count(path, -sign);
        note(path, (int) Math.min(counted, Integer.MAX_VALUE));
        count(path, sign);
    }

    /** The path has taken another route. */
    void forget(int path) {
        if (windows.isActive(path)) {
            count(path, -1);
        }
        rounds[path] = 0;
    }

    /** The path has become active. */
    void onActivated(int path) {
        count(path, 1);
    }

    /** The path is active no more. */
    void onDeactivated(int path) {
        count(path, -1);
    }

    /** The mean over those active paths of which it is known, in ns; 0 when there is none. */
    long meanNs() {
        return known == 0 ? 0 : sumNs / known;
    }

    private void note(int path, int ns) {
        int heard = rounds[path];
        if (leastNs == null && ns > 0) {
            leastNs = new int[2 * rounds.length];
        }
        if (leastNs != null) {
            if (heard % ROUNDS == 0) {
                leastNs[rounds.length + path] = leastNs[path];
                leastNs[path] = ns;
            } else {
                leastNs[path] = Math.min(leastNs[path], ns);
            }
        }
        rounds[path] = (byte) (1 + (heard == 2 * ROUNDS ? ROUNDS : heard));
    }

    private int extraNs(int path) {
        if (leastNs == null) {
            return 0;
        }
        int running = leastNs[path];
        return rounds[path] > ROUNDS ? Math.min(running, leastNs[rounds.length + path]) : running;
    }

    private void count(int path, int sign) {
        if (rounds[path] >= ROUNDS_MIN) {
            sumNs += (long) sign * extraNs(path);
            known += sign;
        }
    }
}

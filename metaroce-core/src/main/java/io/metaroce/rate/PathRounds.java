package io.metaroce.rate;

import io.metaroce.num.Bits;
import java.util.Arrays;

/** The running round of each path: about one smoothed round-trip time, ended by the first signal after it. */
final class PathRounds {
    private static final long NEVER_STARTED = Long.MIN_VALUE;

    private final long[] startNs;
    private final @Bits(31) int[] srttNs; // 0 when unknown

    PathRounds(int count) {
        startNs = new long[count];
        Arrays.fill(startNs, NEVER_STARTED);
        srttNs = new int[count];
    }

    /** Whether a new round of the path begins with this signal. The very first signal begins one. */
    boolean turns(long nowNs, int path) {
        if (startNs[path] != NEVER_STARTED && nowNs - startNs[path] < srttNs[path]) {
            return false;
        }
        startNs[path] = nowNs;
        return true;
    }

    /** Whether the running round began at {@code ns} or later. */
    boolean beganSince(int path, long ns) {
        return startNs[path] >= ns;
    }

    /** Smoothed round-trip time of the path, in ns; 0 when unknown. */
    long srttNs(int path) {
        return srttNs[path];
    }

    void srttNs(int path, long ns) {
        srttNs[path] = (int) Math.min(ns, Integer.MAX_VALUE);
    }
}

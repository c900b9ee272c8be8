package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.FixedPoint;

/**
 * Round-trip times of the paths, in nanoseconds: smoothed, variation, minimum over 10 s, minimum of the running round.
 *
 * <p>A time is 31 bits wide. What takes longer than that, 2.1 s, is no time on a way: it counts as that much.
 */
final class RttEstimator {
    /** The longest time that can be told from a longer one. */
    static final int LONGEST_NS = Integer.MAX_VALUE - 1;

    private static final long BUCKET_NS = 5_000_000_000L;
    private static final int NONE = Integer.MAX_VALUE;

    private final @Bits(31) int[] smoothedNs;
    private final @Bits(31) int[] variationNs;
    private final @Bits(31) int[] olderMinNs;
    private final @Bits(31) int[] newerMinNs; // NONE until there is a sample
    private final @Bits(31) int[] roundMinNs;
    private final long[] bucketEndNs;
    private final long[] roundEndNs;

    /** Of {@code paths} paths that have the round-trip time of the handshake. */
    RttEstimator(int paths, long firstNs) {
        smoothedNs = new int[paths];
        variationNs = new int[paths];
        olderMinNs = new int[paths];
        newerMinNs = new int[paths];
        roundMinNs = new int[paths];
        bucketEndNs = new long[paths];
        roundEndNs = new long[paths];
        for (int path = 0; path < paths; path++) {
            restart(path, firstNs);
        }
    }

    /** Starts anew from a first value whose variation is half of it; there is no minimum yet. */
    void restart(int path, long firstNs) {
        int first = narrow(firstNs);
        smoothedNs[path] = first;
        variationNs[path] = first / 2;
        olderMinNs[path] = NONE;
        newerMinNs[path] = NONE;
        roundMinNs[path] = NONE;
        bucketEndNs[path] = 0;
        roundEndNs[path] = 0;
    }

    /** Takes over what another path has learnt. */
    void copy(int path, int other) {
        smoothedNs[path] = smoothedNs[other];
        variationNs[path] = variationNs[other];
        olderMinNs[path] = olderMinNs[other];
        newerMinNs[path] = newerMinNs[other];
        roundMinNs[path] = roundMinNs[other];
        bucketEndNs[path] = bucketEndNs[other];
        roundEndNs[path] = roundEndNs[other];
    }

    void onSample(long nowNs, int path, long sampleNs) {
        int rttNs = narrow(sampleNs);
        if (newerMinNs[path] == NONE) {
            // R-ACK-014: the first sample takes the place of what the handshake let suppose.
            smoothedNs[path] = rttNs;
            variationNs[path] = rttNs / 2;
        } else {
            int farNs = Math.abs(rttNs - smoothedNs[path]);
            variationNs[path] = (int) FixedPoint.ewma(variationNs[path], farNs, 2);
            smoothedNs[path] = (int) FixedPoint.ewma(smoothedNs[path], rttNs, 3);
        }
        if (nowNs >= bucketEndNs[path]) {
            // A bucket that follows its predecessor ends on time, or a minimum would outlive ten seconds.
            boolean follows = nowNs < bucketEndNs[path] + BUCKET_NS;
            olderMinNs[path] = follows ? newerMinNs[path] : NONE;
            newerMinNs[path] = NONE;
            bucketEndNs[path] = (follows ? bucketEndNs[path] : nowNs) + BUCKET_NS;
        }
        newerMinNs[path] = Math.min(newerMinNs[path], rttNs);
        if (nowNs >= roundEndNs[path]) {
            roundMinNs[path] = NONE;
            roundEndNs[path] = nowNs + smoothedNs[path];
        }
        roundMinNs[path] = Math.min(roundMinNs[path], rttNs);
    }

    /** Smoothed round-trip time. */
    long smoothedNs(int path) {
        return smoothedNs[path];
    }

    /** Mean deviation from the smoothed round-trip time. */
    long variationNs(int path) {
        return variationNs[path];
    }

    /** Least round-trip time of the last 5 to 10 seconds; the smoothed one while there is no sample. */
    long baseNs(int path) {
        int min = Math.min(olderMinNs[path], newerMinNs[path]);
        return min == NONE ? smoothedNs[path] : min;
    }

    /** Least round-trip time of the running round; the smoothed one while there is no sample. */
    long roundMinNs(int path) {
        return roundMinNs[path] == NONE ? smoothedNs[path] : roundMinNs[path];
    }

    private static int narrow(long ns) {
        return (int) Math.min(ns, LONGEST_NS);
    }
}

package io.metaroce.path;

import io.metaroce.num.FixedPoint;

/**
 * Round-trip times of a path, in nanoseconds: smoothed, variation, minimum over 10 s, minimum of the running round.
 *
 * <p>A time is 31 bits wide. What takes longer than that, 2.1 s, is no time on a way: it counts as that much.
 */
final class RttEstimator {
    /** The longest time that can be told from a longer one. */
    static final int LONGEST_NS = Integer.MAX_VALUE - 1;

    private static final long BUCKET_NS = 5_000_000_000L;
    private static final int NONE = Integer.MAX_VALUE;

    private RttEstimator() {}

    /** Starts anew from a first value whose variation is half of it; there is no minimum yet. */
    static void restart(PathRow row, long firstNs) {
        int first = narrow(firstNs);
        row.smoothedNs = first;
        row.variationNs = first / 2;
        row.olderMinNs = NONE;
        row.newerMinNs = NONE;
        row.roundMinNs = NONE;
        row.bucketEndNs = 0;
        row.roundEndNs = 0;
    }

    /** Takes over what another path has learnt. */
    static void copy(PathRow row, PathRow other) {
        row.smoothedNs = other.smoothedNs;
        row.variationNs = other.variationNs;
        row.olderMinNs = other.olderMinNs;
        row.newerMinNs = other.newerMinNs;
        row.roundMinNs = other.roundMinNs;
        row.bucketEndNs = other.bucketEndNs;
        row.roundEndNs = other.roundEndNs;
    }

    static void onSample(long nowNs, PathRow row, long sampleNs) {
        int rttNs = narrow(sampleNs);
        if (row.newerMinNs == NONE) {
            // R-ACK-014: the first sample takes the place of what the handshake let suppose.
            row.smoothedNs = rttNs;
            row.variationNs = rttNs / 2;
        } else {
            int farNs = Math.abs(rttNs - row.smoothedNs);
            row.variationNs = (int) FixedPoint.ewma(row.variationNs, farNs, 2);
            row.smoothedNs = (int) FixedPoint.ewma(row.smoothedNs, rttNs, 3);
        }
        if (nowNs >= row.bucketEndNs) {
            // A bucket that follows its predecessor ends on time, or a minimum would outlive ten seconds.
            boolean follows = nowNs < row.bucketEndNs + BUCKET_NS;
            row.olderMinNs = follows ? row.newerMinNs : NONE;
            row.newerMinNs = NONE;
            row.bucketEndNs = (follows ? row.bucketEndNs : nowNs) + BUCKET_NS;
        }
        row.newerMinNs = Math.min(row.newerMinNs, rttNs);
        if (nowNs >= row.roundEndNs) {
            row.roundMinNs = NONE;
            row.roundEndNs = nowNs + row.smoothedNs;
        }
        row.roundMinNs = Math.min(row.roundMinNs, rttNs);
    }

    /** Smoothed round-trip time. */
    static long smoothedNs(PathRow row) {
        return row.smoothedNs;
    }

    /** Mean deviation from the smoothed round-trip time. */
    static long variationNs(PathRow row) {
        return row.variationNs;
    }

    /** Least round-trip time of the last 5 to 10 seconds; the smoothed one while there is no sample. */
    static long baseNs(PathRow row) {
        int min = Math.min(row.olderMinNs, row.newerMinNs);
        return min == NONE ? row.smoothedNs : min;
    }

    /** Least round-trip time of the running round; the smoothed one while there is no sample. */
    static long roundMinNs(PathRow row) {
        return row.roundMinNs == NONE ? row.smoothedNs : row.roundMinNs;
    }

    private static int narrow(long ns) {
        return (int) Math.min(ns, LONGEST_NS);
    }
}

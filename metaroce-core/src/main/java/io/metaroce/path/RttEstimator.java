package io.metaroce.path;

import io.metaroce.num.FixedPoint;

/**
 * Round-trip times of one path, in nanoseconds: smoothed, variation, minimum over 10 s, minimum of the running round.
 */
public final class RttEstimator {
    private static final long BUCKET_NS = 5_000_000_000L;
    private static final long NONE = Long.MAX_VALUE;

    private long smoothedNs;
    private long variationNs;
    private long olderMinNs = NONE;
    private long newerMinNs = NONE;
    private long bucketEndNs;
    private long roundMinNs = NONE;
    private long roundEndNs;
    private boolean sampled;

    RttEstimator(long firstNs) {
        restart(firstNs);
    }

    /** Starts anew from a first value whose variation is half of it; there is no minimum yet. */
    void restart(long firstNs) {
        smoothedNs = firstNs;
        variationNs = firstNs / 2;
        olderMinNs = NONE;
        newerMinNs = NONE;
        roundMinNs = NONE;
        bucketEndNs = 0;
        roundEndNs = 0;
        sampled = false;
    }

    /** Takes over what another path of the same connection has learnt. */
    void copy(RttEstimator other) {
        smoothedNs = other.smoothedNs;
        variationNs = other.variationNs;
        olderMinNs = other.olderMinNs;
        newerMinNs = other.newerMinNs;
        bucketEndNs = other.bucketEndNs;
        roundMinNs = other.roundMinNs;
        roundEndNs = other.roundEndNs;
        sampled = other.sampled;
    }

    void onSample(long nowNs, long rttNs) {
        if (sampled) {
            variationNs = FixedPoint.ewma(variationNs, Math.abs(rttNs - smoothedNs), 2);
            smoothedNs = FixedPoint.ewma(smoothedNs, rttNs, 3);
        } else {
            // R-ACK-014: the first sample takes the place of what the handshake let suppose.
            sampled = true;
            smoothedNs = rttNs;
            variationNs = rttNs / 2;
        }
        if (nowNs >= bucketEndNs) {
            // A bucket that follows its predecessor ends on time, or a minimum would outlive ten seconds.
            boolean follows = nowNs < bucketEndNs + BUCKET_NS;
            olderMinNs = follows ? newerMinNs : NONE;
            newerMinNs = NONE;
            bucketEndNs = (follows ? bucketEndNs : nowNs) + BUCKET_NS;
        }
        newerMinNs = Math.min(newerMinNs, rttNs);
        if (nowNs >= roundEndNs) {
            roundMinNs = NONE;
            roundEndNs = nowNs + smoothedNs;
        }
        roundMinNs = Math.min(roundMinNs, rttNs);
    }

    /** Smoothed round-trip time. */
    public long smoothedNs() {
        return smoothedNs;
    }

    /** Mean deviation from the smoothed round-trip time. */
    public long variationNs() {
        return variationNs;
    }

    /** Least round-trip time of the last 5 to 10 seconds; the smoothed one while there is no sample. */
    public long baseNs() {
        long min = Math.min(olderMinNs, newerMinNs);
        return min == NONE ? smoothedNs : min;
    }

    /** Least round-trip time of the running round; the smoothed one while there is no sample. */
    public long roundMinNs() {
        return roundMinNs == NONE ? smoothedNs : roundMinNs;
    }
}

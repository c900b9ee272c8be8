package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * What there is to share out: the inbound capacity, lowered while a queue stands at the last hop, raised while capacity
 * lies idle. Without one-way delays (nobody calls {@link #onQueue}) it is the plain capacity.
 */
final class CapacityEstimate {
    static final int ONE_Q8 = 256;
    private static final int OVERBOOKED_Q8_MAX = 384;
    private static final int OVERBOOKED_STEP_Q8 = 16;
    private static final int DRAIN_Q8_MAX = 192;

    private long inboundBytesPerSecond; // C_in
    private int drainQ8; // u
    private int overbookedQ8 = ONE_Q8; // kappa

    CapacityEstimate(long inboundBytesPerSecond) {
        this.inboundBytesPerSecond = inboundBytesPerSecond;
    }

    /** What all planes that are up can take in; lower under pressure of memory or processor. */
    void inboundBytesPerSecond(long value) {
        inboundBytesPerSecond = value;
    }

    long inboundBytesPerSecond() {
        return inboundBytesPerSecond;
    }

    /** C: what is shared out. */
    long bytesPerSecond() {
        long drained = FixedPoint.mulDiv(inboundBytesPerSecond, ONE_Q8 - drainQ8, ONE_Q8);
        return FixedPoint.mulDiv(drained, overbookedQ8, ONE_Q8);
    }

    /**
     * Adapts to the standing queue, once per round trip.
     *
     * @param queueNs queueing delay at the last hop
     * @param targetNs queueing delay that is wanted there
     * @param arrivedBytesPerSecond what arrives from everybody
     * @param unsatisfied weights of the senders that want more
     */
    void onQueue(long queueNs, long targetNs, long rttNs, long arrivedBytesPerSecond, long unsatisfied) {
        drainQ8 = (int) FixedPoint.clamp(ONE_Q8 * (queueNs - targetNs) / (4 * rttNs), 0, DRAIN_Q8_MAX);
        boolean idle = arrivedBytesPerSecond < inboundBytesPerSecond / 100 * 95;
        if (queueNs > targetNs) {
            overbookedQ8 -= (overbookedQ8 - ONE_Q8) / 2;
        } else if (queueNs == 0 && idle && unsatisfied > 0) {
            overbookedQ8 = Math.min(overbookedQ8 + OVERBOOKED_STEP_Q8, OVERBOOKED_Q8_MAX);
        }
    }
}

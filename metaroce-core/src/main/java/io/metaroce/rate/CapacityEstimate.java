package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * What there is to share out: the inbound capacity, lowered while a queue stands at the last hop, raised while capacity
 * lies idle. Where nobody measures queues it is the plain capacity.
 *
 * <p>What arrives while a queue stands is all that the last hop can deliver, whatever was configured; that is
 * remembered for some round trips, longer if many are sending. A queue once begun is drained to the ground, for only
 * then is the least delay seen again.
 */
final class CapacityEstimate {
    static final int ONE_Q8 = 256;
    private static final int OVERBOOKED_Q8_MAX = 384;
    private static final int OVERBOOKED_STEP_Q8 = 4;
    private static final int DRAIN_Q8_MAX = 32;
    private static final int FORGET_SHIFT_MAX = 8;
    private static final int FORGET_SHIFT_MIN = 3;
    private static final int FORGET_ROUNDS = 2; // and one more for so many senders:
    private static final int FORGET_SENDERS = 8;
    private static final int QUIET_ROUNDS_MAX = 1 << 16;
    private static final int LEARN_SHIFT = 2;
    private static final int DELIVERED_PART_MIN = 16;

    private long inboundBytesPerSecond; // C_in
    private long deliveredBytesPerSecond; // s: what the last hop was seen to deliver, at most C_in
    private int quietRounds; // in a row without a standing queue
    private int drainQ8; // u
    private int overbookedQ8 = ONE_Q8; // kappa

    CapacityEstimate(long inboundBytesPerSecond) {
        inboundBytesPerSecond(inboundBytesPerSecond);
    }

    /** What all planes that are up can take in; lower under pressure of memory or processor. */
    void inboundBytesPerSecond(long value) {
        inboundBytesPerSecond = value;
        deliveredBytesPerSecond = value;
        drainQ8 = 0;
        overbookedQ8 = ONE_Q8; // whatever lay idle belonged to what was before
    }

    /** What was learned does not count any more. */
    void forget() {
        inboundBytesPerSecond(inboundBytesPerSecond);
    }

    long inboundBytesPerSecond() {
        return inboundBytesPerSecond;
    }

    /** s: what the last hop was seen to deliver, at most what is taken in. */
    long deliveredBytesPerSecond() {
        return deliveredBytesPerSecond;
    }

    /** C: what is shared out. */
    long bytesPerSecond() {
        return Math.max(FixedPoint.mulDiv(drained(), overbookedQ8, ONE_Q8), 1);
    }

    /** What is shared out to those who would come too late for what lies idle now. */
    long steadyBytesPerSecond() {
        return Math.max(drained(), 1);
    }

    private long drained() {
        return FixedPoint.mulDiv(deliveredBytesPerSecond, ONE_Q8 - drainQ8, ONE_Q8);
    }

    /**
     * Adapts to the standing queue, once per round trip.
     *
     * @param queueNs queueing delay at the last hop
     * @param targetNs queueing delay that is wanted there
     * @param arrivedBytesPerSecond what arrives from everybody
     * @param senders how many are active
     * @param unsatisfied weights of the senders that want more
     */
    void onQueue(long queueNs, long targetNs, long rttNs, long arrivedBytesPerSecond, int senders, long unsatisfied) {
        boolean stands = queueNs > targetNs;
        boolean empty = queueNs <= targetNs / 4;
        if (stands) {
            // R-HINT-011: what arrives while a queue stands is all that can be shared out.
            long least = inboundBytesPerSecond / DELIVERED_PART_MIN;
            long seen = FixedPoint.clamp(arrivedBytesPerSecond, least, inboundBytesPerSecond);
            deliveredBytesPerSecond = FixedPoint.ewma(deliveredBytesPerSecond, seen, LEARN_SHIFT);
            quietRounds = 0;
        } else {
            // The queue of a few senders may have stood anywhere, that of many only before this receiver.
            int doubled = quietRounds / (FORGET_ROUNDS + senders / FORGET_SENDERS);
            int shift = Math.max(FORGET_SHIFT_MAX - doubled, FORGET_SHIFT_MIN);
            deliveredBytesPerSecond += (inboundBytesPerSecond - deliveredBytesPerSecond) >> shift;
            quietRounds = Math.min(quietRounds + 1, QUIET_ROUNDS_MAX);
        }
        if (stands || (drainQ8 > 0 && !empty)) {
            drainQ8 =
                    (int) FixedPoint.clamp(FixedPoint.mulDiv(ONE_Q8, queueNs, 4 * (rttNs + queueNs)), 1, DRAIN_Q8_MAX);
        } else {
            drainQ8 = 0;
        }
        boolean idle = arrivedBytesPerSecond < deliveredBytesPerSecond / 100 * 95;
        boolean limited = deliveredBytesPerSecond < inboundBytesPerSecond - inboundBytesPerSecond / 8;
        // R-HINT-012: overbooked only while the line is idle, no queue stands, and somebody wants more.
        if (empty && idle && unsatisfied > 0 && !limited) {
            overbookedQ8 = Math.min(overbookedQ8 + OVERBOOKED_STEP_Q8, OVERBOOKED_Q8_MAX);
        } else if (stands || !idle) {
            overbookedQ8 -= (overbookedQ8 - ONE_Q8) / 2;
        }
    }
}

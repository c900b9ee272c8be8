package io.metaroce.path;

import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;

/**
 * The two timers of a path that carries unacknowledged slots: the tail flush, which asks soon whether the tail arrived,
 * and the probe timeout, which asks again when nothing at all is heard.
 */
final class ProbeTimer {
    /** What is due. */
    enum Due {
        NOTHING,
        FLUSH,
        TIMEOUT
    }

    private static final int BACKOFF_MAX = 16;

    private final PathConfig config;
    private final Deadline flush = new Deadline();
    private final Deadline timeout = new Deadline();
    private int backoff;

    ProbeTimer(PathConfig config) {
        this.config = config;
    }

    void onSlotSent(long nowNs, RttEstimator rtt, long timeoutNs, Tail tail) {
        // R-LOSS-004: when nothing follows the youngest slot for this long, a probe does.
        flush.arm(nowNs + flushNs(rtt, tail));
        timeout.arm(nowNs + timeoutNs);
    }

    void onProbeSent() {
        flush.cancel();
    }

    /** Something sent in this epoch is known to have arrived. */
    void onEvidence(long nowNs, long timeoutNs) {
        // R-LOSS-008: delivery evidence takes the back-off away.
        backoff = 0;
        timeout.arm(nowNs + timeoutNs);
    }

    void onNothingInFlight() {
        flush.cancel();
        timeout.cancel();
    }

    /** Takes what is due, the timeout first. */
    Due take(long nowNs) {
        if (timeout.isDue(nowNs)) {
            return Due.TIMEOUT;
        }
        if (flush.isDue(nowNs)) {
            flush.cancel();
            return Due.FLUSH;
        }
        return Due.NOTHING;
    }

    /** The timeout has expired: the next one comes later. Returns how many have expired in a row, this one included. */
    int expired() {
        backoff = Math.min(backoff + 1, BACKOFF_MAX);
        timeout.cancel();
        return backoff;
    }

    /** How many have expired in a row. */
    int inARow() {
        return backoff;
    }

    void rearm(long nowNs, long timeoutNs) {
        timeout.arm(nowNs + timeoutNs);
    }

    void restart() {
        backoff = 0;
        onNothingInFlight();
    }

    /** The timeout with its back-off, in ns. */
    long timeoutNs(RttEstimator rtt, long peerAckDelayNs) {
        return Math.min(plainTimeoutNs(rtt, peerAckDelayNs) << backoff, config.timeoutMaxNs());
    }

    /** The timeout without back-off, in ns. */
    long plainTimeoutNs(RttEstimator rtt, long peerAckDelayNs) {
        long bySpread = rtt.smoothedNs() + Math.max(4 * rtt.variationNs(), 1_000) + peerAckDelayNs;
        long byMean = rtt.smoothedNs() * 3 / 2;
        return Math.min(Math.max(Math.max(bySpread, byMean), config.timeoutFloorNs()), config.timeoutMaxNs());
    }

    long deadlineNs() {
        return Math.min(flush.atNs(), timeout.atNs());
    }

    // R-LOSS-010: at most one flush per path and this interval, since each needs a slot sent after the last one.
    private long flushNs(RttEstimator rtt, Tail tail) {
        long patienceNs = tail == Tail.MORE_COMES ? rtt.smoothedNs() : rtt.smoothedNs() / 4;
        return Math.max(patienceNs, config.flushFloorNs());
    }
}

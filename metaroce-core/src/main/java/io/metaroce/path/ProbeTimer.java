package io.metaroce.path;

import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;
import java.util.Arrays;

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
    private final RttEstimator rtt;
    private final long[] flushAtNs;
    private final long[] timeoutAtNs;
    private final byte[] backoff;

    /** Of {@code paths} paths, none of which runs; their round-trip times are those of {@code rtt}. */
    ProbeTimer(int paths, PathConfig config, RttEstimator rtt) {
        this.config = config;
        this.rtt = rtt;
        flushAtNs = new long[paths];
        timeoutAtNs = new long[paths];
        backoff = new byte[paths];
        Arrays.fill(flushAtNs, Deadline.NEVER);
        Arrays.fill(timeoutAtNs, Deadline.NEVER);
    }

    void onSlotSent(long nowNs, int path, long peerAckDelayNs, Tail tail) {
        // R-LOSS-004: when nothing follows the youngest slot for this long, a probe does.
        flushAtNs[path] = nowNs + flushNs(path, tail);
        timeoutAtNs[path] = nowNs + timeoutNs(path, peerAckDelayNs);
    }

    void onProbeSent(int path) {
        flushAtNs[path] = Deadline.NEVER;
    }

    /** Something sent in this epoch is known to have arrived. */
    void onEvidence(long nowNs, int path, long peerAckDelayNs) {
        // R-LOSS-008: delivery evidence takes the back-off away.
        backoff[path] = 0;
        timeoutAtNs[path] = nowNs + plainTimeoutNs(path, peerAckDelayNs);
    }

    void onNothingInFlight(int path) {
        flushAtNs[path] = Deadline.NEVER;
        timeoutAtNs[path] = Deadline.NEVER;
    }

    /** Takes what is due, the timeout first; it stays due until {@link #expired}. */
    Due take(long nowNs, int path) {
        if (nowNs >= timeoutAtNs[path]) {
            return Due.TIMEOUT;
        }
        if (nowNs >= flushAtNs[path]) {
            flushAtNs[path] = Deadline.NEVER;
            return Due.FLUSH;
        }
        return Due.NOTHING;
    }

    /** The timeout has expired: the next one comes later. Returns how many have expired in a row, this one included. */
    int expired(long nowNs, int path, long peerAckDelayNs) {
        backoff[path] = (byte) Math.min(backoff[path] + 1, BACKOFF_MAX);
        timeoutAtNs[path] = nowNs + timeoutNs(path, peerAckDelayNs);
        return backoff[path];
    }

    /** How many have expired in a row. */
    int inARow(int path) {
        return backoff[path];
    }

    void restart(int path) {
        backoff[path] = 0;
        onNothingInFlight(path);
    }

    /** The timeout with its back-off, in ns. */
    long timeoutNs(int path, long peerAckDelayNs) {
        return Math.min(plainTimeoutNs(path, peerAckDelayNs) << backoff[path], config.timeoutMaxNs());
    }

    /** The timeout without back-off, in ns. */
    long plainTimeoutNs(int path, long peerAckDelayNs) {
        long smoothedNs = rtt.smoothedNs(path);
        long bySpread = smoothedNs + Math.max(4 * rtt.variationNs(path), 1_000) + peerAckDelayNs;
        long byMean = smoothedNs * 3 / 2;
        return Math.min(Math.max(Math.max(bySpread, byMean), config.timeoutFloorNs()), config.timeoutMaxNs());
    }

    long deadlineNs(int path) {
        return Math.min(flushAtNs[path], timeoutAtNs[path]);
    }

    // R-LOSS-010: at most one flush per path and this interval, since each needs a slot sent after the last one.
    private long flushNs(int path, Tail tail) {
        long smoothedNs = rtt.smoothedNs(path);
        long patienceNs = tail == Tail.MORE_COMES ? smoothedNs : smoothedNs / 4;
        return Math.max(patienceNs, config.flushFloorNs());
    }
}

package io.metaroce.path;

import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;

/**
 * The two timers of a path that carries unacknowledged slots: the tail flush, which asks whether the tail arrived, soon
 * where losses are to be expected, and the probe timeout, which asks again when nothing at all is heard. One for all
 * paths of a connection.
 */
final class ProbeTimer {
    /** What is due. */
    enum Due {
        NOTHING,
        FLUSH,
        TIMEOUT
    }

    private static final int BACKOFF_MAX = 16;

    private static final int WARY_SLOTS = 1024;

    private final PathConfig config;
    private int warySlots; // the next so many of all paths are flushed soon, since something was lost

    private boolean alwaysWary;

    ProbeTimer(PathConfig config) {
        this.config = config;
    }

    void onSlotSent(long nowNs, PathRow row, long peerAckDelayNs, Tail tail) {
        // R-LOSS-004: when nothing follows the youngest slot for this long, a probe does.
        row.flushAtNs = nowNs + flushNs(row, peerAckDelayNs, tail);
        warySlots = Math.max(warySlots - 1, 0);
        row.timeoutAtNs = nowNs + timeoutNs(row, peerAckDelayNs);
    }

    /** A slot of any path of the connection was found lost, or a path has fallen silent. */
    void onTrouble() {
        warySlots = WARY_SLOTS;
    }

    /** Tails are always flushed soon: with several planes the answers also tell which of them is dead. */
    void beAlwaysWary() {
        alwaysWary = true;
    }

    void onProbeSent(PathRow row) {
        row.flushAtNs = Deadline.NEVER;
    }

    /** Something sent in this epoch is known to have arrived. */
    void onEvidence(long nowNs, PathRow row, long peerAckDelayNs) {
        // R-LOSS-008: delivery evidence takes the back-off away.
        row.backoff = 0;
        row.timeoutAtNs = nowNs + plainTimeoutNs(row, peerAckDelayNs);
    }

    /**
     * This side was paused; returns whether somebody is to be asked: the first time at once, then when a timeout has
     * gone by.
     */
    boolean onPaused(long nowNs, PathRow row, long peerAckDelayNs) {
        if (row.timeoutAtNs == Deadline.NEVER) {
            return false;
        }
        boolean asks = row.backoff == 0 || nowNs >= row.timeoutAtNs;
        if (asks) {
            int unused = expired(nowNs, row, peerAckDelayNs);
        } else {
            row.timeoutAtNs = Math.max(row.timeoutAtNs, nowNs + plainTimeoutNs(row, peerAckDelayNs));
        }
        return asks;
    }

    void onNothingInFlight(PathRow row) {
        row.flushAtNs = Deadline.NEVER;
        row.timeoutAtNs = Deadline.NEVER;
    }

    /** Takes what is due, the timeout first; it stays due until {@link #expired}. */
    Due take(long nowNs, PathRow row) {
        if (nowNs >= row.timeoutAtNs) {
            return Due.TIMEOUT;
        }
        if (nowNs >= row.flushAtNs) {
            row.flushAtNs = Deadline.NEVER;
            return Due.FLUSH;
        }
        return Due.NOTHING;
    }

    /** The timeout has expired: the next one comes later. Returns how many have expired in a row, this one included. */
    int expired(long nowNs, PathRow row, long peerAckDelayNs) {
        row.backoff = (byte) Math.min(row.backoff + 1, BACKOFF_MAX);
        row.timeoutAtNs = nowNs + timeoutNs(row, peerAckDelayNs);
        return row.backoff;
    }

    /** The timeout waits for the next slot or evidence. */
    void rest(PathRow row) {
        row.timeoutAtNs = Deadline.NEVER;
    }

    /** How many have expired in a row. */
    int inARow(PathRow row) {
        return row.backoff;
    }

    void restart(PathRow row) {
        row.backoff = 0;
        onNothingInFlight(row);
    }

    /** The timeout with its back-off, in ns. */
    long timeoutNs(PathRow row, long peerAckDelayNs) {
        return Math.min(plainTimeoutNs(row, peerAckDelayNs) << row.backoff, config.timeoutMaxNs());
    }

    /** The timeout without back-off, in ns. */
    long plainTimeoutNs(PathRow row, long peerAckDelayNs) {
        long smoothedNs = RttEstimator.smoothedNs(row);
        long bySpread = smoothedNs + Math.max(4 * RttEstimator.variationNs(row), 1_000) + peerAckDelayNs;
        long byMean = smoothedNs * 3 / 2;
        return Math.min(Math.max(Math.max(bySpread, byMean), config.timeoutFloorNs()), config.timeoutMaxNs());
    }

    long deadlineNs(PathRow row) {
        return Math.min(row.flushAtNs, row.timeoutAtNs);
    }

    // R-LOSS-010: at most one flush per path and this interval, since each needs a slot sent after the last one.
    private long flushNs(PathRow row, long peerAckDelayNs, Tail tail) {
        return Math.max(
                alwaysWary || warySlots > 0 ? waryNs(row, tail) : answerNs(row, peerAckDelayNs), config.flushFloorNs());
    }

    private static long waryNs(PathRow row, Tail tail) {
        long smoothedNs = RttEstimator.smoothedNs(row);
        return tail == Tail.MORE_COMES ? smoothedNs : smoothedNs / 4;
    }

    /** When the answer is due: a probe that left sooner would nearly always ask for what is under way already. */
    private static long answerNs(PathRow row, long peerAckDelayNs) {
        long smoothedNs = RttEstimator.smoothedNs(row);
        return smoothedNs + Math.max(2 * RttEstimator.variationNs(row), smoothedNs / 8) + peerAckDelayNs;
    }
}

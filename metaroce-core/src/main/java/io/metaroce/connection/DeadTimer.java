package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.param.LivenessConfig;

/**
 * Is the peer alive? While something is unacknowledged it must be heard of within the dead time; while nothing is, a
 * probe asks now and then, and silence after it counts the same.
 */
final class DeadTimer {
    private static final int PROBES = 3; // unanswered ones, spread over the dead time, are the end

    private final LivenessConfig config;
    private final Patience patience;
    private long heardNs;
    private long waitingSinceNs = Deadline.NEVER; // NEVER: nothing is expected of the peer
    private long nextProbeNs;
    private int probes;

    DeadTimer(LivenessConfig config, Patience patience, long nowNs) {
        this.patience = patience;
        this.config = config;
        onHeard(nowNs, Expectation.NOTHING);
    }

    /** What the peer owes. */
    enum Expectation {
        /** Nothing is unacknowledged. */
        NOTHING,
        /** Something is. */
        AN_ANSWER
    }

    /** A valid packet has come. */
    void onHeard(long nowNs, Expectation expectation) {
        heardNs = nowNs;
        nextProbeNs = nowNs + config.keepaliveNs();
        waitingSinceNs = expectation == Expectation.AN_ANSWER ? nowNs : Deadline.NEVER;
    }

    /** Something has been sent that the peer must answer. */
    void onAsked(long nowNs) {
        waitingSinceNs = Math.min(waitingSinceNs, nowNs);
    }

    /**
     * This side stood still for {@code lengthNs} and goes on. That time does not count: nobody was there to hear. What
     * was waited before counts, or a side that is often held up would wait for a dead peer for ever.
     */
    void onPaused(long nowNs, long lengthNs) {
        nextProbeNs += lengthNs;
        if (waitingSinceNs != Deadline.NEVER) {
            waitingSinceNs = Math.min(waitingSinceNs + lengthNs, nowNs);
        }
    }

    /** Whether nothing was heard for the dead time although an answer was owed. */
    boolean isDead(long nowNs) {
        return waitingSinceNs != Deadline.NEVER && nowNs >= patience.endNs(waitingSinceNs);
    }

    /** Takes the turn of a keepalive probe that is due; 0 when none is. */
    int takeProbe(long nowNs) {
        if (nowNs < nextProbeNs) {
            return 0;
        }
        nextProbeNs = nowNs + Math.max(Math.min(config.keepaliveNs(), patience.ns()) / PROBES, 1);
        onAsked(nowNs);
        return ++probes;
    }

    long deadlineNs() {
        long dead = waitingSinceNs == Deadline.NEVER ? Deadline.NEVER : patience.endNs(waitingSinceNs);
        return Math.min(dead, nextProbeNs);
    }

    /** When the peer was last heard of. */
    long heardNs() {
        return heardNs;
    }
}

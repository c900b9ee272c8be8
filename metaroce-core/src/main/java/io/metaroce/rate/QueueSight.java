package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * Whether losses can be due to a full queue although no mark says so: a queue was in sight lately, or too much is lost
 * for chance.
 *
 * <p>In front of a full queue even a small one some packet waits. Where the longest round trip of the last two rounds
 * is hardly longer than the shortest known, as finely as they can be measured, nothing was full. This ends where
 * buffers hold only a few packets, or little against the length of the path; there the fraction lost has to tell.
 */
final class QueueSight {
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final int UNSEEN_PACKETS = 4;
    private static final int UNSEEN_PART = 32; // of a round trip: ways back are not all of one length
    private static final int FRACTION_SHIFT = 3;
    private static final int ONE_Q16 = 1 << 16;
    private static final int CHANCE_Q16_MAX = ONE_Q16 / 8;

    private final LineModel line;
    private long runningMaxNs = UNKNOWN; // unknown is not small
    private long finishedMaxNs = UNKNOWN;
    private boolean sampled; // in the running round
    private long ackedBytes; // in the running round
    private long lostBytes;
    private int lostQ16; // part of what was sent, averaged

    QueueSight(LineModel line) {
        this.line = line;
    }

    /** Takes what one block says. */
    void onSignal(RateSignal signal) {
        long excessNs = signal.sampleExcessNs();
        if (excessNs >= 0) {
            runningMaxNs = sampled ? Math.max(runningMaxNs, excessNs) : excessNs;
            sampled = true;
        }
        ackedBytes += signal.ackedBytes();
        lostBytes += signal.lostBytes();
    }

    /** The round is over. */
    void turn() {
        finishedMaxNs = runningMaxNs;
        runningMaxNs = UNKNOWN;
        sampled = false;
        long sent = ackedBytes + lostBytes;
        if (sent > 0) {
            int fraction = (int) FixedPoint.mulDiv(lostBytes, ONE_Q16, sent);
            lostQ16 = (int) FixedPoint.ewma(lostQ16, fraction, FRACTION_SHIFT);
        }
        ackedBytes = 0;
        lostBytes = 0;
    }

    /** Whether a loss of these rounds must be by chance. */
    boolean isChance() {
        long running = sampled ? runningMaxNs : 0;
        return Math.max(running, finishedMaxNs) < unseenNs() && lostQ16 < CHANCE_Q16_MAX;
    }

    // Where the clock of a software host blurs round trips, only what exceeds the wanted delay is a queue.
    private long unseenNs() {
        if (!line.isFinelyTimed()) {
            return line.delayTargetNs();
        }
        return Math.max(line.packetsNs(UNSEEN_PACKETS), line.rtt0Ns() / UNSEEN_PART);
    }
}

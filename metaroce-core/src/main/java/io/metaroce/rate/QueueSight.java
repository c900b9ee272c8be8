package io.metaroce.rate;

import io.metaroce.num.FixedPoint;

/**
 * How much of what is lost is due to a full queue although no mark says so.
 *
 * <p>A full queue loses packets beside which others wait; chance loses anywhere. What is lost where nobody waits, as
 * finely as that can be measured, is lost by chance, and the same part of what is lost where packets wait is so as
 * well: only what exceeds it by a quarter is due to the queue. Where everybody waits all the time nothing is learned of
 * chance, and what was learned fades. All this ends where buffers hold only a few packets, or little against the length
 * of the path; there the fraction lost of all has to tell.
 */
final class QueueSight {
    private static final int UNSEEN_PACKETS = 4;
    private static final int UNSEEN_PART = 32; // of a round trip: ways back are not all of one length
    private static final int CLEAR_PART = 8; // of the packets, to confirm what is known of chance
    private static final int CHANCE_Q16_MAX = (1 << 16) / 8;

    private final LineModel line;
    private final LossFraction all = new LossFraction();
    private final LossFraction clear = new LossFraction(); // where nobody waits
    private final LossFraction queued = new LossFraction();
    private boolean isQueued = true; // unknown is not clear
    private long clearBytes; // since the average of all moved

    QueueSight(LineModel line) {
        this.line = line;
    }

    /** Takes what one block says. */
    void onSignal(RateSignal signal) {
        // A block without a sample of its own is judged by the one before.
        if (signal.sampleExcessNs() >= 0) {
            isQueued = signal.sampleExcessNs() >= unseenNs();
        }
        long movedBytes = all.onSignal(signal, line.packetBytes());
        long unused = (isQueued ? queued : clear).onSignal(signal, line.packetBytes());
        clearBytes += isQueued ? 0 : signal.ackedBytes() + signal.lostBytes();
        if (movedBytes > 0) {
            if (clearBytes < movedBytes / CLEAR_PART) {
                clear.fade();
            }
            clearBytes = 0;
        }
    }

    /** What a full queue has taken of the {@code lostBytes} of the block taken last. */
    long dueToQueueBytes(long lostBytes) {
        if (all.averageQ16() >= CHANCE_Q16_MAX) {
            return lostBytes;
        }
        if (!isQueued) {
            return 0;
        }
        int chance = clear.averageQ16() + clear.averageQ16() / 4;
        if (!queued.isKnown() || chance == 0) {
            return lostBytes;
        }
        int excess = Math.max(queued.averageQ16() - chance, 0);
        return FixedPoint.mulDiv(lostBytes, excess, Math.max(queued.averageQ16(), 1));
    }

    // Where the clock of a software host blurs round trips, only what exceeds the wanted delay is a queue.
    private long unseenNs() {
        if (!line.isFinelyTimed()) {
            return line.delayTargetNs();
        }
        return Math.max(line.packetsNs(UNSEEN_PACKETS), line.rtt0Ns() / UNSEEN_PART);
    }
}

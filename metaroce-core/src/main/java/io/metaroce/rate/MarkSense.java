package io.metaroce.rate;

/** Whether the network marks, as far as anybody can tell: what the peer says about itself, and what has come so far. */
final class MarkSense {
    private static final int LOSSES_WITHOUT_MARK_MAX = 1000;

    private boolean peerReadsMarks = true;
    private boolean everMarked;
    private int losses; // up to the bound, while no mark has come

    /** The peer has said whether it can read marks at all. */
    void peerReadsMarks(boolean value) {
        peerReadsMarks = value;
    }

    void onSignal(RateSignal signal) {
        if (signal.cePacketsDelta() > 0) {
            everMarked = true;
        } else if (!everMarked) {
            losses = Math.min(losses + signal.lostPackets(), LOSSES_WITHOUT_MARK_MAX);
        }
    }

    /** Whether congestion will not show in marks. */
    boolean isBlind() {
        // R-CC-015: no marks can come, or so many losses came without one; a single mark proves the contrary.
        return !everMarked && (!peerReadsMarks || losses >= LOSSES_WITHOUT_MARK_MAX);
    }
}

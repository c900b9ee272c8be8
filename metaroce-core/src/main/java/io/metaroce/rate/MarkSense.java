package io.metaroce.rate;

/** Whether the network marks, as far as anybody can tell: what the peer says about itself, and what has come so far. */
final class MarkSense {
    private static final int LOSSES_WITHOUT_MARK_MAX = 1000;

    private final boolean hostQueues;
    private boolean peerReadsMarks = true;
    private boolean everMarked;
    private int losses; // up to the bound, while no mark has come

    /**
     * What a sender begins with; {@code hostQueues} says that packets also wait where nobody marks them, in the hosts.
     */
    MarkSense(boolean hostQueues) {
        this.hostQueues = hostQueues;
    }

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

    /** Whether congestion will not show in marks, or not all of it. */
    boolean isBlind() {
        // R-CC-015: no marks can come, or so many losses came without one; a single mark proves the contrary.
        // R-CC-020: packets wait in the buffers of sockets, which never mark.
        return hostQueues || (!everMarked && (!peerReadsMarks || losses >= LOSSES_WITHOUT_MARK_MAX));
    }
}

package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;

/** When a stream asks the peer what has become of it, tries a refused message again, repeats that it has failed. */
final class StreamTimer {
    long queryAtNs = Deadline.NEVER; // when to ask
    long retryAtNs = Deadline.NEVER; // when to try the refused message whose turn comes first
    long retellAtNs = Deadline.NEVER; // when to tell the peer once more that the stream has failed
    long responseAtNs = Deadline.NEVER; // when the patience with a missing response ends

    private static final int RETELLS_MAX = 6;
    private static final long PAUSE_MAX_NS = 1_000_000_000L;
    private static final int DOUBLINGS_MAX = 20;
    private @Bits(5) byte questions;
    private @Bits(3) byte retells;

    /** Something has moved: nothing to ask. */
    void progress() {
        queryAtNs = Deadline.NEVER;
        questions = 0;
    }

    /** The stream has ended: nothing to ask, nothing to try. */
    void cancel() {
        queryAtNs = Deadline.NEVER;
        retryAtNs = Deadline.NEVER;
        retellAtNs = Deadline.NEVER;
        responseAtNs = Deadline.NEVER;
    }

    /** A question has been asked. */
    void asked() {
        questions = (byte) Math.min(questions + 1, DOUBLINGS_MAX);
    }

    /** How long to wait before the next question, doubling with each one up to a second. */
    long pauseNs(long probeTimeoutNs) {
        return Math.min(probeTimeoutNs << questions, Math.max(PAUSE_MAX_NS, probeTimeoutNs));
    }

    /** The peer is to be told of the failure again after a pause, doubling each time; a few times at most. */
    void armRetell(long nowNs, long probeTimeoutNs) {
        if (retells < RETELLS_MAX) {
            retellAtNs = nowNs + (probeTimeoutNs << retells);
            retells++;
        }
    }

    /** The earliest of the instants. */
    long atNs() {
        return Math.min(Math.min(queryAtNs, retryAtNs), Math.min(retellAtNs, responseAtNs));
    }
}

package io.metaroce.message;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;

/** When a stream asks the peer what has become of it, and when it tries a refused message again. */
final class StreamTimer {
    /** When to ask. */
    final Deadline query = new Deadline();
    /** When to try the refused message whose turn comes first. */
    final Deadline retry = new Deadline();

    private static final long PAUSE_MAX_NS = 1_000_000_000L;
    private static final int DOUBLINGS_MAX = 20;
    private @Bits(5) int questions;

    /** Something has moved: nothing to ask. */
    void progress() {
        query.cancel();
        questions = 0;
    }

    /** The stream has ended: nothing to ask, nothing to try. */
    void cancel() {
        query.cancel();
        retry.cancel();
    }

    /** A question has been asked. */
    void asked() {
        questions = Math.min(questions + 1, DOUBLINGS_MAX);
    }

    /** How long to wait before the next question, doubling with each one up to a second. */
    long pauseNs(long probeTimeoutNs) {
        return Math.min(probeTimeoutNs << questions, Math.max(PAUSE_MAX_NS, probeTimeoutNs));
    }

    /** The earlier of the two instants. */
    long atNs() {
        return Math.min(query.atNs(), retry.atNs());
    }
}

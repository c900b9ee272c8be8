package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.path.Path;

/**
 * Padded challenges of one or several sizes on the route of one path: what is still to leave, what has come back, how
 * long to wait. The lowest bits of a challenge say which size it has.
 */
final class PayloadRound {
    private static final int INDEX_MASK = (1 << PayloadSizes.INDEX_BITS) - 1;

    private long base; // the challenge of the smallest size
    private int path;
    private int unsent; // bit per size
    private int best = PayloadSizes.NONE;
    private long waitNs;
    private long dueNs = Deadline.NEVER;

    /** Later echoes of earlier rounds answer nothing. */
    void draw(long number) {
        base = number & ~INDEX_MASK;
    }

    /** Asks on the route of a path for the sizes in {@code which}; without an answer the round ends after a time. */
    void ask(long nowNs, int onPath, int which, long answerNs) {
        path = onPath;
        unsent = which;
        best = PayloadSizes.NONE;
        waitNs = answerNs;
        // A plane that never has room ends the round as well.
        dueNs = nowNs + answerNs;
    }

    /** Nothing is asked; at {@code atNs} somebody looks again. */
    void rest(long atNs) {
        unsent = 0;
        best = PayloadSizes.NONE;
        dueNs = atNs;
    }

    boolean isUnsent() {
        return unsent != 0;
    }

    /** Writes the next challenge, the longest first; false when none waits, or its plane has no room. */
    boolean write(long nowNs, int planesWithRoom, PathSet paths, SlotSender sender, Transmit out) {
        if (unsent == 0) {
            return false;
        }
        Path on = paths.outbound(path);
        if (!on.isOn(planesWithRoom)) {
            return false;
        }
        int size = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(unsent);
        unsent &= ~(1 << size);
        sender.challengePadded(nowNs, on, on.route(), base | size, PayloadSizes.bytes(size), out);
        dueNs = nowNs + waitNs;
        return true;
    }

    /** The size whose challenge came back, or {@link PayloadSizes#NONE}. */
    int onEcho(long challenge) {
        if ((challenge & ~INDEX_MASK) != base) {
            return PayloadSizes.NONE;
        }
        int size = (int) challenge & INDEX_MASK;
        best = Math.max(best, size);
        return size;
    }

    /** The path that was asked last. */
    int path() {
        return path;
    }

    /** The largest size that came back in this round, or {@link PayloadSizes#NONE}. */
    int best() {
        return best;
    }

    long dueNs() {
        return dueNs;
    }
}

package io.metaroce.tools.perf;

/**
 * Which messages are signalled: every n-th of a queue pair, the one that fills its queue, and the last ones of all, so
 * that nobody waits for a message that nothing tells of.
 */
final class Signals {
    private final int every;
    private final int[] silent; // by queue pair: messages since one was signalled

    Signals(int queuePairs, int every) {
        this.every = every;
        this.silent = new int[queuePairs];
    }

    /**
     * Whether the next message of a queue pair is to be signalled.
     *
     * @param fills whether its queue is full then
     * @param left messages that may still be posted to all queue pairs, this one among them
     */
    boolean wants(int qp, boolean fills, long left) {
        return silent[qp] + 1 >= every || fills || left <= (long) every * silent.length;
    }

    /** It was posted. */
    void posted(int qp, boolean signalled) {
        silent[qp] = signalled ? 0 : silent[qp] + 1;
    }

    /** Whether messages of a queue pair are out of which nothing tells. */
    boolean isOwed(int qp) {
        return silent[qp] > 0;
    }
}

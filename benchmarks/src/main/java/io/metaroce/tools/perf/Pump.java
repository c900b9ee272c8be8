package io.metaroce.tools.perf;

/**
 * Keeps every queue pair full until a budget is spent and everything is complete. A message that is signalled stands
 * for those before it.
 */
final class Pump {
    private static final long PEAK_WINDOW_NS = 20_000_000;

    private final Outbox outbox;
    private final long[] outstanding;
    private final long[] done; // number of the first message that is not known to be complete
    private final Signals signals;
    private final int slots;
    private Budget budget = new Budget(0, null);
    private long size;
    private long startNs;
    private long endNs;
    private long posted;
    private long completed;
    private long peakFromNs;
    private long peakFromBytes;
    private double peak;

    Pump(Outbox outbox, Terms terms, int signalEvery) {
        this.outbox = outbox;
        this.outstanding = new long[terms.queuePairs()];
        this.done = new long[terms.queuePairs()];
        this.slots = terms.slots();
        this.signals = new Signals(terms.queuePairs(), signalEvery);
    }

    /** Begins with messages of a size. */
    void start(long messageSize, Budget limit) {
        size = messageSize;
        budget = limit;
        posted = 0;
        completed = 0;
        peak = 0;
        peakFromNs = 0;
        startNs = System.nanoTime();
        endNs = startNs;
        fill();
    }

    /** One of its messages is complete, and so are those before it. */
    void completed(int qp, long n) {
        for (; done[qp] <= n; done[qp]++) {
            outstanding[qp]--;
            completed++;
            outbox.completed(qp, done[qp], size);
        }
    }

    /** Takes note of the time, and posts to the queue pairs in turn while any has room and the budget allows. */
    void fill() {
        endNs = completed == 0 ? startNs : System.nanoTime();
        notePeak();
        boolean room = true;
        while (room) {
            room = false;
            for (int qp = 0; qp < outstanding.length; qp++) {
                if (outstanding[qp] < slots && mayPost(qp) && post(qp)) {
                    outstanding[qp]++;
                    posted++;
                    room = true;
                }
            }
        }
    }

    /** When time is up, somebody has still to tell of those that were silent. */
    private boolean mayPost(int qp) {
        return budget.allows(posted, startNs) || (budget.time() != null && signals.isOwed(qp));
    }

    private boolean post(int qp) {
        long left = budget.allows(posted, startNs) ? budget.left(posted) : 0;
        boolean signalled = signals.wants(qp, outstanding[qp] + 1 == slots, left);
        boolean isPosted = outbox.post(qp, size, signalled);
        if (isPosted) {
            signals.posted(qp, signalled);
        }
        return isPosted;
    }

    /** Whether everything is complete; ask after {@link #fill}. */
    boolean isOver() {
        return completed == posted;
    }

    /** Messages complete. */
    long messages() {
        return completed;
    }

    /** Bytes complete. */
    long bytes() {
        return completed * size;
    }

    /** From the first post to the last completion so far, in ns. */
    long tookNs() {
        return endNs - startNs;
    }

    /** The best stretch of at least 20 ms, in bytes per second; 0 when it was shorter. */
    double peakBytesPerSecond() {
        return peak;
    }

    private void notePeak() {
        if (peakFromNs == 0) {
            peakFromNs = endNs;
            peakFromBytes = bytes();
        } else if (endNs - peakFromNs >= PEAK_WINDOW_NS) {
            peak = Math.max(peak, (bytes() - peakFromBytes) * 1e9 / (endNs - peakFromNs));
            peakFromNs = endNs;
            peakFromBytes = bytes();
        }
    }
}

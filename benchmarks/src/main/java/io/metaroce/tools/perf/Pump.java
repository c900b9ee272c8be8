package io.metaroce.tools.perf;

/** Keeps every queue pair full until a budget is spent and everything is complete. */
final class Pump {
    private static final long PEAK_WINDOW_NS = 20_000_000;

    private final Outbox outbox;
    private final long[] outstanding;
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

    Pump(Outbox outbox, Terms terms) {
        this.outbox = outbox;
        this.outstanding = new long[terms.queuePairs()];
        this.slots = terms.slots();
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

    /** One of its messages is complete. */
    void completed(int qp, long n) {
        outstanding[qp]--;
        completed++;
        outbox.completed(qp, n, size);
    }

    /** Takes note of the time, and posts to the queue pairs in turn while any has room and the budget allows. */
    void fill() {
        endNs = completed == 0 ? startNs : System.nanoTime();
        notePeak();
        boolean room = true;
        while (room) {
            room = false;
            for (int qp = 0; qp < outstanding.length; qp++) {
                if (outstanding[qp] < slots && budget.allows(posted, startNs) && outbox.post(qp, size)) {
                    outstanding[qp]++;
                    posted++;
                    room = true;
                }
            }
        }
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

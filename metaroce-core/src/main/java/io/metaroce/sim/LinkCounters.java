package io.metaroce.sim;

/** What has happened on one link so far. */
public final class LinkCounters {
    private static final int CAUSES = DropCause.values().length + 1;

    long offered;
    long delivered;
    long duplicated;
    long marked;
    long corrupted;
    long reordered;
    long waitMaxPs;
    private final long[] dropped = new long[CAUSES];

    /** Packets given to it. */
    public long offered() {
        return offered;
    }

    /** Packets that reached its end. */
    public long delivered() {
        return delivered;
    }

    /** Copies it made. */
    public long duplicated() {
        return duplicated;
    }

    /** Packets it marked. */
    public long marked() {
        return marked;
    }

    /** Bits it flipped. */
    public long corrupted() {
        return corrupted;
    }

    /** Packets it let others overtake. */
    public long reordered() {
        return reordered;
    }

    /** Longest time a packet waited in its port, in ps. */
    public long waitMaxPs() {
        return waitMaxPs;
    }

    /** Packets it lost for a cause. */
    public long dropped(DropCause cause) {
        return dropped[cause.number()];
    }

    void countDrop(DropCause cause) {
        dropped[cause.number()]++;
    }

    /** Packets it lost for any cause. */
    public long droppedTotal() {
        long sum = 0;
        for (long n : dropped) {
            sum += n;
        }
        return sum;
    }
}

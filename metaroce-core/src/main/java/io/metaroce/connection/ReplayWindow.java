package io.metaroce.connection;

import java.util.Arrays;

/**
 * Which counters of secured packets have been seen: exactly for the newest, and beyond that a bound of age. What is
 * older than the exact part and younger than the bound is let through once more: slots, reports and probes are
 * idempotent by numbers of their own.
 */
final class ReplayWindow {
    /** Counters behind the newest that are remembered one by one. */
    static final int EXACT = 4096;
    /** A packet further behind the newest is dropped. */
    static final long BEHIND_MAX = 1L << 26;

    private final long[] seen = new long[EXACT / Long.SIZE];
    private long newest; // counters begin at 1

    /** Whether the packet may be one that has not been seen. */
    boolean isFresh(long counter) {
        if (counter > newest) {
            return true;
        }
        // R-SEC-005: too old, or seen before.
        long behind = newest - counter;
        return counter > 0 && behind <= BEHIND_MAX && (behind >= EXACT || !isSeen(counter));
    }

    /** Remembers the counter of a packet whose tag was right. */
    void accept(long counter) {
        if (counter > newest) {
            forgetBetween(newest, counter);
            newest = counter;
        }
        if (newest - counter < EXACT) {
            seen[word(counter)] |= 1L << counter;
        }
    }

    private boolean isSeen(long counter) {
        return (seen[word(counter)] & (1L << counter)) != 0;
    }

    /** The places of counters after {@code old} up to {@code counter} belonged to others. */
    private void forgetBetween(long old, long counter) {
        if (counter - old >= EXACT) {
            Arrays.fill(seen, 0);
            return;
        }
        for (long i = old + 1; i <= counter; i++) {
            seen[word(i)] &= ~(1L << i);
        }
    }

    private static int word(long counter) {
        return (int) (counter >>> 6) & (EXACT / Long.SIZE - 1);
    }
}

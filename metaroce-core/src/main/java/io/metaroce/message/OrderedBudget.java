package io.metaroce.message;

import io.metaroce.num.Bits;

/**
 * Ordered writes of this side that have left and are not known to be complete at the peer, over all streams. Those of a
 * stream that failed here count until the peer shows that it has ended there too, for till then they may take its
 * memory.
 */
final class OrderedBudget {
    private @Bits(17) int limit;
    private @Bits(17) int count;
    private boolean isWaitedFor;

    /** How many the peer keeps. */
    void limit(int writes) {
        limit = writes;
    }

    /** Whether any may be sent at all. */
    boolean isOffered() {
        return limit > 0;
    }

    /** Whether one more may leave; if not, somebody waits for it. */
    boolean allowsOne() {
        isWaitedFor |= count >= limit;
        return count < limit;
    }

    void opened(Stream stream) {
        stream.cursor.addOrdered(1);
        count++;
    }

    /** The peer has completed one. */
    void closed(Stream stream) {
        stream.cursor.addOrdered(-1);
        count--;
    }

    /** The peer has given up all of a stream. */
    void closeAll(Stream stream) {
        count -= stream.cursor.ordered();
        stream.cursor.addOrdered(-stream.cursor.ordered());
    }

    /** Whether somebody waits who may go on now. */
    boolean wakes() {
        boolean wakes = isWaitedFor && count < limit;
        isWaitedFor &= !wakes;
        return wakes;
    }
}

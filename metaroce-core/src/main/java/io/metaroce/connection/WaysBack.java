package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;

/**
 * How much the ways back differ. Reports take one route after the other; how long each was under way is known but for
 * the difference of the two clocks, which is the same for all of them.
 */
final class WaysBack {
    private static final int RTTS_PER_WINDOW = 32;

    private long windowEndNs;
    private boolean anyOlder;
    private boolean anyNewer;
    private @Bits(32) int olderLeast;
    private @Bits(32) int olderMost;
    private @Bits(32) int newerLeast;
    private @Bits(32) int newerMost;

    /** A report arrives that left, by the clock of the peer, at {@code stamp}. */
    void onReport(long nowNs, @Bits(32) int stamp, long rttNs) {
        if (nowNs >= windowEndNs) {
            // Clocks drift apart in the long run.
            anyOlder = anyNewer && nowNs < windowEndNs + RTTS_PER_WINDOW * rttNs;
            olderLeast = newerLeast;
            olderMost = newerMost;
            anyNewer = false;
            windowEndNs = nowNs + RTTS_PER_WINDOW * rttNs;
        }
        int delay = Serial32.distance(stamp, StampClock.at(nowNs));
        newerLeast = anyNewer && !Serial32.isBefore(delay, newerLeast) ? newerLeast : delay;
        newerMost = anyNewer && !Serial32.isAfter(delay, newerMost) ? newerMost : delay;
        anyNewer = true;
    }

    /** By how much the slowest report of the last 32 to 64 round trips was slower than the fastest. */
    long spreadNs() {
        if (!anyNewer) {
            return 0;
        }
        int first = anyOlder && Serial32.isBefore(olderLeast, newerLeast) ? olderLeast : newerLeast;
        int last = anyOlder && Serial32.isAfter(olderMost, newerMost) ? olderMost : newerMost;
        return StampClock.ns(first, last);
    }
}

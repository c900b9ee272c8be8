package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.path.TxStamps;

/**
 * How much the ways back differ. Reports take one route after the other; how long each was under way is known but for
 * the difference of the two clocks, which is the same for all of them.
 */
final class WaysBack {
    private static final int RTTS_PER_WINDOW = 32;

    private final Window older = new Window();
    private final Window newer = new Window();
    private long windowEndNs;

    /** A report arrives that left, by the clock of the peer, at {@code stamp}. */
    void onReport(long nowNs, @Bits(32) int stamp, long rttNs) {
        if (nowNs >= windowEndNs) {
            boolean follows = nowNs < windowEndNs + RTTS_PER_WINDOW * rttNs;
            older.copy(newer);
            older.any &= follows; // clocks drift apart in the long run
            newer.any = false;
            windowEndNs = nowNs + RTTS_PER_WINDOW * rttNs;
        }
        newer.add(TxStamps.clock(nowNs) - stamp);
    }

    /** By how much the slowest report of the last 32 to 64 round trips was slower than the fastest. */
    long spreadNs() {
        if (!newer.any) {
            return 0;
        }
        int first = older.any && Serial32.isBefore(older.least, newer.least) ? older.least : newer.least;
        int last = older.any && Serial32.isAfter(older.most, newer.most) ? older.most : newer.most;
        return (long) Serial32.distance(first, last) << TxStamps.UNIT_SHIFT;
    }

    private static final class Window {
        private boolean any;
        private @Bits(32) int least;
        private @Bits(32) int most;

        void add(int delay) {
            least = any && !Serial32.isBefore(delay, least) ? least : delay;
            most = any && !Serial32.isAfter(delay, most) ? most : delay;
            any = true;
        }

        void copy(Window other) {
            any = other.any;
            least = other.least;
            most = other.most;
        }
    }
}

package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.StampClock;
import java.util.Arrays;

/**
 * The strictly increasing stamps of each path, in units of 16 ns: round-trip clock and transmission ordinal in one; and
 * which of them have been echoed. Packets carry 32 bits of them, which turn every 69 s; here they are kept in whole,
 * because an echo may be a minute old: a receiver repeats what it heard last however long it has heard nothing since.
 */
public final class TxStamps {
    /** Nothing was sent at all. */
    static final long NEVER_SENT = Long.MIN_VALUE;

    private static final long IDLE_NS = 16_000_000_000L;
    private static final long NOTHING = Long.MIN_VALUE;

    private final long[] newestEcho;
    private final boolean[] echoed; // in the running stretch
    private long begunAt = Long.MAX_VALUE; // the first stamp of all

    TxStamps(int paths) {
        newestEcho = new long[paths];
        Arrays.fill(newestEcho, NOTHING);
        echoed = new boolean[paths];
    }

    /** Takes the next stamp. */
    @Bits(32)
    int next(long nowNs, PathRow row) {
        long clock = StampClock.whole(nowNs);
        if (isIdle(nowNs, row)) {
            begunAt = Math.min(begunAt, clock);
            row.firstStamp = clock;
            row.lastStamp = clock;
            // R-PATH-019: after 16 s both ends take the stamp unconditionally; what was echoed before is no measure.
            echoed[row.path] = false;
        } else {
            // R-PATH-006: stamps strictly increase over slots and in-path probes, across resends and epochs.
            row.lastStamp = Math.max(clock, row.lastStamp + 1);
        }
        row.lastSentNs = nowNs;
        return last(row);
    }

    /** Whether the path has sent nothing for so long that stamps start anew from the clock. */
    boolean isIdle(long nowNs, PathRow row) {
        return row.lastSentNs == NEVER_SENT || nowNs - row.lastSentNs >= IDLE_NS;
    }

    /** The instant at which nothing will have been sent for {@code restNs}, or never if nothing was sent at all. */
    long idleSinceNs(PathRow row, long restNs) {
        return row.lastSentNs == NEVER_SENT ? Deadline.NEVER : row.lastSentNs + restNs;
    }

    /** What is echoed from before the next stamp is no evidence any more: it was sent on another route. */
    void beginStretch(PathRow row) {
        row.firstStamp = row.lastStamp + 1;
        echoed[row.path] = false;
    }

    /** The last stamp taken. */
    @Bits(32)
    int last(PathRow row) {
        return (int) row.lastStamp;
    }

    /** Takes note of an echo that {@link #isNews}. */
    void onEcho(PathRow row, int stamp) {
        newestEcho[row.path] = whole(row, stamp);
        echoed[row.path] = true;
    }

    /** Whether {@code stamp}, which has been sent, is echoed for the first time and belongs to the running stretch. */
    boolean isNews(PathRow row, int stamp) {
        if (isRepeated(row.path, stamp)) {
            return false; // by now it may look younger than it is
        }
        long whole = whole(row, stamp);
        // Before the first echo of a stretch the newest one belongs to another route, or to what was before a silence.
        return echoed[row.path] ? whole > newestEcho[row.path] : whole >= row.firstStamp;
    }

    /** Whether anything of the running stretch has been echoed. */
    boolean isEchoed(int path) {
        return echoed[path];
    }

    /** The newest stamp that was echoed; meaningful once {@link #isEchoed}. */
    @Bits(32)
    int newestEcho(int path) {
        return (int) newestEcho[path];
    }

    /** Whether {@code stamp} can be an echo of something sent, in this turn of the clock or in an earlier one. */
    boolean isSent(PathRow row, int stamp) {
        return row.lastSentNs != NEVER_SENT && whole(row, stamp) >= begunAt;
    }

    private boolean isRepeated(int path, int stamp) {
        return newestEcho[path] != NOTHING && stamp == newestEcho(path);
    }

    /** The youngest stamp with these lower 32 bits that is no younger than the last one sent. */
    private static long whole(PathRow row, int stamp) {
        return row.lastStamp - Integer.toUnsignedLong((int) row.lastStamp - stamp);
    }
}

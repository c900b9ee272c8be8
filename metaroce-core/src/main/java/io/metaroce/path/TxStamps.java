package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;

/**
 * The strictly increasing stamps of each path, in units of 16 ns: round-trip clock and transmission ordinal in one; and
 * which of them have been echoed.
 */
public final class TxStamps {
    /** Nothing was sent at all. */
    static final long NEVER_SENT = Long.MIN_VALUE;

    private static final long IDLE_NS = 16_000_000_000L;
    private static final int STRETCH_STAMPS = 1 << 30; // 17 s: what was sent earlier is not reported any more

    private final @Bits(32) int[] newestEcho; // meaningful once echoed
    private final boolean[] echoed; // in the running stretch

    TxStamps(int paths) {
        newestEcho = new int[paths];
        echoed = new boolean[paths];
    }

    /** Takes the next stamp. */
    int next(long nowNs, PathRow row) {
        int clock = StampClock.at(nowNs);
        if (isIdle(nowNs, row)) {
            row.restarted = row.lastSentNs != NEVER_SENT;
            row.lastBeforeRestart = row.lastStamp;
            row.firstStamp = clock;
            row.lastStamp = clock;
            // R-PATH-019: after 16 s both ends take the stamp unconditionally; what was echoed before is no measure.
            echoed[row.path] = false;
        } else {
            // R-PATH-006: stamps strictly increase over slots and in-path probes, across resends and epochs.
            row.lastStamp = Serial32.later(clock, row.lastStamp + 1);
        }
        row.lastSentNs = nowNs;
        return row.lastStamp;
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
    int last(PathRow row) {
        return row.lastStamp;
    }

    /** Takes note of an echo that {@link #isNews}. */
    void onEcho(PathRow row, int stamp) {
        newestEcho[row.path] = stamp;
        echoed[row.path] = true;
    }

    /** Whether {@code stamp}, which has been sent, is echoed for the first time and belongs to the running stretch. */
    boolean isNews(PathRow row, int stamp) {
        // Before the first echo of a stretch the newest one belongs to another route, or to another turn of the clock.
        return echoed[row.path]
                ? Serial32.isAfter(stamp, newestEcho[row.path])
                : !Serial32.isBefore(stamp, row.firstStamp) && !Serial32.isAfter(stamp, row.lastStamp);
    }

    /** Whether anything of the running stretch has been echoed. */
    boolean isEchoed(int path) {
        return echoed[path];
    }

    /** The newest stamp that was echoed; meaningful once {@link #isEchoed}. */
    int newestEcho(int path) {
        return newestEcho[path];
    }

    /** Whether {@code stamp} can be an echo of something sent. */
    boolean isSent(PathRow row, int stamp) {
        return row.lastSentNs != NEVER_SENT
                && (!Serial32.isAfter(stamp, row.lastStamp) || isFromBeforeRestart(row, stamp));
    }

    // Such a stamp may look newer than those that followed the silence: the clock has turned meanwhile.
    private boolean isFromBeforeRestart(PathRow row, int stamp) {
        int age = Serial32.distance(stamp, row.lastBeforeRestart);
        return row.restarted && age >= 0 && age < STRETCH_STAMPS;
    }
}

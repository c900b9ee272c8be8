package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;
import java.util.Arrays;

/**
 * The strictly increasing stamps of each path, in units of 16 ns: round-trip clock and transmission ordinal in one; and
 * which of them have been echoed.
 */
public final class TxStamps {
    /** Nanoseconds of one unit, as a power of two. */
    public static final int UNIT_SHIFT = 4;

    private static final long IDLE_NS = 16_000_000_000L;
    private static final long NONE = Long.MIN_VALUE; // nothing was sent at all
    private static final int STRETCH_STAMPS = 1 << 30; // 17 s: what was sent earlier is not reported any more

    private final @Bits(32) int[] last;
    private final @Bits(32) int[] first; // of the running stretch: what is echoed from before it is no evidence
    private final @Bits(32) int[] lastBeforeRestart; // meaningful once restarted
    private final @Bits(32) int[] newestEcho; // meaningful once echoed
    private final long[] lastAtNs;
    private final boolean[] restarted;
    private final boolean[] echoed; // in the running stretch

    TxStamps(int paths) {
        last = new int[paths];
        first = new int[paths];
        lastBeforeRestart = new int[paths];
        newestEcho = new int[paths];
        lastAtNs = new long[paths];
        restarted = new boolean[paths];
        echoed = new boolean[paths];
        Arrays.fill(lastAtNs, NONE);
    }

    /** The clock as a stamp. */
    public static int clock(long nowNs) {
        return (int) (nowNs >>> UNIT_SHIFT);
    }

    /** Nanoseconds from the instant of a stamp until now. */
    static long sinceNs(int stamp, long nowNs) {
        return (long) Serial32.distance(stamp, clock(nowNs)) << UNIT_SHIFT;
    }

    /** Takes the next stamp. */
    int next(long nowNs, int path) {
        int clock = clock(nowNs);
        if (isIdle(nowNs, path)) {
            restarted[path] = lastAtNs[path] != NONE;
            lastBeforeRestart[path] = last[path];
            first[path] = clock;
            last[path] = clock;
            // R-PATH-019: after 16 s both ends take the stamp unconditionally; what was echoed before is no measure.
            echoed[path] = false;
        } else {
            // R-PATH-006: stamps strictly increase over slots and in-path probes, across resends and epochs.
            last[path] = Serial32.later(clock, last[path] + 1);
        }
        lastAtNs[path] = nowNs;
        return last[path];
    }

    /** Whether the path has sent nothing for so long that stamps start anew from the clock. */
    boolean isIdle(long nowNs, int path) {
        return lastAtNs[path] == NONE || nowNs - lastAtNs[path] >= IDLE_NS;
    }

    /** The instant at which nothing will have been sent for {@code restNs}, or never if nothing was sent at all. */
    long idleSinceNs(int path, long restNs) {
        return lastAtNs[path] == NONE ? Deadline.NEVER : lastAtNs[path] + restNs;
    }

    /** What is echoed from before the next stamp is no evidence any more: it was sent on another route. */
    void beginStretch(int path) {
        first[path] = last[path] + 1;
        echoed[path] = false;
    }

    /** The last stamp taken. */
    int last(int path) {
        return last[path];
    }

    /** Takes note of an echo that {@link #isNews}. */
    void onEcho(int path, int stamp) {
        newestEcho[path] = stamp;
        echoed[path] = true;
    }

    /** Whether {@code stamp}, which has been sent, is echoed for the first time and belongs to the running stretch. */
    boolean isNews(int path, int stamp) {
        // Before the first echo of a stretch the newest one belongs to another route, or to another turn of the clock.
        return echoed[path]
                ? Serial32.isAfter(stamp, newestEcho[path])
                : !Serial32.isBefore(stamp, first[path]) && !Serial32.isAfter(stamp, last[path]);
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
    boolean isSent(int path, int stamp) {
        return lastAtNs[path] != NONE && (!Serial32.isAfter(stamp, last[path]) || isFromBeforeRestart(path, stamp));
    }

    // Such a stamp may look newer than those that followed the silence: the clock has turned meanwhile.
    private boolean isFromBeforeRestart(int path, int stamp) {
        int age = Serial32.distance(stamp, lastBeforeRestart[path]);
        return restarted[path] && age >= 0 && age < STRETCH_STAMPS;
    }
}

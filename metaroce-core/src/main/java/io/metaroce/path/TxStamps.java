package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/** The strictly increasing stamps of one path, in units of 16 ns: round-trip clock and transmission ordinal in one. */
public final class TxStamps {
    /** Nanoseconds of one unit, as a power of two. */
    public static final int UNIT_SHIFT = 4;

    private static final long IDLE_NS = 16_000_000_000L;

    private @Bits(32) int last;
    private long lastAtNs;
    private boolean none = true;

    /** The clock as a stamp. */
    public static int clock(long nowNs) {
        return (int) (nowNs >>> UNIT_SHIFT);
    }

    /** Takes the next stamp. */
    int next(long nowNs) {
        int clock = clock(nowNs);
        boolean idle = isIdle(nowNs);
        // R-PATH-006: stamps strictly increase over slots and in-path probes, across resends and epochs.
        last = idle ? clock : Serial32.later(clock, last + 1);
        lastAtNs = nowNs;
        none = false;
        return last;
    }

    /** Whether the path has sent nothing for so long that stamps start anew from the clock. */
    boolean isIdle(long nowNs) {
        return none || nowNs - lastAtNs >= IDLE_NS;
    }

    /** The last stamp taken. */
    int last() {
        return last;
    }

    /** Whether {@code stamp} can be an echo of something sent. */
    boolean isSent(int stamp) {
        return !none && !Serial32.isAfter(stamp, last);
    }
}

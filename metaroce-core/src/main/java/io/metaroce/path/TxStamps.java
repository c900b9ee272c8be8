package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;

/** The strictly increasing stamps of one path, in units of 16 ns: round-trip clock and transmission ordinal in one. */
public final class TxStamps {
    /** Nanoseconds of one unit, as a power of two. */
    public static final int UNIT_SHIFT = 4;

    private static final long IDLE_NS = 16_000_000_000L;
    private static final int STRETCH_STAMPS = 1 << 30; // 17 s: what was sent earlier is not reported any more

    private @Bits(32) int last;
    private @Bits(32) int first; // of the running stretch: what is echoed from before it is no evidence
    private @Bits(32) int lastBeforeRestart; // meaningful once restarted
    private long lastAtNs;
    private boolean restarted;
    private boolean none = true;

    /** The clock as a stamp. */
    public static int clock(long nowNs) {
        return (int) (nowNs >>> UNIT_SHIFT);
    }

    /** Takes the next stamp. */
    int next(long nowNs) {
        int clock = clock(nowNs);
        if (isIdle(nowNs)) {
            restarted = !none;
            lastBeforeRestart = last;
            first = clock;
            last = clock;
        } else {
            // R-PATH-006: stamps strictly increase over slots and in-path probes, across resends and epochs.
            last = Serial32.later(clock, last + 1);
        }
        lastAtNs = nowNs;
        none = false;
        return last;
    }

    /** Whether the path has sent nothing for so long that stamps start anew from the clock. */
    boolean isIdle(long nowNs) {
        return none || nowNs - lastAtNs >= IDLE_NS;
    }

    /** The instant at which nothing will have been sent for {@code restNs}, or never if nothing was sent at all. */
    long idleSinceNs(long restNs) {
        return none ? Deadline.NEVER : lastAtNs + restNs;
    }

    /** What is echoed from before the next stamp is no evidence any more. */
    void beginStretch() {
        first = last + 1;
    }

    /** The last stamp taken. */
    int last() {
        return last;
    }

    /** Whether {@code stamp}, which has been sent, belongs to the running stretch. */
    boolean isOfThisStretch(int stamp) {
        return !Serial32.isBefore(stamp, first) && !Serial32.isAfter(stamp, last);
    }

    /** Whether {@code stamp} can be an echo of something sent. */
    boolean isSent(int stamp) {
        return !none && (!Serial32.isAfter(stamp, last) || isFromBeforeRestart(stamp));
    }

    // Such a stamp may look newer than those that followed the silence: the clock has turned meanwhile.
    private boolean isFromBeforeRestart(int stamp) {
        int age = Serial32.distance(stamp, lastBeforeRestart);
        return restarted && age >= 0 && age < STRETCH_STAMPS;
    }
}

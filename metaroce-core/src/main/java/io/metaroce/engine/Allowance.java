package io.metaroce.engine;

/** So many of something in a second, and then no more until the next. */
final class Allowance {
    private static final long SECOND_NS = 1_000_000_000L;

    private final int perSecond;
    private long secondEndsNs;
    private int left;

    Allowance(int perSecond) {
        this.perSecond = perSecond;
        this.left = perSecond;
    }

    /** Takes one; false when this second's are gone. */
    boolean take(long nowNs) {
        if (nowNs >= secondEndsNs) {
            secondEndsNs = nowNs + SECOND_NS;
            left = perSecond;
        }
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}

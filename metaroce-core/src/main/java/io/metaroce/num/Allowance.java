package io.metaroce.num;

/** So many of something in a second, and then no more until the next. */
public final class Allowance {
    private static final long SECOND_NS = 1_000_000_000L;

    private final int perSecond;
    private long secondEndsNs;
    private int left;

    /** {@code perSecond} in a second. */
    public Allowance(int perSecond) {
        this.perSecond = perSecond;
        this.left = perSecond;
    }

    /** Takes one; false when this second's are gone. */
    public boolean take(long nowNs) {
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

    /** What was taken last was well spent, and does not count. */
    public void giveBack() {
        left = Math.min(left + 1, perSecond);
    }
}

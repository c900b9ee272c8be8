package io.metaroce.num;

/** One instant that is armed or never comes, in nanoseconds of the engine's clock. */
public final class Deadline {
    /** The instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private long atNs = NEVER;

    /** Arms it for {@code atNs}, replacing what was armed before. */
    public void arm(long atNs) {
        this.atNs = atNs;
    }

    /** Arms it for {@code atNs} unless it is already armed for an earlier instant. */
    public void armEarlier(long atNs) {
        this.atNs = Math.min(this.atNs, atNs);
    }

    /** Makes it never come. */
    public void cancel() {
        atNs = NEVER;
    }

    /** Whether the instant has come. A cancelled deadline has not. */
    public boolean isDue(long nowNs) {
        return nowNs >= atNs;
    }

    /** Whether it is armed. */
    public boolean isArmed() {
        return atNs != NEVER;
    }

    /** The instant, or {@link #NEVER}. */
    public long atNs() {
        return atNs;
    }
}

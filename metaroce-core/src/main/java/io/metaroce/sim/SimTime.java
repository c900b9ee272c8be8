package io.metaroce.sim;

/** Picoseconds, the time unit of the simulator: one byte is 80 ps at 100 Gbit/s and 10 ps at 800 Gbit/s, exactly. */
public final class SimTime {
    /** One nanosecond. */
    public static final long NS = 1_000;
    /** One microsecond. */
    public static final long US = 1_000 * NS;
    /** One millisecond. */
    public static final long MS = 1_000 * US;
    /** One second. */
    public static final long S = 1_000 * MS;
    /** The instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private SimTime() {}

    /** The picoseconds of a nanosecond count; what does not fit is {@link #NEVER}. */
    public static long ofNs(long ns) {
        return ns >= NEVER / NS ? NEVER : ns * NS;
    }

    /** The nanosecond that {@code ps} lies in. */
    public static long toNs(long ps) {
        return ps / NS;
    }

    /** {@code a + b}, saturating at {@link #NEVER}. */
    public static long plus(long a, long b) {
        long sum = a + b;
        return sum < 0 ? NEVER : sum;
    }
}

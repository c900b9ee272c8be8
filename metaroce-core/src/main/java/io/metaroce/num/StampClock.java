package io.metaroce.num;

/** The clock that packets are stamped by: it counts units of 16 ns in 32 bits, and so turns every 69 seconds. */
public final class StampClock {
    private static final int UNIT_SHIFT = 4;

    /** Nanoseconds of one unit. */
    public static final int UNIT_NS = 1 << UNIT_SHIFT;

    private StampClock() {}

    /** The stamp of an instant. */
    public static @Bits(32) int at(long nowNs) {
        return units(nowNs);
    }

    /** The stamp of an instant in whole, of which packets carry the lower 32 bits. */
    public static long whole(long nowNs) {
        return nowNs >>> UNIT_SHIFT;
    }

    /** Whole units in a time; what is beyond 32 bits is cut off. */
    public static int units(long ns) {
        return (int) (ns >>> UNIT_SHIFT);
    }

    /** The time that {@code units} take, in ns; negative when they are. */
    public static long ns(int units) {
        return (long) units << UNIT_SHIFT;
    }

    /** The time from one stamp to another less than half a turn away, in ns; negative when {@code to} comes before. */
    public static long ns(@Bits(32) int from, @Bits(32) int to) {
        return ns(Serial32.distance(from, to));
    }

    /** The time from the instant of a stamp until now, in ns. */
    public static long sinceNs(@Bits(32) int stamp, long nowNs) {
        return ns(stamp, at(nowNs));
    }
}

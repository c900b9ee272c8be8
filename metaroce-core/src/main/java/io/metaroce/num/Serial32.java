package io.metaroce.num;

/**
 * Serial arithmetic on 32-bit counters that wrap: PSN, MSN, RSN, AckSeq and TxStamp.
 *
 * <p>{@code a} is before {@code b} when the signed 32-bit difference {@code a - b} is negative. Two numbers may be
 * compared while they are less than 2^31 apart.
 */
public final class Serial32 {
    private Serial32() {}

    /** Whether {@code a} comes before {@code b}. */
    public static boolean isBefore(int a, int b) {
        // R-PATH-002: comparison is serial and works across the wrap.
        return a - b < 0;
    }

    /** Whether {@code a} comes after {@code b}. */
    public static boolean isAfter(int a, int b) {
        return a - b > 0;
    }

    /** How many steps lead from {@code from} to {@code to}; negative when {@code to} is before {@code from}. */
    public static int distance(int from, int to) {
        return to - from;
    }

    /** The later of the two. */
    public static int later(int a, int b) {
        return isBefore(a, b) ? b : a;
    }
}

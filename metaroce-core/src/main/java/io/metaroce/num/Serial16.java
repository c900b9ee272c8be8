package io.metaroce.num;

/** Serial arithmetic on 16-bit counters that wrap: HintSeq and the short counters of a path block. */
public final class Serial16 {
    private Serial16() {}

    /** Whether {@code a} comes before {@code b}; only the low 16 bits of each count. */
    public static boolean isBefore(int a, int b) {
        return (short) (a - b) < 0;
    }

    /** How far the counter has moved from {@code from} to {@code to}, in 0..65535. */
    public static int advance(int from, int to) {
        return (to - from) & 0xFFFF;
    }
}

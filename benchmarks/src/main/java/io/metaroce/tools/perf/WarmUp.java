package io.metaroce.tools.perf;

import java.time.Duration;

/**
 * Tells when a test has settled: the rate of slice after slice rises while the Java compiler works, and is steady once
 * the last few slices lie close to the best.
 */
final class WarmUp {
    /** Length of one slice. */
    static final Duration SLICE = Duration.ofMillis(500);

    private static final int SLICES_MIN = 4;
    private static final int SLICES_MAX = 20;
    private static final int STEADY = 3;
    private static final double CLOSE = 0.93;

    private double best;
    private int slices;
    private int steady;

    /** Takes note of the rate of one slice. */
    void note(double rate) {
        slices++;
        steady = rate >= CLOSE * best && rate <= best / CLOSE ? steady + 1 : 0;
        best = Math.max(best, rate);
    }

    /** Whether the rate has settled, or long enough was waited for it. */
    boolean isOver() {
        return slices >= SLICES_MAX || (slices >= SLICES_MIN && steady >= STEADY);
    }
}

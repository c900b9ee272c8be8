package io.metaroce.sim.roce;

import io.metaroce.sim.SimTime;

/**
 * Constants of DCQCN.
 *
 * @param gainQ10 weight g of a period in alpha, in 1/1024
 * @param alphaPs period of alpha
 * @param decreasePs least time between two decreases
 * @param cnpPs least time between two notifications of one receiver for one queue pair
 * @param increasePs period of increases
 * @param increaseBytes bytes sent between two increases of another kind; 0 for none of these
 * @param fastPeriods periods of fast recovery, F
 * @param additiveBitsPerSecond step of additive increase
 * @param hyperBitsPerSecond step of hyper increase
 * @param leastBitsPerSecond least rate
 * @param lineBitsPerSecond rate to begin with, and the greatest
 */
public record DcqcnConfig(
        int gainQ10,
        long alphaPs,
        long decreasePs,
        long cnpPs,
        long increasePs,
        long increaseBytes,
        int fastPeriods,
        long additiveBitsPerSecond,
        long hyperBitsPerSecond,
        long leastBitsPerSecond,
        long lineBitsPerSecond) {
    private static final long REFERENCE_RATE = 25_000_000_000L;
    private static final long ADDITIVE = 5_000_000L; // of 25 Gbit/s, as public configurations have it
    private static final long HYPER = 50_000_000L;
    private static final long LEAST = 1_000_000_000L;

    /** As vendors set it: fast decreases, an increase every 300 us, F of 1. */
    public static DcqcnConfig vendor(long lineBitsPerSecond) {
        long scale = Math.max(1, lineBitsPerSecond / REFERENCE_RATE);
        return new DcqcnConfig(
                5,
                SimTime.US,
                4 * SimTime.US,
                4 * SimTime.US,
                300 * SimTime.US,
                0,
                1,
                ADDITIVE * scale,
                HYPER * scale,
                LEAST,
                lineBitsPerSecond);
    }

    /** As its paper has it (SIGCOMM 2015): periods of 50 and 55 us, g of 1/256, F of 5, a counter of 10 MB. */
    public static DcqcnConfig paper(long lineBitsPerSecond) {
        long scale = Math.max(1, lineBitsPerSecond / REFERENCE_RATE);
        return new DcqcnConfig(
                4,
                55 * SimTime.US,
                50 * SimTime.US,
                50 * SimTime.US,
                55 * SimTime.US,
                10_000_000,
                5,
                ADDITIVE * scale,
                HYPER * scale,
                LEAST,
                lineBitsPerSecond);
    }
}

package io.metaroce.sim;

import io.metaroce.num.FixedPoint;

/**
 * How a host's clock goes against the time of the world: it shows {@code offsetNs} at the beginning, and runs fast or
 * slow at a steady rate.
 *
 * @param offsetNs what it shows when the world begins
 * @param ratePpm how much too fast it is; negative when it is slow
 */
public record HostClock(long offsetNs, int ratePpm) {
    /** The time of the world. */
    public static final HostClock TRUE = new HostClock(0, 0);

    private static final int RATE_PPM_MAX = 500_000;
    private static final long PPM = 1_000_000;

    /** Checks the bounds. */
    public HostClock {
        if (offsetNs < 0 || ratePpm < -RATE_PPM_MAX || ratePpm > RATE_PPM_MAX) {
            throw new IllegalArgumentException("clock: offset " + offsetNs + " ns must not be negative, rate " + ratePpm
                    + " ppm must be within half of true time");
        }
    }

    /** What it shows at an instant of the world. */
    public long readNs(long worldPs) {
        return ratePpm == 0
                ? offsetNs + SimTime.toNs(worldPs)
                : offsetNs + FixedPoint.mulDiv(worldPs, PPM + ratePpm, PPM * SimTime.NS);
    }

    /** The first instant of the world at which it shows {@code clockNs} or more. */
    public long whenPs(long clockNs) {
        if (clockNs == SimTime.NEVER || clockNs <= offsetNs) {
            return clockNs == SimTime.NEVER ? SimTime.NEVER : 0;
        }
        long ns = clockNs - offsetNs;
        if (ratePpm == 0) {
            return SimTime.ofNs(ns);
        }
        long ps = FixedPoint.mulDiv(ns, PPM * SimTime.NS, PPM + ratePpm);
        return ps == Long.MAX_VALUE || readNs(ps) >= clockNs ? ps : ps + 1;
    }
}

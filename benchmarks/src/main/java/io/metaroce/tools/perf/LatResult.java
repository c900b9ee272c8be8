package io.metaroce.tools.perf;

import org.HdrHistogram.Histogram;

/**
 * What a latency test of one size found.
 *
 * @param size message size in bytes
 * @param tookNs half of each round trip in ns; all of it for operations whose answer is the result
 * @param bareNs the same of a bare UDP echo of the same size in the same run, in ns
 * @param cpuPercent share of all processors that this side took, in per cent
 * @param report what both sides compared
 */
public record LatResult(long size, Histogram tookNs, Histogram bareNs, double cpuPercent, Report report) {
    /** Microseconds of a percentile of {@code histogram}. */
    public static double micros(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }
}

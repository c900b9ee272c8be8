package io.metaroce.tools.perf;

import org.HdrHistogram.Histogram;

/**
 * What a latency test of one size found.
 *
 * @param size message size in bytes
 * @param halfRoundTripNs half of each round trip, in ns
 * @param bareNs half of each round trip of a bare UDP echo of the same size in the same run, in ns
 * @param report what the server says about it
 */
public record LatResult(long size, Histogram halfRoundTripNs, Histogram bareNs, Report report) {
    /** Microseconds of a percentile of {@code histogram}. */
    public static double micros(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }
}

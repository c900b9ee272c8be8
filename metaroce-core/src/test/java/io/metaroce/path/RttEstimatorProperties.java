package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Against a list of all samples. */
class RttEstimatorProperties {
    private static final long S = 1_000_000_000L;

    /** A sample and the time since the one before. */
    private record Sample(long atNs, long rttNs) {}

    @Property(tries = 200)
    void theBaseIsTheLeastOfTheLastFiveToTenSeconds(
            @ForAll @Size(min = 1, max = 100) List<@IntRange(min = 1, max = 6_000) Integer> steps) {
        PathRow row = Rows.withRtt(1_000_000);
        List<Sample> samples = new ArrayList<>();
        long now = S;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int step : steps) {
            now += step * 1_000_000L;
            long rtt = 1_000 + (step * 7_919L) % 100_000;
            RttEstimator.onSample(now, row, rtt);
            samples.add(new Sample(now, rtt));
            least = Math.min(least, rtt);
            most = Math.max(most, rtt);
            assertThat(RttEstimator.baseNs(row)).isBetween(leastSince(samples, now - 10 * S), leastSince(samples, now));
            assertThat(RttEstimator.smoothedNs(row)).isBetween(least - 8, most);
            assertThat(RttEstimator.variationNs(row)).isBetween(0L, most);
            assertThat(RttEstimator.roundMinNs(row)).isBetween(RttEstimator.baseNs(row), rtt);
        }
    }

    private static long leastSince(List<Sample> samples, long sinceNs) {
        List<Long> recent = new ArrayList<>();
        for (Sample sample : samples) {
            if (sample.atNs() >= sinceNs) {
                recent.add(sample.rttNs());
            }
        }
        return Collections.min(recent);
    }
}

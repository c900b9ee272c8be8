package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ways of different length carry what as many ways of their mean length carry. */
class LongWaysSimTest {
    @ParameterizedTest
    @Covers("R-CC-019")
    // planes; shortest link and how much longer each of the three others is than the one before, in ns
    @CsvSource({"1, 1000, 500", "2, 1000, 500", "4, 1000, 500", "8, 1000, 500", "1, 10000, 10000", "4, 5000, 2500"})
    void waysOfDifferentLengthCarryWhatWaysOfTheirMeanLengthDo(int planes, long shortestNs, long skewNs) {
        long even = goodputMbit(planes, shortestNs + skewNs * 3 / 2, 0);
        long skewed = goodputMbit(planes, shortestNs, skewNs);
        String figures = String.format(
                Locale.ROOT,
                "%d planes, %d + %d ns: %d Mbit/s, even %d Mbit/s, %d per mille",
                planes,
                shortestNs,
                skewNs,
                skewed,
                even,
                1000 * skewed / even);
        assertThat(1000 * skewed / even).as(figures).isGreaterThanOrEqualTo(980);
    }

    private static long goodputMbit(int planes, long shortestNs, long skewNs) {
        LinkConfig link = LinkConfig.wire(shortestNs * SimTime.NS);
        SteadyLoad load =
                new SteadyLoad(1, new Topology.Pair(planes, 4, NicConfig.ofGbit(100), link, skewNs * SimTime.NS));
        long warmNs = 200 * (2 * shortestNs + 3 * skewNs);
        load.run(warmNs);
        return load.run(Math.min(warmNs, 1_000_000));
    }
}

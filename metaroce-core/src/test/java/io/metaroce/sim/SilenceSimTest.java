package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.AckConfig;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.Counter;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths that are well are left alone: neither ways of different length nor random loss pass for silence. */
class SilenceSimTest {
    private static final long US = 1_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    @Covers("R-HEALTH-002")
    void waysOfDifferentLengthAreNoSilence(int planes) {
        SteadyLoad load = new SteadyLoad(41 + planes, Topology.Pair.skewed(planes));
        load.run(400 * US);
        long suspected = load.a.host.counters().get(Counter.PATHS_SUSPECTED);
        long goodput = load.run(400 * US);
        suspected = load.a.host.counters().get(Counter.PATHS_SUSPECTED) - suspected;
        String figures = String.format(
                Locale.ROOT,
                "skewed, planes %d: %d Mbit/s, suspected %d in 0.4 ms, moves %d",
                planes,
                goodput,
                suspected,
                load.a.host.counters().get(Counter.PATHS_REBOUND));
        load.finish();
        assertThat(load.a.host.counters().get(Counter.PATHS_REBOUND))
                .as(figures)
                .isZero();
        assertThat(suspected).as(figures).isLessThan(10);
        // Windows are made for the shortest way, so that longer ones are not filled.
        assertThat(goodput).as(figures).isGreaterThan(planes * 65_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 2, 1",
        "10, 4, 1",
        "10, 8, 1",
        "10, 16, 1",
        "10, 2, 5",
        "10, 4, 5",
        "10, 8, 5",
        "10, 16, 5",
        "1000, 2, 1",
        "1000, 4, 1",
        "1000, 8, 1",
        "1000, 16, 1",
        "1000, 2, 5",
        "1000, 4, 5",
        "1000, 8, 5",
        "1000, 16, 5",
        "20000, 2, 1",
        "20000, 4, 1",
        "20000, 8, 1",
        "20000, 16, 1",
        "20000, 2, 5",
        "20000, 4, 5",
        "20000, 8, 5",
        "20000, 16, 5"
    })
    @Covers({"R-HEALTH-002", "R-HEALTH-007"})
    void randomLossMovesNoPathAndLosesNoPlane(int rttUs, int paths, int percent) {
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withLoss(percent * 10_000, 1);
        LinkConfig link = LinkConfig.wire(rttUs * SimTime.US / 2).withFaults(faults);
        int gbit = rttUs > 100 ? 2 : 100;
        Topology.Pair shape = new Topology.Pair(2, 4, NicConfig.ofGbit(gbit), link, rttUs * SimTime.US / 100);
        EndpointConfig config = SteadyLoad.config(shape);
        config = config.withPath(config.path().withPaths(paths).withWindow(2048, 16))
                .withAck(new AckConfig(16, 128 * 1024, Math.max(1_000, rttUs * US / 64)));
        SteadyLoad load = new SteadyLoad(rttUs + 100 * paths + percent, shape, config);
        load.run(100L * rttUs * US);
        long moves = load.a.host.counters().get(Counter.PATHS_REBOUND);
        String figures = String.format(
                Locale.ROOT,
                "rtt %d us, %d paths, %d %% loss: suspected %d, moves %d, spurious %d of %d lost",
                rttUs,
                paths,
                percent,
                load.a.host.counters().get(Counter.PATHS_SUSPECTED),
                moves,
                load.a.host.counters().get(Counter.SPURIOUS_RETRANSMIT),
                load.a.host.counters().get(Counter.RETRANSMIT_GAP));
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(moves).as(figures).isZero();
    }
}

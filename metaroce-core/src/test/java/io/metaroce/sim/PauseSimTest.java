package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.trace.Counter;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A host that stands still, as a stopped process or a long garbage collection does, is neither loss nor failure. */
class PauseSimTest {
    private static final long US = 1_000;

    @ParameterizedTest
    @CsvSource({
        "1, a, 500ms",
        "1, b, 500ms",
        "2, a, 500ms",
        "2, b, 500ms",
        "4, b, 20ms",
        "4, a, 1ms",
        "4, b, 1ms",
        "2, a, 5s",
        "2, b, 5s"
    })
    @Covers("R-HEALTH-003")
    void aPausedHostLosesNoPathAndNoWork(int planes, String host, String pause) {
        LinkConfig wire = LinkConfig.wire(SimTime.US);
        SteadyLoad load =
                new SteadyLoad(7 + planes, new Topology.Pair(planes, 4, NicConfig.ofGbit(100), wire, SimTime.US / 20));
        load.run(400 * US);
        long full = load.run(400 * US);
        long suspected = load.a.host.counters().get(Counter.PATHS_SUSPECTED);
        load.fault("host " + host + " pause " + pause);
        load.run(Quantity.timePs(pause) / SimTime.NS + 400 * US);
        long after = load.run(400 * US);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, %s pauses %s: full %d, after %d (%d %%) Mbit/s, suspected %d, rebound %d, gap %d, pto %d",
                planes,
                host,
                pause,
                full,
                after,
                100 * after / full,
                load.a.host.counters().get(Counter.PATHS_SUSPECTED) - suspected,
                load.a.host.counters().get(Counter.PATHS_REBOUND),
                load.a.host.counters().get(Counter.RETRANSMIT_GAP),
                load.a.host.counters().get(Counter.PTO_EXPIRED));
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(load.a.host.counters().get(Counter.PATHS_REBOUND))
                .as(figures)
                .isZero();
        assertThat(load.b.host.counters().get(Counter.PATHS_REBOUND))
                .as(figures)
                .isZero();
        assertThat(after * 100).as(figures).isGreaterThan(full * 95);
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All is silent for a while, or nearly all: nobody asks more than needed, and what is left is used. */
class StallSimTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 5", "4, 5", "4, 50", "8, 5"})
    @Covers({"R-HEALTH-012", "R-HEALTH-003"})
    void whenAllPlanesAreDownOnePathOfEachAsksAndAllGoOnAfterwards(int planes, int ms) {
        SteadyLoad load = load(planes);
        load.run(400 * US);
        long full = load.run(400 * US);
        Counted before = new Counted(load);
        load.outage(
                ms * MS, IntStream.range(0, planes).mapToObj(k -> "plane " + k).toArray(String[]::new));
        load.run(ms * MS);
        long questions = load.a.host.counters().get(Counter.PTO_EXPIRED) - before.timeouts;
        load.run(ms * MS); // the next question may be as far away as the first is now
        long after = load.run(400 * US);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, %d ms: full %d, after %d (%d %%) Mbit/s, %d questions, rebound %d",
                planes,
                ms,
                full,
                after,
                100 * after / full,
                questions,
                load.a.host.counters().get(Counter.PATHS_REBOUND) - before.rebound);
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        // Each path in the first three steps, and then one of each plane.
        assertThat(questions).as(figures).isLessThan(4L * load.a.view().paths().size() + 16L * planes);
        assertThat(after * 100).as(figures).isGreaterThan(full * 95);
    }

    @Test
    @Covers({"R-HEALTH-011", "R-PLANE-002"})
    void sevenPlanesOfEightThatDieAreLeftForTheEighth() {
        SteadyLoad load = load(8);
        load.run(400 * US);
        long full = load.run(400 * US);
        StringBuilder script = new StringBuilder("plane 0 down");
        for (int k = 2; k < 8; k++) {
            script.append("\nplane ").append(k).append(" down");
        }
        load.fault(script.toString());
        load.run(400 * US);
        long after = load.run(400 * US);
        String figures = String.format(Locale.ROOT, "full %d, after %d Mbit/s", full, after);
        for (PathView path : load.a.view().paths()) {
            assertThat(path.plane()).as(figures).isEqualTo(1);
        }
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(after * 8 * 100).as(figures).isGreaterThan(full * 90);
    }

    @ParameterizedTest
    @CsvSource({"4, a, 20", "4, b, 20", "8, b, 500"})
    @Covers("R-HEALTH-012")
    void aPausedPeerIsNotFloodedWithQuestions(int planes, String host, int ms) {
        SteadyLoad load = load(planes);
        load.run(800 * US);
        Counted before = new Counted(load);
        load.fault("host " + host + " pause " + ms + "ms");
        load.run(ms * MS + 400 * US);
        long questions = load.a.host.counters().get(Counter.PTO_EXPIRED) - before.timeouts;
        assertThat(questions).isLessThan(4L * load.a.view().paths().size() + 32L * planes);
        assertThat(load.a.host.counters().get(Counter.PATHS_REBOUND)).isEqualTo(before.rebound);
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    /** What host a had counted. */
    private static final class Counted {
        final long timeouts;
        final long rebound;

        Counted(SteadyLoad load) {
            timeouts = load.a.host.counters().get(Counter.PTO_EXPIRED);
            rebound = load.a.host.counters().get(Counter.PATHS_REBOUND);
        }
    }

    private static SteadyLoad load(int planes) {
        LinkConfig wire = LinkConfig.wire(SimTime.US);
        return new SteadyLoad(51 + planes, new Topology.Pair(planes, 4, NicConfig.ofGbit(100), wire, SimTime.US / 20));
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import org.junit.jupiter.api.Test;

/** One of four links takes no full packets any more: probes and reports pass, data vanishes. */
class NarrowRouteSimTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final int NARROW_BYTES = 1_400;
    private final SteadyLoad load = new SteadyLoad(
            71, new Topology.Pair(1, 4, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US), SimTime.US / 20));

    @Test
    @Covers({"R-HEALTH-005", "R-HEALTH-008", "R-HDR-011"})
    void pathsThatMeetItAreLeftAsFailedOnesAndNoneMovesThere() {
        load.run(400 * US);
        long full = load.run(400 * US);
        narrow().narrow(NARROW_BYTES);
        load.run(2 * MS);
        long lost = narrow().counters().dropped(DropCause.NARROW);
        assertThat(lost).isPositive();
        assertThat(load.a.host.counters().get(Counter.PATHS_REBOUND)).isPositive();
        long later = load.run(4 * MS);
        // What goes there now are challenges as long as data, and they find out.
        assertThat(narrow().counters().dropped(DropCause.NARROW) - lost).isLessThan(100);
        assertThat(later * 10).isGreaterThan(full * 9);
        for (PathView path : load.a.view().paths()) {
            assertThat(path.state()).isEqualTo("ACTIVE");
        }
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers("R-HEALTH-009")
    void whoIsToldSoByTheNetworkAsksAndBelievesNobody() {
        load.run(400 * US);
        narrow().narrow(NARROW_BYTES);
        Host host = load.a.host;
        for (int i = 0; i < 20; i++) {
            for (PathView path : load.a.view().paths()) {
                // Packet too big, says somebody, of every route there is.
                host.endpoint().onUnreachable(load.world.nowNs(), load.a.connectionId, path.plane(), path.entropy());
            }
            host.touched();
            load.run(100 * US);
        }
        load.run(2 * MS);
        for (PathView path : load.a.view().paths()) {
            assertThat(path.state()).isEqualTo("ACTIVE");
        }
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    private Link narrow() {
        return load.fabric.attachment("a").port(0).link(2);
    }
}

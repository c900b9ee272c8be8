package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Host b does nothing but acknowledge, and some of its ways back are dead: it must find that out by itself. */
class SilentWaysSimTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @Covers("R-ACK-010")
    void aPlaneThatCarriesNoReportsIsLeftByThem(int planes) {
        SteadyLoad load = load(planes);
        load.run(3 * MS);
        assertThat(reportsOn(load, 1, 500 * US)).isPositive();
        load.fault("asym plane 1 from b down");
        load.run(3 * MS);
        // What still goes there asks whether it is back.
        assertThat(reportsOn(load, 1, 500 * US)).isLessThan(reportsOn(load, 0, 500 * US) / 10);
        for (PathView path : load.b.view().paths()) {
            assertThat(path.plane()).isNotEqualTo(1);
        }
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers({"R-ACK-010", "R-PLANE-004"})
    void aPlaneThatCarriesReportsAgainIsTakenAgain() {
        SteadyLoad load = load(2);
        load.run(3 * MS);
        load.outage(5 * MS, "asym plane 1 from b");
        load.run(4 * MS);
        assertThat(load.b.view().paths()).allMatch(path -> path.plane() == 0);
        load.run(16 * MS);
        for (PathView path : load.b.view().paths()) {
            assertThat(path.plane()).isEqualTo(path.id() % 2);
            assertThat(path.borrowed()).isFalse();
        }
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers("R-ACK-010")
    void aRouteThatCarriesNoReportsIsLeft() {
        SteadyLoad load = load(2);
        load.run(2 * MS);
        int entropy = load.b.view().paths().get(3).entropy();
        load.fabric.attachment("b").port(1).blackhole(entropy);
        load.run(2L * load.b.view().paths().size() * MS);
        assertThat(load.b.view().paths()).noneMatch(path -> path.plane() == 1 && path.entropy() == entropy);
        assertThat(load.b.view().paths().get(3).epoch()).isPositive();
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers("R-ACK-010")
    void whereThereIsOnePlaneNobodyAsks() {
        SteadyLoad load = load(1);
        load.run(MS); // at the beginning: how much may a packet carry?
        long asked = load.b.host.counters().get(Counter.PROBES_SENT);
        load.run(5 * MS);
        assertThat(load.b.host.counters().get(Counter.PROBES_SENT)).isEqualTo(asked);
    }

    @Test
    @Covers("R-ACK-010")
    void questionsAreFewAndEndWithTheSlots() {
        SteadyLoad load = load(2);
        load.run(20 * MS);
        long asked = load.b.host.counters().get(Counter.PROBES_SENT);
        assertThat(asked).isBetween(2L * 10, 2L * 24);
        assertThat(load.b.host.counters().get(Counter.PATHS_SUSPECTED)).isZero();
        load.finish();
        load.world.run(3 * MS);
        asked = load.b.host.counters().get(Counter.PROBES_SENT);
        load.world.run(100 * MS);
        assertThat(load.b.host.counters().get(Counter.PROBES_SENT)).isEqualTo(asked);
    }

    /** Bytes that b sends on a plane within some time. */
    private static long reportsOn(SteadyLoad load, int plane, long ns) {
        long before = load.fabric.attachment("b").port(plane).bytesSent();
        load.run(ns);
        return load.fabric.attachment("b").port(plane).bytesSent() - before;
    }

    private static SteadyLoad load(int planes) {
        LinkConfig wire = LinkConfig.wire(SimTime.US);
        return new SteadyLoad(61 + planes, new Topology.Pair(planes, 4, NicConfig.ofGbit(10), wire, SimTime.US / 20));
    }
}

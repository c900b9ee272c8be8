package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Planes fail and come back under full load: no application hears of it, and what is left is used. */
class PlaneSimTest {
    private static final long US = 1_000;
    private static final long WARM_NS = 400 * US;
    private static final long MEASURE_NS = 400 * US;
    private static final long RTT_NS = 3 * US; // cables of 1.0 to 1.15 us, and the NIC

    @ParameterizedTest
    @CsvSource({
        "2, plane 1 down",
        "4, plane 1 down",
        "8, plane 1 down",
        "2, plane 0 down",
        "4, plane 0 down",
        "2, asym plane 1 from a down",
        "4, asym plane 1 from a down",
        "2, asym plane 1 from b down",
        "4, asym plane 1 from b down"
    })
    @Covers("R-PLANE-002")
    void theOtherPlanesCarryOnWhenOneFallsSilent(int planes, String fault) {
        SteadyLoad load = load(planes);
        load.run(WARM_NS);
        long full = load.run(MEASURE_NS);
        load.fault(fault);
        load.run(3 * RTT_NS);
        long early = load.run(100 * US);
        long settled = load.run(MEASURE_NS);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, %s: full %d, early %d (%d %%), settled %d (%d %%) Mbit/s",
                planes,
                fault,
                full,
                early,
                100 * early / full,
                settled,
                100 * settled / full);
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(early * 10 * planes).as(figures).isGreaterThan(full * 9 * (planes - 1));
        assertThat(settled * 100 * planes).as(figures).isGreaterThan(full * 95 * (planes - 1));
    }

    @ParameterizedTest
    @CsvSource({"2, a", "4, a", "8, a", "2, b", "4, b", "8, b"})
    @Covers({"R-PLANE-002", "R-PLANE-003", "R-HINT-006"})
    void aPortThatLosesItsCarrierIsLeftAtOnce(int planes, String host) {
        SteadyLoad load = load(planes);
        load.run(WARM_NS);
        long full = load.run(MEASURE_NS);
        load.fault("asym plane 1 from " + host + " down\nasym plane 1 to " + host + " down");
        Host owner = load.world.host(host);
        owner.endpoint().planeDown(load.world.nowNs(), 1);
        owner.touched();
        long first = load.run(RTT_NS);
        if (host.equals("b")) {
            long lineRate = SteadyLoad.GBIT * 100 * planes;
            assertThat(load.a.view().hintBytesPerSecond()).isLessThanOrEqualTo(lineRate * (planes - 1) / planes);
        }
        long sent = load.sentBytes(1);
        long early = load.run(100 * US);
        long settled = load.run(MEASURE_NS);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, carrier of %s: full %d, first %d (%d %%), early %d (%d %%), settled %d (%d %%) Mbit/s",
                planes,
                host,
                full,
                first,
                100 * first / full,
                early,
                100 * early / full,
                settled,
                100 * settled / full);
        assertThat(load.sentBytes(1)).as(figures).isEqualTo(sent);
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(early * 10 * planes).as(figures).isGreaterThan(full * 9 * (planes - 1));
        assertThat(settled * 100 * planes).as(figures).isGreaterThan(full * 95 * (planes - 1));
    }

    @ParameterizedTest
    @CsvSource({
        "2, plane 1",
        "4, plane 1",
        "8, plane 1",
        "2, plane 0",
        "4, plane 0",
        "4, asym plane 1 from a",
        "4, asym plane 1 to b"
    })
    @Covers({"R-PLANE-004", "R-PATH-015"})
    void aPlaneThatReturnsCarriesDataAgain(int planes, String what) {
        SteadyLoad load = load(planes);
        load.run(WARM_NS);
        long full = load.run(MEASURE_NS);
        load.outage(MEASURE_NS, what);
        load.run(MEASURE_NS);
        long back = load.world.nowNs();
        long returned = load.run(100 * US);
        while (returned * 100 < full * 95 && load.world.nowNs() - back < 1_000_000 * US) {
            returned = load.run(100 * US);
        }
        long backNs = load.world.nowNs() - back;
        long settled = load.run(MEASURE_NS);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, %s up: full %d, returned %d after %d us, settled %d (%d %%) Mbit/s",
                planes,
                what,
                full,
                returned,
                backNs / US,
                settled,
                100 * settled / full);
        load.finish();
        assertThat(load.errors()).as(figures).isEmpty();
        assertThat(backNs).as(figures).isLessThan(1_000_000 * US);
        assertThat(settled * 100).as(figures).isGreaterThan(full * 95);
        for (PathView path : load.a.view().paths()) {
            assertThat(path.plane()).isEqualTo(path.id() % planes);
            assertThat(path.borrowed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    @Covers("R-PLANE-001")
    void planesCarryEqualCost(int planes) {
        SteadyLoad load = load(planes);
        load.run(WARM_NS);
        long[] before = new long[planes];
        for (int k = 0; k < planes; k++) {
            before[k] = load.sentBytes(k);
        }
        load.run(MEASURE_NS);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int k = 0; k < planes; k++) {
            least = Math.min(least, load.sentBytes(k) - before[k]);
            most = Math.max(most, load.sentBytes(k) - before[k]);
        }
        String figures = String.format(Locale.ROOT, "planes %d: bytes per plane %d..%d", planes, least, most);
        assertThat(most * 100).as(figures).isLessThan(least * 105);
    }

    @ParameterizedTest
    @CsvSource({"2, 50", "2, 25", "4, 50", "4, 25"})
    @Covers("R-PLANE-007")
    void aSlowPlaneCarriesWhatItCanAndSlowsNoOther(int planes, int percent) {
        long product = 100 * SteadyLoad.GBIT / 1_000_000 * 5;
        LinkConfig port = LinkConfig.port(100_000_000_000L, SimTime.US, 8 * product)
                .withEcn(new EcnRamp(product / 5, product * 4 / 5, 1_000_000));
        SteadyLoad load = new SteadyLoad(77, new Topology.Pair(planes, 1, NicConfig.ofGbit(100), port, 0));
        load.run(WARM_NS);
        long full = load.run(MEASURE_NS);
        load.world.faults(FaultScript.parse("at " + load.world.nowPs() + "ps link * plane 1 rate " + percent + "%\n"));
        load.run(20 * WARM_NS);
        long[] before = new long[planes];
        for (int k = 0; k < planes; k++) {
            before[k] = load.sentBytes(k);
        }
        long slowed = load.run(MEASURE_NS);
        StringBuilder carried = new StringBuilder();
        for (int k = 0; k < planes; k++) {
            carried.append(' ').append((load.sentBytes(k) - before[k]) * 8_000 / MEASURE_NS);
        }
        long possible = full * (100L * (planes - 1) + percent) / (100L * planes);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, one at %d per cent: %d of %d Mbit/s before, %d possible; by plane:%s",
                planes,
                percent,
                slowed,
                full,
                possible,
                carried);
        assertThat(slowed * 100).as(figures).isGreaterThan(possible * 90);
    }

    private static SteadyLoad load(int planes) {
        // Four ways per plane, almost of one length.
        LinkConfig wire = LinkConfig.wire(SimTime.US);
        return new SteadyLoad(31 + planes, new Topology.Pair(planes, 4, NicConfig.ofGbit(100), wire, SimTime.US / 20));
    }
}

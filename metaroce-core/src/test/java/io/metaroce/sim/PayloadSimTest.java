package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.Counter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links that carry less than both ends offer: from the beginning, from some time on, some of them or all. */
class PayloadSimTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long DEAD_NS = 20 * MS;
    private static final int REQUEST_BYTES = 1_200;
    private static final int OVERHEAD_BYTES = 56;
    private static final int ROUNDS_BYTES = 2 * 3 * 4; // challenges of three rounds, of both sides
    private static final Topology.Pair FOUR_LINKS =
            new Topology.Pair(1, 4, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US), SimTime.US / 20);

    @ParameterizedTest
    @CsvSource({"4096, 2048", "4096, 1024", "8192, 4096", "8192, 1024"})
    @Covers({"R-PATH-027", "R-PATH-028", "R-HDR-014"})
    void aFabricThatCarriesLessThanWasAgreedIsServedWithWhatItCarries(int offered, int carried) {
        SteadyLoad load = new SteadyLoad(81, FOUR_LINKS, config(8, offered), fabric -> narrow(fabric, 4, carried));
        load.run(MS);
        assertThat(narrowDrops(load)).as("challenges alone").isBetween(1L, (long) ROUNDS_BYTES);
        assertThat(load.run(400 * US)).isGreaterThan(70_000);
        assertThat(load.a.view().payloadBytes()).isEqualTo(carried);
        assertThat(load.a.host.counters().get(Counter.PAYLOAD_REDUCED)).isEqualTo(1);
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers("R-PATH-027")
    void wherePacketsPassOneChallengeIsAllThatIsAsked() {
        SteadyLoad load = new SteadyLoad(82, FOUR_LINKS, config(8, 4096));
        load.run(100 * US);
        assertThat(load.b.host.counters().get(Counter.PROBES_SENT)).isEqualTo(1);
        assertThat(load.a.view().payloadBytes()).isEqualTo(4096);
    }

    @ParameterizedTest
    @CsvSource({"1, 16", "2, 16", "3, 16", "3, 2"})
    @Covers({"R-PATH-032", "R-PATH-016"})
    void whoeverIsOnALinkThatBecomesNarrowLeavesIt(int links, int paths) {
        SteadyLoad load = new SteadyLoad(83, FOUR_LINKS, config(paths, 4096));
        load.run(400 * US);
        narrow(load.fabric, links, 1024);
        load.run(3 * MS);
        long lost = narrowDrops(load);
        assertThat(load.run(MS)).isGreaterThan(70_000);
        assertThat(narrowDrops(load) - lost)
                .as("what looks for a route of its own")
                .isLessThan(100);
        assertThat(load.a.view().payloadBytes()).isEqualTo(4096);
        for (PathView path : load.a.view().paths()) {
            assertThat(path.state()).isEqualTo("ACTIVE");
        }
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers({"R-PATH-032", "R-HEALTH-005"})
    void theOnlyPathFindsARouteThatIsWideEnough() {
        for (int seed = 85; seed < 88; seed++) {
            SteadyLoad load = new SteadyLoad(seed, FOUR_LINKS, config(1, 4096));
            load.run(400 * US);
            narrow(load.fabric, 3, 1024);
            load.run(3 * MS);
            long lost = narrowDrops(load);
            load.run(MS);
            assertThat(narrowDrops(load)).as("seed %s", seed).isEqualTo(lost);
            load.finish();
            assertThat(load.errors()).isEmpty();
        }
    }

    @Test
    @Covers("R-PATH-029")
    void whenAllBecomeNarrowAndWideAgainInTimeNothingIsLost() {
        SteadyLoad load = new SteadyLoad(89, FOUR_LINKS, config(8, 4096));
        load.run(400 * US);
        narrow(load.fabric, 4, 1024);
        load.run(5 * MS);
        assertThat(load.a.view().payloadBytes()).isEqualTo(1024);
        narrow(load.fabric, 4, 4096);
        load.run(15 * MS);
        assertThat(load.a.view().payloadBytes()).isEqualTo(4096);
        assertThat(load.a.host.counters().get(Counter.PAYLOAD_RAISED)).isEqualTo(1);
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    @Test
    @Covers("R-PATH-029")
    void whenAllStayNarrowTheStreamEndsAfterTheDeadTimeAndTheConnectionDoesNot() {
        SteadyLoad load = new SteadyLoad(90, FOUR_LINKS, config(8, 4096));
        load.run(400 * US);
        narrow(load.fabric, 4, 1024);
        load.stop();
        load.world.run(DEAD_NS - 5 * MS);
        assertThat(load.errors()).isEmpty();
        load.world.run(3 * DEAD_NS);
        List<App.Done> errors = load.errors();
        assertThat(errors.get(0).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(errors.subList(1, errors.size())).allMatch(done -> done.status() == WcStatus.WR_FLUSH_ERR);
        assertThat(load.a.view().state()).isEqualTo("ESTABLISHED");
        assertThat(load.a.view().inFlightBytes()).as("all slots were filled").isZero();
    }

    @Test
    @Covers({"R-PATH-030", "R-PATH-031"})
    void aLargerSizeIsTakenUpOnceEveryPathCarriesIt() {
        SteadyLoad load = new SteadyLoad(91, FOUR_LINKS, config(16, 8192), fabric -> narrow(fabric, 4, 1024));
        load.run(200 * US);
        load.stop();
        load.world.run(50 * MS);
        assertThat(load.a.view().payloadBytes()).isEqualTo(1024);
        narrow(load.fabric, 4, 8192);
        narrow(load.fabric, 1, 1024);
        load.world.run(3_000 * MS);
        assertThat(load.a.view().payloadBytes()).as("one link is narrow").isEqualTo(1024);
        narrow(load.fabric, 4, 8192);
        // After one second, two and four: 2048, and then the others, one each time.
        load.world.run(15_000 * MS);
        assertThat(load.a.view().payloadBytes()).isGreaterThan(1024);
        load.resume();
        load.run(200 * US);
        load.finish();
        assertThat(load.errors()).isEmpty();
    }

    private static EndpointConfig config(int paths, int payloadBytes) {
        EndpointConfig config = SteadyLoad.config(FOUR_LINKS);
        LivenessConfig usual = config.liveness();
        LivenessConfig shorter = new LivenessConfig(
                usual.handshakeRetryNs(),
                usual.handshakeTries(),
                usual.closeTries(),
                usual.quiesceNs(),
                usual.keepaliveNs(),
                DEAD_NS,
                usual.tombstoneNs());
        return config.withPath(config.path().withPaths(paths))
                .withLiveness(shorter)
                .withConnection(config.connection().withPayloadBytes(payloadBytes));
    }

    /** So many links of each host carry packets with so much payload and no longer ones. */
    private static void narrow(Fabric fabric, int links, int payloadBytes) {
        for (int i = 0; i < links; i++) {
            int bytes = Math.max(payloadBytes + OVERHEAD_BYTES, REQUEST_BYTES);
            fabric.attachment("a").port(0).link(i).narrow(bytes);
            fabric.attachment("b").port(0).link(i).narrow(bytes);
        }
    }

    private static long narrowDrops(SteadyLoad load) {
        return load.fabric.links().stream()
                .mapToLong(link -> link.counters().dropped(DropCause.NARROW))
                .sum();
    }
}

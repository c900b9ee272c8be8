package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.NicPort;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Endpoints that always have more to send than their NIC takes. */
class BusyPortSimTest {
    private static final int MIB = 1 << 20;
    private static final long LIMIT_NS = 5_000_000_000L;
    private final World world = World.ofSeed(3);

    @Test
    @Covers({"R-HEALTH-001", "R-PATH-017", "R-LOSS-005"})
    void timersRunWhileThereIsAlwaysMoreToSend() {
        Fabric fabric = pair(new NicConfig(1_000_000_000L, 0, 0, 4096), 50 * SimTime.US);
        Node a = node("a", fabric, 1);
        Node b = node("b", fabric, 1);
        a.connected(b);
        NicPort port = a.host.attachment().port(0);
        int entropy = a.view().paths().get(0).entropy();
        world.faults(FaultScript.parse("at 3ms host a blackhole " + entropy + " plane 0"));
        a.app().post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 8 * MIB), b.app().at(0, 0));
        long posted = world.nowNs();
        // 8 MiB take 67 ms at 1 Gbit/s, so the port is never free for longer than a packet.
        assertThat(world.runUntil(() -> a.view().paths().get(0).epoch() > 0, 60_000_000))
                .isTrue();
        assertThat(a.app().poll()).isEmpty();
        long bytes = port.bytesSent();
        assertThat(bytes).isGreaterThan((world.nowNs() - posted) / 8 * 9 / 10);
        assertThat(a.view().paths().get(0).entropy()).isNotEqualTo(entropy);
        assertThat(world.nowNs()).isBetween(3_000_000L, 8_000_000L);
        assertThat(world.runUntil(() -> !a.app().poll().isEmpty(), LIMIT_NS)).isTrue();
        assertThat(a.app().done().get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void connectionsOfOneEndpointShareItsPort() {
        Fabric fabric = pair(new NicConfig(10_000_000_000L, 0, 0, 4096));
        Node a = node("a", fabric, 4);
        Node b = node("b", fabric, 4);
        b.listens();
        for (App app : a.apps) {
            a.connects(b, List.of(app));
        }
        assertThat(world.runUntil(
                        () -> b.events.stream().filter("established"::equals).count() == 4, LIMIT_NS))
                .isTrue();
        for (App app : a.apps) {
            App target = b.apps.get(a.apps.indexOf(app));
            for (int i = 0; i < 64; i++) {
                app.post(i, WrOpcode.RDMA_WRITE, new App.Range(0, 64 * 1024), target.at(0, 0));
            }
        }
        assertThat(world.runUntil(
                        () -> a.apps.stream().anyMatch(app -> app.poll().size() == 64), LIMIT_NS))
                .isTrue();
        for (App app : a.apps) {
            assertThat(app.poll().size()).isGreaterThan(48); // the slowest has three quarters of the fastest
        }
        assertThat(world.runUntil(
                        () -> a.apps.stream().allMatch(app -> app.poll().size() == 64), LIMIT_NS))
                .isTrue();
    }

    @Test
    void aSmallMessageIsNotStuckBehindALargeOneOfAnotherConnection() {
        Fabric fabric = pair(new NicConfig(10_000_000_000L, 0, 0, 4096));
        Node a = node("a", fabric, 2);
        Node b = node("b", fabric, 2);
        b.listens();
        a.connects(b, List.of(a.apps.get(0)));
        a.connects(b, List.of(a.apps.get(1)));
        assertThat(world.runUntil(
                        () -> b.events.stream().filter("established"::equals).count() == 2, LIMIT_NS))
                .isTrue();
        a.apps.get(0)
                .post(
                        0,
                        WrOpcode.RDMA_WRITE,
                        new App.Range(0, 8 * MIB),
                        b.apps.get(0).at(0, 0));
        world.run(1_000_000);
        long start = world.nowNs();
        a.apps.get(1)
                .post(
                        1,
                        WrOpcode.RDMA_WRITE,
                        new App.Range(0, 64),
                        b.apps.get(1).at(0, 0));
        assertThat(world.runUntil(() -> !a.apps.get(1).poll().isEmpty(), LIMIT_NS))
                .isTrue();
        assertThat(world.nowNs() - start).isLessThan(300_000);
        assertThat(a.apps.get(0).poll()).isEmpty();
    }

    @Test
    @Covers("R-HEALTH-006")
    void aWayBackThatIsLostFailsNoPathForth() {
        Fabric fabric = pair(NicConfig.ofGbit(100));
        Node a = node("a", fabric, 1);
        Node b = node("b", fabric, 1);
        a.connected(b);
        world.faults(FaultScript.parse("at 100us link a-b.1 from b down"));
        a.app().post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 8 * MIB), b.app().at(0, 0));
        assertThat(world.runUntil(() -> !a.app().poll().isEmpty(), LIMIT_NS)).isTrue();
        assertThat(a.app().done().get(0).status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(a.host.counters().get(Counter.PATHS_REBOUND)).isZero();
        assertThat(a.view().paths()).allMatch(path -> path.epoch() == 0);
    }

    private Fabric pair(NicConfig nic) {
        return pair(nic, SimTime.US);
    }

    private Fabric pair(NicConfig nic, long delayPs) {
        Fabric fabric = Topology.pair(world, new Topology.Pair(1, 4, nic, LinkConfig.wire(delayPs), SimTime.US / 2));
        Invariants.watch(world);
        return fabric;
    }

    private static Node node(String name, Fabric fabric, int streams) {
        EndpointConfig config = Profiles.model();
        long rate = 12_500_000_000L; // more than the slow NICs take, and nobody tells the endpoint
        return new Node(
                fabric,
                name,
                config.withPath(config.path().withPaths(8))
                        .withRate(config.rate().withLineRate(rate, rate)),
                streams,
                8 * MIB,
                128);
    }
}

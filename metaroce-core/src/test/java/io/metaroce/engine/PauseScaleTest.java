package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An endpoint that is held up time and again: what that costs, and what it must not hide. */
class PauseScaleTest {
    private static final long MS = 1_000_000;
    private static final int CONNECTIONS = 100;

    @Test
    void aPauseCostsNothingForConnectionsThatRest() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        Node a = new Node(fabric, "a", Profiles.model(), 0, 0, 1);
        Node b = new Node(fabric, "b", Profiles.model(), 0, 0, 1).listens();
        for (int i = 0; i < CONNECTIONS; i++) {
            a.connects(b, List.of());
        }
        assertThat(world.runUntil(() -> a.events.size() + b.events.size() == 3 * CONNECTIONS, 1000 * MS))
                .isTrue();
        world.run(100 * MS);
        Endpoint endpoint = a.host.endpoint();
        assertThat(endpoint.connectionIds()).hasSize(CONNECTIONS);
        assertThat(endpoint.inLine()).isZero();
        endpoint.onPaused(world.nowNs(), 20 * MS);
        assertThat(endpoint.inLine()).isZero();
        world.run(2000 * MS);
        assertThat(a.reasons).isEmpty();
        assertThat(b.reasons).isEmpty();
    }

    @Test
    @Covers("R-CONN-007")
    void aSideThatIsHeldUpHalfOfTheTimeFindsADeadPeerInTwiceTheTime() {
        World world = World.ofSeed(2);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        Node a = new Node(fabric, "a", config(50 * MS), 1, 4096, 16);
        Node b = new Node(fabric, "b", config(50 * MS), 1, 4096, 16);
        a.connected(b);
        List<String> faults = new ArrayList<>();
        faults.add("at " + world.nowPs() + "ps host b pause 10s");
        for (int i = 1; i < 100; i++) {
            faults.add("at " + (world.nowPs() + 10L * i * MS * SimTime.NS) + "ps host a pause 5ms");
        }
        world.faults(FaultScript.parse(String.join("\n", faults)));
        world.run(MS);
        long start = world.nowNs();
        a.app().post(0, WrOpcode.RDMA_WRITE, new App.Range(0, 4096), b.app().at(0, 0));
        assertThat(world.runUntil(a::isClosed, 900 * MS)).isTrue();
        assertThat(a.reasons).containsExactly(CloseReason.PEER_DEAD);
        assertThat(world.nowNs() - start).isBetween(50 * MS, 110 * MS);
    }

    @Test
    @Covers("R-HEALTH-003")
    void aSideThatIsHeldUpAllTheTimeDoesNotAskASilentPeerAllTheTime() {
        World world = World.ofSeed(3);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        Node a = new Node(fabric, "a", config(100_000 * MS), 1, 1 << 20, 64);
        Node b = new Node(fabric, "b", config(100_000 * MS), 1, 1 << 20, 64);
        a.connected(b);
        int pauses = 1_000;
        List<String> faults = new ArrayList<>();
        faults.add("at " + world.nowPs() + "ps host b pause 10s");
        for (int i = 1; i <= pauses; i++) {
            faults.add("at " + (world.nowPs() + 2L * i * MS * SimTime.NS) + "ps host a pause 1ms");
        }
        world.faults(FaultScript.parse(String.join("\n", faults)));
        world.run(MS);
        for (int i = 0; i < 32; i++) {
            a.app()
                    .post(
                            i,
                            WrOpcode.RDMA_WRITE,
                            new App.Range(0, 20_000),
                            b.app().at(0, 0));
        }
        world.run(200 * MS);
        long before = a.host.counters().get(Counter.TX_PACKETS);
        world.run(1_800 * MS);
        assertThat(a.host.counters().get(Counter.TX_PACKETS) - before)
                .as(
                        "packets while it was paused 900 times, over %s paths",
                        a.view().paths().size())
                .isLessThan(400);
        assertThat(world.runUntil(() -> a.app().poll().size() == 32, 20_000 * MS))
                .isTrue();
        assertThat(a.reasons).isEmpty();
    }

    private static EndpointConfig config(long deadNs) {
        LivenessConfig usual = Profiles.model().liveness();
        return Profiles.model()
                .withLiveness(new LivenessConfig(
                        usual.handshakeRetryNs(),
                        usual.handshakeTries(),
                        usual.closeTries(),
                        usual.quiesceNs(),
                        usual.keepaliveNs(),
                        deadNs,
                        usual.tombstoneNs()));
    }
}

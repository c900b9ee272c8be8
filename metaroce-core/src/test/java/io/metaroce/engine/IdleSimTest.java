package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that rest: stamps wrap after 68.7 s, are compared over half of that, and start anew after 16 s. */
class IdleSimTest {
    private static final long S = 1_000_000_000L;
    private static final int BYTES = 400_000;

    @ParameterizedTest
    @CsvSource({
        "5, 3600, 3600",
        "16, 3600, 3600",
        "17, 3600, 3600",
        "30, 3600, 3600",
        "34, 3600, 3600",
        "35, 3600, 3600",
        "50, 3600, 3600",
        "68, 3600, 3600",
        "69, 3600, 3600",
        "100, 3600, 3600",
        "200, 3600, 3600",
        "9, 10, 3600",
        "17, 10, 3600",
        "40, 10, 3600",
        "100, 10, 3600",
        "200, 10, 3600",
        "17, 3600, 1",
        "100, 10, 1",
        "200, 3600, 5"
    })
    @Covers({"R-PATH-019", "R-PATH-002", "R-CONN-007"})
    void afterAnyRestTrafficGoesOnAsBefore(int restSeconds, int keepaliveSeconds, int idleProbeSeconds) {
        World world = World.ofSeed(restSeconds);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        Invariants.watch(world);
        EndpointConfig config = config(keepaliveSeconds * S, idleProbeSeconds * S);
        Node a = new Node(fabric, "a", config, 1, BYTES, 16);
        Node b = new Node(fabric, "b", config, 1, BYTES, 16);
        a.connected(b);
        long longest = 0;
        for (int round = 0; round < 6; round++) {
            long start = world.nowNs();
            a.app()
                    .post(
                            round,
                            WrOpcode.RDMA_WRITE,
                            new App.Range(0, BYTES),
                            b.app().at(0, 0));
            int done = round + 1;
            assertThat(world.runUntil(() -> a.app().poll().size() == done, S)).isTrue();
            longest = round == 0 ? world.nowNs() - start : longest;
            assertThat(world.nowNs() - start).isLessThan(3 * longest);
            world.run(restSeconds * S);
        }
        assertThat(a.events).containsExactly("established");
        assertThat(b.events).containsExactly("offered", "established");
        assertThat(a.host.counters().get(Counter.PATHS_REBOUND)).isZero();
        assertThat(a.host.counters().get(Counter.SPURIOUS_RETRANSMIT)).isZero();
        assertThat(a.view().paths()).allMatch(path -> path.srttNs() < 100_000 && path.baseRttNs() > 1_000);
        assertThat(a.host.counters().dropsTotal() + b.host.counters().dropsTotal())
                .isZero();
    }

    private static EndpointConfig config(long keepaliveNs, long idleProbeNs) {
        EndpointConfig config = Profiles.model();
        LivenessConfig usual = config.liveness();
        return config.withPath(config.path().withPaths(8).withIdleProbeNs(idleProbeNs))
                .withLiveness(new LivenessConfig(
                        usual.handshakeRetryNs(),
                        usual.handshakeTries(),
                        usual.closeTries(),
                        usual.quiesceNs(),
                        keepaliveNs,
                        usual.deadNs(),
                        usual.tombstoneNs()));
    }
}

package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.Host;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import io.metaroce.trace.Counter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that crashes and comes back at the same address, knowing nothing. */
class RestartSimTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private static final int BYTES = 1 << 20;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @Covers("R-SEC-003")
    void withAKeyThatOutlivesItTheSurvivorLearnsAtOnce(long seed) {
        Two two = new Two(seed, keyed(KEY), LinkConfig.Faults.NONE.withLoss(50_000, 1));
        two.transfers();
        Host reborn = two.b.host.restart();
        assertThat(two.world.runUntil(two.a::isClosed, 50 * MS)).isTrue();
        assertThat(two.a.reasons).containsExactly(CloseReason.PEER_RESTARTED);
        two.assertFlushed();
        assertThat(two.a.host.counters().get(Counter.RESETS_RECEIVED)).isEqualTo(1);
        assertThat(reborn.counters().get(Counter.RESETS_SENT)).isBetween(1L, 10L);
        two.world.run(61 * S);
        assertThat(two.a.host.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers({"R-SEC-003", "R-CONN-007"})
    void anIdleSurvivorLearnsFromItsFirstKeepalive() {
        Two two = new Two(1, keyed(KEY), LinkConfig.Faults.NONE);
        two.a.connected(two.b);
        two.world.run(S);
        two.b.host.restart();
        long keepaliveNs = Profiles.model().liveness().keepaliveNs();
        assertThat(two.world.runUntil(two.a::isClosed, keepaliveNs + MS)).isTrue();
        assertThat(two.a.reasons).containsExactly(CloseReason.PEER_RESTARTED);
    }

    @Test
    @Covers("R-CONN-007")
    void withoutAKeyTheDeadTimeDecides() {
        Two two = new Two(1, Profiles.model(), LinkConfig.Faults.NONE);
        two.transfers();
        long start = two.world.nowNs();
        Host reborn = two.b.host.restart();
        assertThat(two.world.runUntil(two.a::isClosed, 20 * S)).isTrue();
        long deadNs = Profiles.model().liveness().deadNs();
        assertThat(two.world.nowNs() - start).isBetween(deadNs - S, deadNs + S);
        assertThat(two.a.reasons).containsExactly(CloseReason.PEER_DEAD);
        two.assertFlushed();
        assertThat(reborn.counters().get(Counter.RESETS_SENT)).isZero();
    }

    @Test
    @Covers("R-SEC-003")
    void anotherKeyThanBeforeProvesNothing() {
        Two two = new Two(1, keyed(KEY), LinkConfig.Faults.NONE);
        two.transfers();
        long start = two.world.nowNs();
        Host reborn = two.b.host.restart(keyed(Secret.ofHex("ff".repeat(16))));
        assertThat(two.world.runUntil(two.a::isClosed, 20 * S)).isTrue();
        assertThat(two.a.reasons).containsExactly(CloseReason.PEER_DEAD);
        assertThat(two.world.nowNs() - start).isGreaterThan(9 * S);
        assertThat(reborn.counters().get(Counter.RESETS_SENT)).isPositive();
        assertThat(two.a.host.counters().get(Counter.RESETS_RECEIVED)).isZero();
    }

    @Test
    void whoeverCameBackCanBeConnectedToAnew() {
        Two two = new Two(1, keyed(KEY), LinkConfig.Faults.NONE);
        two.transfers();
        Host reborn = two.b.host.restart();
        two.world.runUntil(two.a::isClosed, S);
        boolean[] offered = {false};
        reborn.endpoint().listen(Node.SERVICE, new ConnectionListener() {
            @Override
            public void offered(long nowNs, int connectionId, Offer offer) {
                offered[0] = true;
                reborn.endpoint().accept(nowNs, connectionId, List.of(), new byte[0]);
            }
        });
        two.a.connects(two.b, List.of());
        assertThat(two.world.runUntil(() -> two.a.events.size() == 3, S)).isTrue();
        assertThat(offered[0]).isTrue();
        assertThat(two.a.events).containsExactly("established", "closed PEER_RESTARTED", "established");
    }

    private static EndpointConfig keyed(Secret key) {
        return Profiles.model().withSecurity(SecurityConfig.NONE.withEndpointKey(key));
    }

    /** Two connected hosts, and work from a to b. */
    private static final class Two {
        final World world;
        final Node a;
        final Node b;

        Two(long seed, EndpointConfig config, LinkConfig.Faults faults) {
            world = World.ofSeed(seed);
            Topology.Pair shape = Topology.Pair.skewed(1);
            Fabric fabric = Topology.pair(world, shape.withLink(shape.link().withFaults(faults)));
            Invariants.watch(world);
            EndpointConfig small = config.withPath(config.path().withPaths(4));
            a = new Node(fabric, "a", small, 1, BYTES, 16);
            b = new Node(fabric, "b", small, 1, BYTES, 16);
        }

        void transfers() {
            a.connected(b);
            for (int i = 0; i < 4; i++) {
                a.app()
                        .post(
                                i,
                                WrOpcode.RDMA_WRITE,
                                new App.Range(0, BYTES),
                                b.app().at(0, 0));
            }
            world.run(30_000);
        }

        void assertFlushed() {
            assertThat(a.app().poll())
                    .extracting(App.Done::brief)
                    .containsExactly("0 RETRY_EXC_ERR", "1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
        }
    }
}

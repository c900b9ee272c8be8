package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.Node;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The beginning of a connection between two real endpoints, with every subset of its first packets lost. */
class HandshakeSimTest {
    private static final int PACKETS = 4; // of each side that may be lost
    private static final EndpointConfig CONFIG = config();

    @Test
    @Covers({"R-CONN-003", "R-CONN-001"})
    void whateverIsLostOneConnectionStandsAndWorks() {
        for (int lostByA = 0; lostByA < 1 << PACKETS; lostByA++) {
            for (int lostByB = 0; lostByB < 1 << PACKETS; lostByB++) {
                if (Integer.bitCount(lostByA) + Integer.bitCount(lostByB)
                        >= CONFIG.liveness().handshakeTries()) {
                    continue; // so many losses may end it
                }
                World world = World.ofSeed(5);
                Fabric fabric = Topology.pair(world, Topology.Pair.plain());
                world.faults(new FaultPlan.Builder()
                        .drop("a", PacketKind.SETUP, numbers(lostByA))
                        .drop("b", PacketKind.SETUP, numbers(lostByB))
                        .build());
                works(world, fabric, "lost by a " + lostByA + ", by b " + lostByB);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @Covers("R-CONN-003")
    void whateverComesTwiceOrLateOneConnectionStandsAndWorks(long seed) {
        World world = World.ofSeed(seed);
        LinkConfig.Faults rough = LinkConfig.Faults.NONE
                .withLoss(200_000, 1)
                .withDuplicates(500_000, 200 * SimTime.MS)
                .withReordering(200_000, 1, 100 * SimTime.MS);
        Fabric fabric = Topology.pair(
                world,
                Topology.Pair.plain().withLink(LinkConfig.wire(SimTime.US).withFaults(rough)));
        world.faults(FaultScript.parse("at 400ms heal all"));
        works(world, fabric, "seed " + seed);
    }

    @Test
    void withoutCookiesOneQuestionAndOneAnswerAreEnough() {
        World world = World.ofSeed(5);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        Node a = new Node(fabric, "a", CONFIG, 1, 64, 4);
        Node b = new Node(fabric, "b", CONFIG.withCookies(EndpointConfig.Cookies.OFF), 1, 64, 4);
        a.connected(b);
        assertThat(world.nowNs()).isLessThan(8_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 50, 60, 120, 180})
    @Covers("R-CONN-011")
    void requestsThatAreRepeatedForNothingMakeNobodyImpatient(int rttMs) {
        World world = World.ofSeed(6);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain().withLink(LinkConfig.wire(rttMs * SimTime.MS / 2)));
        Node a = new Node(fabric, "a", CONFIG, 1, 64, 4);
        Node b = new Node(fabric, "b", CONFIG, 1, 64, 4);
        a.connected(b);
        assertThat(firstSrttNs(a)).isBetween(rttMs * 1_000_000L, rttMs * 1_100_000L);
        assertThat(firstSrttNs(b)).isBetween(rttMs * 1_000_000L, rttMs * 1_100_000L);
    }

    @Test
    @Covers({"R-CONN-011", "R-ACK-014"})
    void aLostRequestMakesPatientUntilTheFirstSample() {
        World world = World.ofSeed(7);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        world.faults(new FaultPlan.Builder().drop("a", PacketKind.SETUP, 1).build());
        Node a = new Node(fabric, "a", CONFIG, 1, 64, 4);
        Node b = new Node(fabric, "b", CONFIG.withCookies(EndpointConfig.Cookies.OFF), 1, 64, 4);
        a.connected(b);
        assertThat(firstSrttNs(a)).isGreaterThan(50_000_000L);
        a.app().post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 0), b.app().at(0, 0));
        assertThat(world.runUntil(() -> a.app().poll().size() == 1, 1_000_000_000L))
                .isTrue();
        assertThat(a.view().paths())
                .anySatisfy(path -> assertThat(path.srttNs()).isLessThan(10_000));
    }

    private static long firstSrttNs(Node node) {
        return node.view().paths().get(0).srttNs();
    }

    private static void works(World world, Fabric fabric, String what) {
        Invariants.watch(world);
        Node a = new Node(fabric, "a", CONFIG, 1, 4096, 16);
        Node b = new Node(fabric, "b", CONFIG, 1, 4096, 16).listens();
        b.app().receive(9, new App.Range(0, 100));
        a.connects(b);
        a.app().post(1, WrOpcode.SEND, new App.Range(0, 100), App.Remote.NOWHERE);
        assertThat(world.runUntil(() -> a.app().poll().size() + b.app().poll().size() == 2, 15_000_000_000L))
                .as(what + a.events + b.events)
                .isTrue();
        assertThat(a.app().done().get(0).brief()).as(what).isEqualTo("1 SUCCESS");
        assertThat(b.app().done().get(0).brief()).as(what).isEqualTo("9 SUCCESS");
        world.run(9_000_000_000L); // repetitions end, and time goes on
        assertThat(a.events).as(what).containsExactly("established");
        assertThat(b.events).as(what).containsExactly("offered", "established");
        assertThat(b.host.endpoint().connectionIds()).as(what).hasSize(1);
    }

    private static long[] numbers(int mask) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            if ((mask & (1 << i)) != 0) {
                numbers.add(1L + i);
            }
        }
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    private static EndpointConfig config() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(4));
    }
}

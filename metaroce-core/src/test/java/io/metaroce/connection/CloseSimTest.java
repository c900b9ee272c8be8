package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.Node;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultPlan;
import io.metaroce.sim.Invariants;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The end of a connection between two real endpoints, with every subset of the first closing packets lost on each side:
 * CLOSE and CLOSE_ACK of a, CLOSE and CLOSE_ACK of b.
 */
class CloseSimTest {
    private static final int PACKETS = 3; // of each side that may be lost
    private static final int SENT_BY_A = 3; // CONN_REQ, CONN_REQ with cookie, CONN_CONFIRM
    private static final int SENT_BY_B = 2; // CONN_RETRY, CONN_ACCEPT
    private static final int MESSAGES = 3;
    private static final int BYTES = 20_000;
    private static final long LIMIT_NS = 20_000_000_000L;
    private static final EndpointConfig CONFIG = config();

    /** Who closes, and who still has work. */
    private enum Case {
        A_CLOSES_IDLE,
        A_CLOSES_WITH_WORK,
        A_CLOSES_WHILE_B_HAS_WORK,
        A_CLOSES_WHILE_BOTH_HAVE_WORK,
        BOTH_CLOSE_IDLE,
        BOTH_CLOSE_WITH_WORK
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    @Covers({"R-CONN-009", "R-CONN-010", "R-CONN-006"})
    void allWorkIsDoneAndBothSidesForgetWhateverIsLost(Case how) {
        for (int lostByA = 0; lostByA < 1 << PACKETS; lostByA++) {
            for (int lostByB = 0; lostByB < 1 << PACKETS; lostByB++) {
                // A question is asked five times: with four packets lost one of them is answered.
                if (Integer.bitCount(lostByA) + Integer.bitCount(lostByB)
                        < CONFIG.liveness().closeTries()) {
                    run(how, lostByA, lostByB);
                }
            }
        }
    }

    private static void run(Case how, int lostByA, int lostByB) {
        Pair pair = new Pair();
        pair.world.faults(new FaultPlan.Builder()
                .drop("a", PacketKind.SETUP, numbers(lostByA, SENT_BY_A))
                .drop("b", PacketKind.SETUP, numbers(lostByB, SENT_BY_B))
                .build());
        pair.a.connected(pair.b);
        boolean aWorks = how == Case.A_CLOSES_WITH_WORK
                || how == Case.A_CLOSES_WHILE_BOTH_HAVE_WORK
                || how == Case.BOTH_CLOSE_WITH_WORK;
        boolean bWorks = how == Case.A_CLOSES_WHILE_B_HAS_WORK
                || how == Case.A_CLOSES_WHILE_BOTH_HAVE_WORK
                || how == Case.BOTH_CLOSE_WITH_WORK;
        boolean bCloses = how == Case.BOTH_CLOSE_IDLE || how == Case.BOTH_CLOSE_WITH_WORK;
        pair.post(pair.a, pair.b, aWorks);
        pair.post(pair.b, pair.a, bWorks);
        pair.world.run(3_000); // some of it is on its way
        pair.a.closes();
        if (bCloses) {
            pair.b.closes();
        }
        String what = how + ", lost by a " + lostByA + ", by b " + lostByB + ": " + pair.a.events + pair.b.events;
        assertThat(pair.world.runUntil(() -> pair.a.isClosed() && pair.b.isClosed(), LIMIT_NS))
                .as(what)
                .isTrue();
        assertThat(succeeded(pair.a)).as(what).isEqualTo(aWorks ? MESSAGES : 0);
        assertThat(succeeded(pair.b)).as(what).isEqualTo(bWorks ? MESSAGES : 0);
        assertThat(pair.a.reasons).as(what).hasSize(1).isSubsetOf(CloseReason.LOCAL_CLOSE, CloseReason.PEER_CLOSE);
        assertThat(pair.b.reasons).as(what).hasSize(1).isSubsetOf(CloseReason.LOCAL_CLOSE, CloseReason.PEER_CLOSE);
        pair.world.run(130_000_000_000L);
        assertThat(pair.a.host.endpoint().connectionIds()).as(what).isEmpty();
        assertThat(pair.b.host.endpoint().connectionIds()).as(what).isEmpty();
        assertThat(pair.world.packets().inUse()).isZero();
        assertThat(pair.a.host.endpoint().freeSlots()).isEqualTo(CONFIG.limits().slots());
    }

    @Test
    @Covers({"R-CONN-006", "R-MEM-006"})
    void anAbortFlushesBothSidesInOrderAfterWhatWasDone() {
        Pair pair = new Pair();
        pair.a.connected(pair.b);
        pair.post(pair.a, pair.b, true);
        pair.post(pair.b, pair.a, true);
        for (int i = 0; i < 4; i++) {
            pair.b.app().receive(100 + i, new App.Range(0, 16));
        }
        pair.world.run(4_000);
        pair.a.aborts();
        pair.world.runUntil(pair.b::isClosed, LIMIT_NS);
        assertThat(pair.a.reasons).containsExactly(CloseReason.LOCAL_ABORT);
        assertThat(pair.b.reasons).containsExactly(CloseReason.PEER_ABORT);
        for (Node node : List.of(pair.a, pair.b)) {
            List<App.Done> sends = new ArrayList<>(node.app().poll());
            sends.removeIf(done -> done.wrId() >= 100);
            assertThat(sends).extracting(App.Done::wrId).containsExactly(0L, 1L, 2L);
            boolean failed = false;
            for (App.Done done : sends) {
                assertThat(done.status() == WcStatus.SUCCESS && failed).isFalse();
                failed |= done.status() != WcStatus.SUCCESS;
            }
            assertThat(failed).isTrue();
        }
        List<App.Done> received = new ArrayList<>(pair.b.app().poll());
        received.removeIf(done -> done.wrId() < 100);
        assertThat(received)
                .extracting(App.Done::brief)
                .containsExactly("100 WR_FLUSH_ERR", "101 WR_FLUSH_ERR", "102 WR_FLUSH_ERR", "103 WR_FLUSH_ERR");
    }

    @Test
    @Covers({"R-CONN-009", "R-CONN-010"})
    void aPeerThatDrainsForEverIsToldThatItIsOver() {
        LivenessConfig usual = CONFIG.liveness();
        Pair pair = new Pair(CONFIG.withLiveness(new LivenessConfig(
                usual.handshakeRetryNs(),
                usual.handshakeTries(),
                usual.closeTries(),
                10 * usual.quiesceNs(), // b is patient, a is not
                usual.keepaliveNs(),
                usual.deadNs(),
                usual.tombstoneNs())));
        pair.a.connected(pair.b);
        // b waits for a receive that a never posts, so b cannot finish.
        pair.b.app().post(0, WrOpcode.SEND, new App.Range(0, 16), App.Remote.NOWHERE);
        pair.world.run(1_000_000);
        pair.a.closes();
        pair.world.runUntil(pair.a::isClosed, LIMIT_NS);
        long given = pair.world.nowNs();
        assertThat(pair.a.reasons).containsExactly(CloseReason.CLOSE_TIMEOUT);
        assertThat(pair.world.runUntil(pair.b::isClosed, 1_000_000)).isTrue();
        assertThat(pair.world.nowNs() - given).isLessThan(1_000_000);
        assertThat(pair.b.app().poll()).hasSize(1);
        assertThat(pair.b.app().done().get(0).status()).isNotEqualTo(WcStatus.SUCCESS);
    }

    @Test
    @Covers("R-CONN-010")
    void whoeverIsNotAnsweredGivesUpAfterSomeTries() {
        Pair pair = new Pair();
        pair.a.connected(pair.b);
        pair.world.faults(new FaultPlan.Builder()
                .at(pair.world.nowPs(), FaultPlan.Target.links("*").from("b"), FaultPlan.Verb.DOWN)
                .build());
        pair.world.run(1_000);
        pair.a.closes();
        pair.world.runUntil(pair.a::isClosed, LIMIT_NS);
        assertThat(pair.a.reasons).containsExactly(CloseReason.CLOSE_TIMEOUT);
        assertThat(pair.b.reasons).containsExactly(CloseReason.PEER_CLOSE);
    }

    @Test
    @Covers("R-CONN-006")
    void newWorkIsFlushedWhileTheOldIsFinished() {
        Pair pair = new Pair();
        pair.a.connected(pair.b);
        pair.post(pair.a, pair.b, true);
        pair.world.run(2_000);
        pair.a.closes();
        pair.world.run(10);
        pair.a
                .app()
                .post(
                        77,
                        WrOpcode.RDMA_WRITE,
                        new App.Range(0, 16),
                        pair.b.app().at(0, 0));
        pair.world.runUntil(() -> pair.a.isClosed() && pair.b.isClosed(), LIMIT_NS);
        assertThat(pair.a.app().poll())
                .extracting(App.Done::brief)
                .containsExactly("0 SUCCESS", "1 SUCCESS", "2 SUCCESS", "77 WR_FLUSH_ERR");
    }

    @Test
    @Covers("R-MEM-007")
    void packetsThatComeAfterTheEndTouchNothing() {
        Pair pair = new Pair();
        pair.a.connected(pair.b);
        pair.post(pair.a, pair.b, true);
        pair.world.run(3_000); // some packets are under way
        pair.b.aborts();
        pair.world.run(1);
        byte[] before = bytes(pair.b.app());
        pair.world.run(1_000_000_000);
        assertThat(bytes(pair.b.app())).isEqualTo(before);
        assertThat(pair.a.reasons).containsExactly(CloseReason.PEER_ABORT);
    }

    /** Two endpoints under the eyes of the checker. */
    private static final class Pair {
        final World world = World.ofSeed(7);
        final Node a;
        final Node b;

        Pair() {
            this(CONFIG);
        }

        Pair(EndpointConfig ofB) {
            Fabric fabric = Topology.pair(world, Topology.Pair.plain());
            Invariants.watch(world);
            a = new Node(fabric, "a", CONFIG, 1, 4 * BYTES, 16);
            b = new Node(fabric, "b", ofB, 1, 4 * BYTES, 16);
        }

        void post(Node from, Node to, boolean works) {
            for (int i = 0; works && i < MESSAGES; i++) {
                from.app()
                        .post(
                                i,
                                WrOpcode.RDMA_WRITE,
                                new App.Range(i * BYTES, BYTES),
                                to.app().at(i * BYTES, 0));
            }
        }
    }

    private static byte[] bytes(App app) {
        byte[] bytes = new byte[app.memory().capacity()];
        app.memory().get(0, bytes);
        return bytes;
    }

    private static long succeeded(Node node) {
        return node.app().poll().stream()
                .filter(done -> done.status() == WcStatus.SUCCESS)
                .count();
    }

    private static long[] numbers(int mask, int after) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            if ((mask & (1 << i)) != 0) {
                numbers.add((long) after + 1 + i);
            }
        }
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    private static EndpointConfig config() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(4));
    }
}

package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Deadline;
import io.metaroce.num.Minifloat;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.rate.FairShare;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one connection makes of its planes: four of them, two paths at home on each. */
class PlaneWatchTest {
    private static final int PATHS = 8;
    private static final int PLANES = 4;
    private static final int ALL = 0b1111;
    private static final int LOST = 1;
    private static final long NOW = 1_000_000;

    private final Rig a = Rig.a(PATHS, PLANES);
    private final Rig b = Rig.b(PATHS, PLANES);
    private final PlaneTable table =
            new PlaneTable(PLANES, a.config.plane(), new FairShare(a.config.rate()), 1_000_000_000);
    private final PlaneProbes probes = new PlaneProbes(a.paths, a.agreement, a.shared(TransportEvents.NONE));
    private final PlaneNews news = new PlaneNews();
    private final List<String> moves = new ArrayList<>();
    private int woken;

    // ---- planes that have not proved themselves

    @Test
    @Covers("R-PLANE-006")
    void aPlaneWhoseAddressIsNotValidatedCarriesNothingAndIsLeftWhenItDoesNotAnswer() {
        PlaneWatch watch = watch(0b0011);
        for (int path = 0; path < PATHS; path++) {
            assertThat(a.paths.outbound(path).state())
                    .isEqualTo(path % PLANES < 2 ? PathState.ACTIVE : PathState.VALIDATING);
        }
        assertThat(watch.usable()).isEqualTo(0b0011);
        assertThat(watch.deadlineNs()).isEqualTo(NOW);
        assertThat(moves).isEmpty();
        long timeoutNs = a.paths.outbound(0).timeoutNs(a.agreement.peerAckDelayNs());
        long nowNs = NOW;
        int asked = 0;
        while (moves.isEmpty() && asked < 20) {
            assertThat(watch.deadlineNs()).isEqualTo(nowNs);
            watch.onDeadline(nowNs);
            asked++;
            nowNs = moves.isEmpty() ? nowNs + timeoutNs : nowNs;
        }
        assertThat(probes.isWanted()).isTrue();
        assertThat(moves).containsExactly("leave 2", "leave 3");
        assertThat(watch.deadlineNs()).as("seldom from now on").isGreaterThan(nowNs + timeoutNs);
        watch.onDeadline(watch.deadlineNs());
        assertThat(moves).as("left once").hasSize(2);
    }

    @Test
    void whereNothingIsProvedEverythingMayBeTried() {
        assertThat(watch(0).usable()).isEqualTo(ALL);
    }

    @Test
    void whereEverythingIsProvedNobodyIsAsked() {
        PlaneWatch watch = watch(ALL);
        assertThat(watch.deadlineNs()).isEqualTo(Deadline.NEVER);
        assertThat(watch.usable()).isEqualTo(ALL);
        assertThat(moves).isEmpty();
    }

    @Test
    void aPlaneThatIsDownAlreadyIsLeftAtOnce() {
        table.down(0, 2);
        PlaneWatch watch = watch(ALL);
        assertThat(watch.usable()).isEqualTo(0b1011);
        assertThat(watch.receiving()).isEqualTo(0b1011);
        assertThat(moves).containsExactly("leave 2");
    }

    // ---- what the peer says, and the own ports

    @Test
    @Covers("R-PLANE-003")
    void whatThePeerCannotReceiveOnIsLeftAndTakenAgain() {
        PlaneWatch watch = watch(ALL);
        PeerPlanes peer = peer();
        watch.onPlanes(NOW, 0xFFF0 | 0b1101);
        assertThat(moves).containsExactly("leave 1");
        assertThat(watch.usable()).isEqualTo(0b1101);
        assertThat(peer.heardNs()).isEqualTo(NOW);
        assertThat(woken).isEqualTo(1);
        watch.onPlanes(NOW + 1, 0b1101);
        assertThat(woken).as("nothing new").isEqualTo(1);
        watch.onPlanes(NOW + 2, ALL);
        assertThat(moves).containsExactly("leave 1", "back 1");
        assertThat(watch.usable()).isEqualTo(ALL);
        assertThat(woken).isEqualTo(2);
    }

    @Test
    void whenNothingIsLeftTheLeastDoubtfulIsTaken() {
        PlaneWatch watch = watch(ALL);
        peer().down(NOW, LOST);
        assertThat(watch.usable()).isEqualTo(0b1101);
        watch.onPlanes(NOW, 0b0010);
        assertThat(watch.usable())
                .as("the only one the peer has, although silent")
                .isEqualTo(0b0010);
        watch.onPlanes(NOW, 0);
        assertThat(watch.usable()).as("all that have an own port").isEqualTo(ALL);
        table.down(NOW, 3);
        assertThat(watch.usable()).isEqualTo(0b0111);
    }

    @Test
    void anOwnPortThatIsLostIsToldAndLeft() {
        PlaneWatch watch = watch(ALL);
        table.down(NOW, 2);
        assertThat(news.isDue(NOW)).isTrue();
        assertThat(news.changed()).isEqualTo(0b0100);
        assertThat(moves).containsExactly("leave 2");
        assertThat(watch.receiving()).isEqualTo(0b1011);
        assertThat(woken).isPositive();
    }

    // ---- who asks whether a plane is back

    @Test
    void theFirstConnectionToAPeerAsksOnBehalfOfAll() {
        PlaneWatch watch = watch(ALL);
        PlaneWatch other = Rig.a(PATHS, PLANES).keeping(TransportEvents.NONE).planes;
        PeerPlanes peer = table.join(a.agreement.planes().get(0), other);
        peer.down(NOW, LOST);
        assertThat(moves).containsExactly("leave 1");
        assertThat(woken).as("it is to ask").isPositive();
        assertThat(watch.deadlineNs()).isEqualTo(peer.probeAtNs(ALL));
        assertThat(probes.isWanted()).isFalse();
        watch.onDeadline(peer.probeAtNs(ALL));
        assertThat(probes.isWanted()).isTrue();
        watch.leave();
        assertThat(peer.isElected(other)).isTrue();
        assertThat(watch.deadlineNs()).as("others do").isEqualTo(Deadline.NEVER);
    }

    // ---- silence

    @Test
    void silenceBeginsWithTheFirstAndCountsUntilItIsConfirmed() {
        PlaneWatch watch = watch(ALL);
        assertThat(watch.silentSinceNs(NOW, LOST)).isEqualTo(Deadline.NEVER);
        silence(5, NOW - 500);
        silence(1, NOW);
        assertThat(watch.silentSinceNs(NOW, LOST)).isEqualTo(NOW - 500);
        assertThat(watch.silentSinceNs(NOW, 0)).isEqualTo(Deadline.NEVER);
        long first = confirmAtNs(5);
        assertThat(watch.silentSinceNs(first, LOST)).isEqualTo(NOW - 500);
        assertThat(watch.silentSinceNs(first + 1, LOST)).isEqualTo(NOW);
        assertThat(watch.silentSinceNs(confirmAtNs(1) + 1, LOST)).isEqualTo(Deadline.NEVER);
    }

    @Test
    @Covers("R-PLANE-002")
    void aPlaneIsLostWhenItsPathsAreSilentWhileAnotherDelivers() {
        PlaneWatch watch = watch(ALL);
        silence(1, NOW);
        silence(5, NOW);
        watch.onSuspect(NOW, LOST);
        assertThat(peer().isDown(LOST)).as("nobody has delivered since").isFalse();
        assertThat(watch.deadlineNs()).as("looked at again").isLessThan(Deadline.NEVER);
        deliver(0, NOW);
        watch.onDeadline(watch.deadlineNs());
        assertThat(peer().isDown(LOST)).isTrue();
        assertThat(peer().isDown(0)).isFalse();
        assertThat(moves).containsExactly("leave 1");
    }

    @Test
    void whoOnThePlaneHasDeliveredLatelyVotesForIt() {
        PlaneWatch watch = watch(ALL);
        deliver(5, NOW);
        deliver(0, NOW);
        long nowNs = NOW + Rig.RTT_NS;
        silence(1, nowNs);
        deliver(2, nowNs);
        watch.onConfirmed(nowNs + Rig.RTT_NS, LOST);
        assertThat(peer().isDown(LOST)).isFalse();
        silence(5, nowNs + Rig.RTT_NS);
        watch.onConfirmed(nowNs + 2 * Rig.RTT_NS, LOST);
        assertThat(peer().isDown(LOST)).isTrue();
    }

    private PlaneWatch watch(int provenPlanes) {
        PlaneMoves told = new PlaneMoves() {
            @Override
            public void leave(long nowNs, int plane) {
                moves.add("leave " + plane);
            }

            @Override
            public void isBack(long nowNs, int plane) {
                moves.add("back " + plane);
            }
        };
        return new PlaneWatch(
                NOW,
                a.paths,
                a.agreement,
                table,
                probes,
                news,
                told,
                new UsablePlanes(),
                new PlaneTally(),
                provenPlanes,
                () -> woken++);
    }

    /** What is known of the peer, as another connection to it sees it. */
    private PeerPlanes peer() {
        return table.join(a.agreement.planes().get(0), Rig.a(PATHS, PLANES).keeping(TransportEvents.NONE).planes);
    }

    private void silence(int path, long nowNs) {
        a.paths.outbound(path).on(PathEvent.SILENT, nowNs);
    }

    private long confirmAtNs(int path) {
        return a.paths.outbound(path).confirmAtNs(a.agreement.peerAckDelayNs());
    }

    private void deliver(int path, long sentNs) {
        a.send(sentNs, path);
        b.receive(sentNs + Rig.RTT_NS / 2, a, path, 0, (int) (sentNs >> 4));
        b.writer.write(sentNs + Rig.RTT_NS / 2, b.out, Minifloat.HINT_NONE, ALL, 0);
        a.reader.onReport(sentNs + Rig.RTT_NS, b.written(), AckReader.Kind.ACK);
    }
}

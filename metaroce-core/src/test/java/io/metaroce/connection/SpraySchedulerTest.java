package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.Rebind;
import io.metaroce.rate.RateSignal;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpraySchedulerTest {
    private static final int COST = 1000;
    private static final int ALL = 0xFFFF;
    private final Rig rig = Rig.a(4, 1);
    private SprayScheduler scheduler = scheduler(rig, 1, 1);

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    @Covers("R-CC-013")
    void onePathGetsOneBurstInARowWhileAnotherHasRoom(int burst) {
        scheduler = scheduler(rig, burst, 1);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            order.add(sendAndForget(i));
        }
        assertThat(longestRun(order)).isEqualTo(burst);
    }

    @Test
    @Covers("R-CC-013")
    void aBurstOfSmallPacketsGoesOnUntilItHasCostItsBytes() {
        scheduler = scheduler(rig, new SchedulerConfig(3, 10 * COST), 1);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            order.add(sendAndForget(i));
        }
        assertThat(longestRun(order)).isEqualTo(10);
    }

    @Test
    @Covers("R-CC-013")
    void severalPlanesTakeTurnsAfterAFewPacketsHoweverSmall() {
        Rig two = Rig.a(6, 2);
        SprayScheduler spray = scheduler(two, new SchedulerConfig(3, 10 * COST), 2);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int path = spray.select(i, COST, ALL);
            spray.taken(path, COST);
            order.add(path);
        }
        assertThat(longestRun(order)).isEqualTo(3);
    }

    @Test
    @Covers("R-CC-013")
    void aPathThatReturnsManyCleanPacketsGetsOneBurstInARowAllTheSame() {
        for (int i = 0; i < 64; i++) {
            scheduler.onClean(2);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            order.add(sendAndForget(i));
        }
        assertThat(longestRun(order)).isEqualTo(1);
        assertThat(order.stream().filter(path -> path == 2).count()).isBetween(10L, 21L);
    }

    @Test
    void theOnlyPathWithRoomIsTakenAgainAndAgain() {
        for (int i = 1; i < 4; i++) {
            rig.paths.outbound(i).on(PathEvent.SILENT, 0);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(sendAndForget(i)).isZero();
        }
    }

    @Test
    void packetsAreSpreadEvenly() {
        int[] counts = new int[4];
        for (int i = 0; i < 2_000; i++) {
            int path = sendAndForget(i);
            scheduler.onClean(path);
            counts[path]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(400, 600);
        }
    }

    @Test
    @Covers("R-PLANE-001")
    void planesCarryEqualCost() {
        Rig two = Rig.a(6, 2);
        SprayScheduler spray = scheduler(two, 8, 2);
        long[] carried = new long[2];
        for (int i = 0; i < 1_000; i++) {
            int cost = 70 + 37 * (i % 100);
            int path = spray.select(i, cost, ALL);
            spray.taken(path, cost);
            carried[two.paths.outbound(path).plane()] += cost;
        }
        assertThat(Math.abs(carried[0] - carried[1])).isLessThan((carried[0] + carried[1]) / 40);
    }

    @Test
    void whatReturnedCleanOnOnePlaneIsNotForgottenByAChoiceOnAnother() {
        Rig two = Rig.a(6, 2);
        SprayScheduler spray = scheduler(two, 1, 2);
        List<Integer> returned = List.of(5, 4, 1, 2, 3, 0);
        for (int path : returned) {
            spray.onClean(path);
        }
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < returned.size(); i++) {
            int path = spray.select(i, COST, ALL);
            spray.taken(path, COST);
            order.add(path);
        }
        assertThat(order).containsExactly(4, 5, 2, 1, 0, 3);
    }

    @Test
    @Covers("R-CC-002")
    void aMarkedPathIsAvoidedWhileAnotherHasRoom() {
        mark(1);
        for (int i = 0; i < 200; i++) {
            scheduler.onClean(1); // tokens from before the mark
            assertThat(sendAndForget(100)).isNotEqualTo(1);
        }
    }

    @Test
    @Covers("R-CC-002")
    void aMarkedPathIsAvoidedAlsoByItsOwnBurst() {
        scheduler = scheduler(rig, 8, 1);
        int path = sendAndForget(0);
        mark(path);
        assertThat(sendAndForget(100)).isNotEqualTo(path);
    }

    @Test
    @Covers("R-CC-002")
    void aClearPathIsTakenAlsoOnAPlaneThatHasCarriedMore() {
        Rig two = Rig.a(4, 2);
        SprayScheduler spray = scheduler(two, 1, 2);
        mark(two, 0);
        mark(two, 2); // all of plane 0
        for (int i = 0; i < 100; i++) {
            int path = spray.select(100, COST, ALL);
            spray.taken(path, COST);
            assertThat(path % 2).isEqualTo(1);
        }
    }

    @Test
    void whenAllAreMarkedTheOneThatCoolsFirstIsTaken() {
        mark(0);
        mark(1);
        mark(3);
        rig.congestion.onSignal(50, 2, new RateSignal().acked(COST).marks(1, 1).rtt(0, 100, 100, 100));
        assertThat(rig.congestion.hotUntilNs(2)).isLessThan(rig.congestion.hotUntilNs(0));
        assertThat(scheduler.select(60, COST, ALL)).isEqualTo(2);
    }

    @Test
    @Covers("R-CC-003")
    void aPathWhoseWindowIsFullIsNotTaken() {
        for (int i = 0; i < 3; i++) {
            fill(i);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(scheduler.select(i, COST, ALL)).isEqualTo(3);
            scheduler.taken(3, COST);
        }
        fill(3);
        assertThat(scheduler.select(1_000, COST, ALL)).isEqualTo(PathScheduler.NONE);
    }

    @Test
    void theOnlyPathWithRoomIsFoundWhereverTheOneBeforeWas() {
        for (int i = 0; i < 4; i++) {
            fill(i);
        }
        for (int only : new int[] {3, 0, 2, 1}) {
            rig.congestion.onLeft(only, (int) rig.congestion.windowBytes(only));
            assertThat(sendAndForget(0)).isEqualTo(only);
            fill(only);
        }
    }

    @Test
    @Covers("R-HEALTH-001")
    void aSilentPathGetsNothingNew() {
        rig.paths.outbound(2).on(PathEvent.SILENT, 0);
        for (int i = 0; i < 200; i++) {
            assertThat(sendAndForget(i)).isNotEqualTo(2);
        }
    }

    @Test
    void aPlaneWithoutRoomIsNotTaken() {
        Rig two = Rig.a(4, 2);
        SprayScheduler spray = scheduler(two, 1, 2);
        for (int i = 0; i < 50; i++) {
            int path = spray.select(i, COST, 0b10);
            spray.taken(path, COST);
            assertThat(two.paths.outbound(path).plane()).isEqualTo(1);
        }
        assertThat(spray.select(60, COST, 0)).isEqualTo(PathScheduler.NONE);
    }

    @Test
    void aPathThatIsSeldomTakenIsTakenNowAndThen() {
        // Path 3 never returns a token and is always fuller than the others.
        rig.congestion.onSent(0, 3, (int) rig.congestion.windowBytes(3) - 2 * COST);
        int taken = 0;
        for (int i = 0; i < 640; i++) {
            int path = scheduler.select(i, COST, ALL);
            scheduler.taken(path, COST);
            if (path == 3) {
                taken++;
            } else {
                scheduler.onClean(path);
            }
        }
        assertThat(taken).isBetween(5, 60);
    }

    @Test
    void ofTwoTheOneWhoseWindowIsLessFullIsTaken() {
        Rig two = Rig.a(2, 1);
        assertThat(firstChoices(two, 1)).as("equally full: the lower number").isLessThan(150);
        two.congestion.onSent(0, 0, 1_000);
        assertThat(firstChoices(two, 1)).isGreaterThan(250);
        two.congestion.onSent(0, 1, 2_000);
        assertThat(firstChoices(two, 1)).isLessThan(150);
    }

    @Test
    void ofTwoEquallyFullOnesTheFasterIsTaken() {
        Rig two = Rig.a(2, 1);
        move(two, 0, 2 * Rig.RTT_NS);
        move(two, 1, Rig.RTT_NS);
        assertThat(firstChoices(two, 1)).isGreaterThan(250);
        move(two, 1, 3 * Rig.RTT_NS);
        assertThat(firstChoices(two, 1)).isLessThan(150);
    }

    /** To a route with this round trip. */
    private static void move(Rig rig, int path, long rttNs) {
        Path moved = rig.paths.outbound(path);
        RouteMoves moves =
                new RouteMoves(2, rig.congestion, rig.slab, rig.agreement, rig.counters, TransportEvents.NONE);
        moved.on(PathEvent.SILENT, 0);
        moves.fail(0, moved);
        Rebind.own(0, moved, moved.route(), rttNs, PathEvent.CANDIDATE_ECHOED, moves.leavingFlight(moved));
    }

    /** How often of 400 times a scheduler that has chosen nothing yet takes the path. */
    private static int firstChoices(Rig rig, int path) {
        int taken = 0;
        for (int seed = 0; seed < 400; seed++) {
            ActivePaths active = new ActivePaths(0, rig.paths, rig.congestion, 4096, 1);
            SprayScheduler spray = new SprayScheduler(
                    rig.paths,
                    active,
                    rig.congestion,
                    new SplitMix64(seed),
                    new SchedulerConfig(1),
                    rig.agreement.planes());
            taken += spray.select(0, COST, ALL) == path ? 1 : 0;
        }
        return taken;
    }

    // Selects and takes; the packet leaves no trace in the windows.
    private int sendAndForget(long nowNs) {
        int path = scheduler.select(nowNs, COST, ALL);
        scheduler.taken(path, COST);
        return path;
    }

    private void fill(int path) {
        rig.congestion.onSent(0, path, (int) rig.congestion.windowBytes(path));
    }

    private void mark(int path) {
        mark(rig, path);
    }

    private static void mark(Rig rig, int path) {
        rig.congestion.onSignal(
                50, path, new RateSignal().acked(COST).marks(1, 1).rtt(0, 1_000_000, 8_000, 8_000));
    }

    private static int longestRun(List<Integer> order) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < order.size(); i++) {
            run = i > 0 && order.get(i).equals(order.get(i - 1)) ? run + 1 : 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static SprayScheduler scheduler(Rig rig, int burst, int planes) {
        return scheduler(rig, new SchedulerConfig(burst), planes);
    }

    private static SprayScheduler scheduler(Rig rig, SchedulerConfig config, int planes) {
        ActivePaths active = new ActivePaths(0, rig.paths, rig.congestion, 4096, planes);
        return new SprayScheduler(rig.paths, active, rig.congestion, new SplitMix64(3), config, rig.agreement.planes());
    }
}

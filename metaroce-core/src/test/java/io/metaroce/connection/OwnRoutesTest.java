package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.num.Minifloat;
import io.metaroce.path.Candidate;
import io.metaroce.path.CandidateState;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.trace.TransportEvents;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a path wants, and how it gets there. */
class OwnRoutesTest {
    private static final int STALLED_STEPS = 8; // more than it takes until routes are doubted
    private final Parts four = new Parts(4, 1);
    private final Parts planes = new Parts(4, 2); // even paths are at home on plane 0

    // ---- wishes

    @Test
    @Covers({"R-HEALTH-005", "R-PATH-018"})
    void whoWantsAnotherEntropyGetsOneThatHasAnsweredOnce() {
        Route before = four.path(1).route();
        assertThat(four.routes.redraw(four.nowNs, 1)).isTrue();
        Route wanted = Objects.requireNonNull(four.candidate(1).route());
        assertThat(wanted).isNotEqualTo(before);
        assertThat(wanted.plane()).isZero();
        assertThat(four.path(1).route()).isEqualTo(before);
        assertThat(four.routes.isChallengeWanted()).isTrue();
        assertThat(four.routes.onEcho(four.nowNs, four.candidate(1).challenge() + 1))
                .as("an echo of something else")
                .isFalse();
        four.echo(1);
        assertThat(four.path(1).route()).isEqualTo(wanted);
        assertThat(four.path(1).state()).isEqualTo(PathState.ACTIVE);
        four.step();
        assertThat(four.candidate(1).state()).as("it has what it wanted").isEqualTo(CandidateState.NONE);
        assertThat(four.routes.isChallengeWanted()).isFalse();
    }

    @Test
    @Covers("R-PATH-015")
    void whatIsUnderWayArrivesFirst() {
        four.rig.send(four.nowNs, 1);
        four.deliver(1);
        four.rig.send(four.nowNs, 1);
        Route before = four.path(1).route();
        four.routes.redraw(four.nowNs, 1);
        four.echo(1);
        assertThat(four.path(1).state()).isEqualTo(PathState.DRAINING);
        assertThat(four.path(1).route()).isEqualTo(before);
        four.acknowledge(1, 1);
        four.routes.onReport(four.nowNs);
        assertThat(four.path(1).state()).isEqualTo(PathState.ACTIVE);
        assertThat(four.path(1).route()).isNotEqualTo(before);
    }

    @Test
    void aRouteThatAnsweredTooLongAgoIsAskedOnceMoreAndThePathCarriesData() {
        four.rig.send(four.nowNs, 1);
        four.deliver(1);
        four.rig.send(four.nowNs, 1);
        four.routes.redraw(four.nowNs, 1);
        four.echo(1);
        Route wanted = four.candidate(1).route();
        long first = four.candidate(1).challenge();
        four.nowNs = four.candidate(1).deadlineNs();
        assertThat(four.routes.deadlineNs()).isEqualTo(four.nowNs);
        four.routes.onDeadline(four.nowNs);
        assertThat(four.path(1).state()).isEqualTo(PathState.ACTIVE);
        assertThat(four.candidate(1).state()).isEqualTo(CandidateState.PROBING);
        assertThat(four.candidate(1).route()).isEqualTo(wanted);
        assertThat(four.candidate(1).challenge()).isNotEqualTo(first);
    }

    @Test
    void aPinnedPathStaysWhereItIs() {
        four.routes.redraw(four.nowNs, 1);
        four.routes.pin(1, true);
        four.step();
        assertThat(four.candidate(1).state()).as("what was wished is forgotten").isEqualTo(CandidateState.NONE);
        assertThat(four.routes.redraw(four.nowNs, 1)).isFalse();
        assertThat(four.routes.redraw(four.nowNs, 2)).isTrue();
        four.routes.pin(1, false);
        four.nowNs += Rig.RTT_NS;
        assertThat(four.routes.redraw(four.nowNs, 1)).isTrue();
        assertThat(four.candidate(1).state()).isEqualTo(CandidateState.PROBING);
    }

    @Test
    void aParkedPathDrainsAndWaitsForTheOperator() {
        four.rig.send(four.nowNs, 1);
        assertThat(four.routes.park(four.nowNs, 1)).isTrue();
        assertThat(four.path(1).state()).isEqualTo(PathState.DRAINING);
        four.acknowledge(1, 0);
        four.routes.onDeadline(four.nowNs);
        assertThat(four.path(1).state()).isEqualTo(PathState.ADMIN_DOWN);
        four.routes.onDeadline(four.nowNs);
        assertThat(four.candidate(1).state()).isEqualTo(CandidateState.NONE);
        four.routes.unpark(four.nowNs, 1);
        four.echo(1);
        assertThat(four.path(1).state()).isEqualTo(PathState.ACTIVE);
    }

    @Test
    void aPathThatIsParkedGivesUpItsTest() {
        four.routes.redraw(four.nowNs, 1);
        four.routes.park(four.nowNs, 1);
        assertThat(four.candidate(1).state()).isEqualTo(CandidateState.NONE);
        assertThat(four.path(1).state()).isEqualTo(PathState.ADMIN_DOWN);
        assertThat(four.routes.isChallengeWanted()).isFalse();
    }

    @Test
    void theLastPathIsNotParked() {
        for (int path = 0; path < 3; path++) {
            assertThat(four.routes.park(four.nowNs, path)).isTrue();
            assertThat(four.routes.park(four.nowNs, path)).as("once more").isTrue();
        }
        assertThat(four.routes.park(four.nowNs, 3)).isFalse();
        assertThat(four.path(3).state()).isEqualTo(PathState.ACTIVE);
    }

    @Test
    void onlyPathsThatThereAreTakeOrders() {
        PathOrders orders =
                new PathOrders(four.rig.keeping(TransportEvents.NONE).care, four.routes, four.rig.paths.count());
        for (int none : new int[] {-1, 4}) {
            assertThat(orders.pin(none, true)).isFalse();
            assertThat(orders.redraw(four.nowNs, none)).isFalse();
            assertThat(orders.park(four.nowNs, none)).isFalse();
            orders.unpark(four.nowNs, none);
        }
        assertThat(orders.pin(0, true)).isTrue();
        assertThat(orders.redraw(four.nowNs, 0)).as("it is pinned").isFalse();
        assertThat(orders.redraw(four.nowNs, 3)).isTrue();
        assertThat(orders.pin(0, false)).isTrue();
        four.nowNs += Rig.RTT_NS;
        assertThat(orders.redraw(four.nowNs, 0)).isTrue();
    }

    // ---- how many at a time

    @Test
    @Covers("R-PATH-026")
    void oneOfSixteenPathsIsTestedInARoundTrip() {
        Parts many = new Parts(32, 1);
        for (int path = 0; path < 5; path++) {
            many.routes.redraw(many.nowNs, path);
        }
        assertThat(many.testing()).isEqualTo(2);
        long next = many.nowNs + Rig.RTT_NS;
        assertThat(many.routes.deadlineNs()).isEqualTo(next);
        many.nowNs = next - 1;
        many.step();
        assertThat(many.testing()).isEqualTo(2);
        many.nowNs = next;
        many.step();
        assertThat(many.testing()).isEqualTo(4);
    }

    @Test
    @Covers("R-PATH-015")
    void oneOfEightPathsDrainsAtATime() {
        Parts many = new Parts(16, 1);
        for (int path = 0; path < 4; path++) {
            many.rig.send(many.nowNs, path);
            many.deliver(path);
            many.rig.send(many.nowNs, path);
        }
        for (int path = 0; path < 4; path++) {
            many.nowNs += 4 * Rig.RTT_NS;
            many.routes.redraw(many.nowNs, path);
            many.echo(path);
            assertThat(many.draining()).isEqualTo(Math.min(path + 1, 2));
        }
        many.acknowledge(0, 1);
        many.nowNs += 2 * Rig.RTT_NS;
        many.step();
        many.nowNs += 2 * Rig.RTT_NS;
        many.step();
        assertThat(many.path(0).epoch()).isEqualTo(1);
        assertThat(many.draining()).as("the next one follows").isEqualTo(2);
    }

    // ---- failed and stuck

    @Test
    @Covers("R-HEALTH-004")
    void aFailedPathTestsFreshRoutesAtOnceAndAsksOnItsOldOne() {
        four.path(2).on(PathEvent.SILENT, four.nowNs);
        four.moves.fail(four.nowNs, four.path(2));
        assertThat(four.path(2).isProbeWanted()).isFalse();
        four.routes.onDeadline(four.nowNs);
        assertThat(four.path(2).isProbeWanted()).isTrue();
        Route first = four.candidate(2).route();
        four.candidate(2).sent(four.nowNs, 1_000);
        four.nowNs += 1_000;
        four.routes.onDeadline(four.nowNs);
        assertThat(four.candidate(2).route()).as("nothing came back").isNotEqualTo(first);
        four.echo(2);
        assertThat(four.path(2).state()).isEqualTo(PathState.ACTIVE);
        assertThat(four.path(2).isBorrowed()).isFalse();
    }

    @Test
    @Covers("R-PATH-025")
    void whatWasLostOnTheRouteBeforeGoesFirst() {
        four.rig.send(four.nowNs, 1);
        four.path(1).on(PathEvent.SILENT, four.nowNs);
        four.moves.borrow(four.nowNs, four.path(1), four.path(0));
        four.step();
        assertThat(four.candidate(1).state())
                .as("a slot waits to be sent again")
                .isEqualTo(CandidateState.NONE);
        assertThat(four.path(1).queued()).isEqualTo(1);
    }

    @Test
    void whereNoRouteCarriesASlotTheFirstOfAPlaneThatAnswersIsTakenAtOnce() {
        planes.needs.isUnmet = true;
        for (int path = 0; path < 4; path++) {
            planes.rig.send(planes.nowNs, path);
        }
        planes.routes.onDeadline(planes.nowNs);
        assertThat(planes.candidate(0).state()).isEqualTo(CandidateState.PROBING);
        assertThat(planes.candidate(1).state()).isEqualTo(CandidateState.PROBING);
        assertThat(planes.testing()).as("one of each plane").isEqualTo(2);
        planes.echo(0);
        assertThat(planes.path(0).epoch()).isEqualTo(1);
        assertThat(planes.path(0).state()).isEqualTo(PathState.ACTIVE);
        assertThat(planes.path(0).queued()).as("to be sent again").isEqualTo(1);
        assertThat(planes.path(2).epoch()).isZero();
    }

    @Test
    @Covers("R-HEALTH-013")
    void whenNothingIsDeliveredAnywhereAllThatWaitMoveToTheRouteThatAnswers() {
        four.rig.send(four.nowNs, 1);
        four.rig.send(four.nowNs, 2);
        four.routes.onDeadline(four.nowNs);
        assertThat(four.testing()).isZero();
        four.stall.onTimeout(four.nowNs, 1_000);
        for (int step = 0; step < STALLED_STEPS; step++) {
            int unused = four.stall.step(four.nowNs, 1_000);
        }
        assertThat(four.stall.doubtsRoutes()).isTrue();
        four.routes.onDeadline(four.nowNs);
        assertThat(four.testing()).isEqualTo(1);
        Route answered = four.candidate(1).route();
        four.echo(1);
        assertThat(four.path(1).route()).isEqualTo(answered);
        assertThat(four.path(1).isBorrowed()).isFalse();
        assertThat(four.path(2).route()).isEqualTo(answered);
        assertThat(four.path(2).isBorrowed()).isTrue();
        assertThat(four.path(0).epoch()).as("it has nothing under way").isZero();
        assertThat(four.path(3).epoch()).isZero();
        assertThat(four.stall.doubtsRoutes()).as("the new ones have their time").isFalse();
    }

    // ---- planes

    @Test
    void whoIsAwayFromHomeWantsBackThere() {
        planes.path(1).on(PathEvent.SILENT, planes.nowNs);
        planes.moves.borrow(planes.nowNs, planes.path(1), planes.path(0));
        planes.step();
        assertThat(planes.plane(1)).isEqualTo(1);
        planes.echo(1);
        assertThat(planes.path(1).plane()).isEqualTo(1);
        planes.step();
        assertThat(planes.testing()).isZero();
    }

    @Test
    void withItsHomeLostItLooksWhereItIs() {
        planes.usable.set(0b01);
        planes.path(1).on(PathEvent.SILENT, planes.nowNs);
        planes.moves.borrow(planes.nowNs, planes.path(1), planes.path(0));
        planes.step();
        assertThat(planes.plane(1)).isZero();
        planes.echo(1);
        planes.step();
        assertThat(planes.candidate(1).state()).as("home is lost still").isEqualTo(CandidateState.NONE);
        planes.usable.set(0b11);
        planes.nowNs += 2 * Rig.RTT_NS;
        planes.step();
        assertThat(planes.plane(1)).as("and is back").isEqualTo(1);
    }

    @Test
    void aFailedPathOnALostPlaneLooksElsewhere() {
        planes.usable.set(0b10);
        planes.path(2).on(PathEvent.SILENT, planes.nowNs);
        planes.moves.fail(planes.nowNs, planes.path(2));
        planes.step();
        assertThat(planes.plane(2)).isEqualTo(1);
    }

    @Test
    void anotherEntropyIsDrawnOnThePlaneWhereThePathIs() {
        planes.usable.set(0b01);
        planes.path(1).on(PathEvent.SILENT, planes.nowNs);
        planes.moves.borrow(planes.nowNs, planes.path(1), planes.path(0));
        planes.usable.set(0b11);
        planes.routes.redraw(planes.nowNs, 1);
        assertThat(planes.plane(1)).isZero();
    }

    // ---- rest

    @Test
    void whoeverHasWhatItWantsIsLeftAlone() {
        four.routes.onDeadline(four.nowNs);
        assertThat(four.testing()).isZero();
        assertThat(four.routes.deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    /** Everything that gives paths their routes, and a fabric that answers when a test says so. */
    private static final class Parts {
        final Rig rig;
        final Rig other;
        final RouteMoves moves;
        final UsablePlanes usable = new UsablePlanes();
        final StallWatch stall = new StallWatch(200_000_000);
        final RouteNeeds needs;
        final OwnRoutes routes;
        long nowNs = 10_000_000;

        Parts(int paths, int planes) {
            rig = Rig.a(paths, planes);
            other = Rig.b(paths, planes);
            moves = new RouteMoves(paths, rig.congestion, rig.slab, rig.agreement, rig.counters, TransportEvents.NONE);
            usable.set((1 << planes) - 1);
            needs = new RouteNeeds(PayloadSizes.index(rig.agreement.payloadBytes()));
            FreshRoutes fresh = new FreshRoutes(rig.paths, rig.agreement, rig.shared(TransportEvents.NONE));
            routes = new OwnRoutes(rig.paths, rig.agreement, moves, fresh, usable, needs, stall);
        }

        Path path(int i) {
            return rig.paths.outbound(i);
        }

        Candidate candidate(int i) {
            return path(i).candidate();
        }

        /** Plane of the route under test. */
        int plane(int i) {
            Route route = candidate(i).route();
            return route == null ? -1 : route.plane();
        }

        void step() {
            routes.step(nowNs);
        }

        void echo(int path) {
            candidate(path).sent(nowNs, 1_000);
            nowNs += 500;
            assertThat(routes.onEcho(nowNs, candidate(path).challenge())).isTrue();
        }

        /** The first slot of a path comes, and its report returns. */
        void deliver(int path) {
            acknowledge(path, 0);
        }

        void acknowledge(int path, int index) {
            other.receive(nowNs, rig, path, index, path(path).oldestStamp());
            other.writer.write(nowNs, other.out, Minifloat.HINT_NONE, 1, 0);
            rig.reader.onReport(nowNs, other.written(), AckReader.Kind.ACK);
            assertThat(path(path).unacked()).isZero();
        }

        int testing() {
            return count(true);
        }

        int draining() {
            return count(false);
        }

        private int count(boolean tests) {
            int count = 0;
            for (int i = 0; i < rig.paths.count(); i++) {
                boolean counts =
                        tests ? candidate(i).state() != CandidateState.NONE : path(i).state() == PathState.DRAINING;
                count += counts ? 1 : 0;
            }
            return count;
        }
    }
}

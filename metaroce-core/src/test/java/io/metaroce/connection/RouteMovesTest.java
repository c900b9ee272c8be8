package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.datagram.Route;
import io.metaroce.path.CandidateState;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.Counter;
import io.metaroce.trace.TransportEvents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who borrows from whom, and who hears of it. */
class RouteMovesTest {
    private final Rig a = Rig.a(4, 1);
    private final List<String> told = new ArrayList<>();
    private final RouteMoves moves = new RouteMoves(4, a.congestion, a.slab, a.agreement, a.counters, new Told());

    RouteMovesTest() {
        moves.news((nowNs, path, isOwn) -> told.add(nowNs + (isOwn ? " own " : " lost ") + path));
    }

    @Test
    @Covers({"R-PATH-016", "R-PATH-017"})
    void whoBorrowsLosesItsOwnOnceAndSendsItsSlotsAgain() {
        a.send(0, 0);
        a.send(0, 0);
        borrow(100, 0, 1);
        assertThat(told).containsExactly("rebound 0 by epoch 1", "100 lost 0");
        assertThat(borrowers()).containsExactly(0, 1, 0, 0);
        assertThat(path(0).state()).isEqualTo(PathState.ACTIVE);
        assertThat(a.congestion.inFlightBytes()).isZero();
        assertThat(a.counters.get(Counter.PATHS_REBOUND)).isEqualTo(1);
        assertThat(a.counters.get(Counter.RETRANSMIT_REBIND)).isEqualTo(2);
        borrow(200, 0, 2);
        assertThat(told).as("that it has none of its own was told").hasSize(3).endsWith("rebound 0 by epoch 2");
        assertThat(borrowers()).containsExactly(0, 0, 1, 0);
        borrow(300, 3, 2);
        assertThat(borrowers()).containsExactly(0, 0, 2, 0);
        assertThat(moves.count()).isEqualTo(3);
    }

    @Test
    @Covers("R-HEALTH-004")
    void whoGetsARouteOfItsOwnGivesTheOtherBack() {
        borrow(100, 0, 1);
        silence(200, 0);
        told.clear();
        moves.fail(200, path(0));
        assertThat(told).as("lost before").containsExactly("state 0 " + PathState.FAILED.number());
        assertThat(borrowers()).containsExactly(0, 1, 0, 0);
        told.clear();
        own(300, 0);
        assertThat(told).containsExactly("rebound 0 by epoch 2", "state 0 " + PathState.ACTIVE.number(), "300 own 0");
        assertThat(borrowers()).containsExactly(0, 0, 0, 0);
        assertThat(path(0).candidate().state()).isEqualTo(CandidateState.NONE);
        assertThat(moves.count()).isEqualTo(3);
    }

    @Test
    void whoFailsAloneHasLostItsOwn() {
        silence(200, 3);
        moves.fail(200, path(3));
        assertThat(told).containsExactly("state 3 " + PathState.FAILED.number(), "200 lost 3");
        assertThat(moves.count()).isEqualTo(1);
    }

    @Test
    void whatABorrowerTakesOverIsNoMoreThanTheLenderHas() {
        int packetBytes = a.agreement.payloadBytes() + CongestionControl.PACKET_OVERHEAD_BYTES;
        a.congestion.quarter(1);
        long less = Math.max(a.congestion.windowBytes(1), 2L * packetBytes);
        assertThat(a.congestion.windowBytes(0)).isGreaterThan(less);
        borrow(100, 0, 1);
        assertThat(a.congestion.windowBytes(0)).isEqualTo(less);
    }

    @Test
    void aTimerAcknowledgesNothing() {
        assertThatThrownBy(() -> moves.acked(0)).isInstanceOf(IllegalStateException.class);
    }

    private void borrow(long nowNs, int path, int donor) {
        silence(nowNs, path);
        moves.borrow(nowNs, path(path), path(donor));
    }

    private void own(long nowNs, int path) {
        Route fresh = new Route(0, 200, a.agreement.planes().get(0));
        path(path).test(fresh, 42);
        path(path).candidate().sent(nowNs - 50, 1_000);
        assertThat(path(path).candidate().onEcho(nowNs, 42, 50)).isTrue();
        moves.own(nowNs, path(path), fresh, PathEvent.CANDIDATE_ECHOED);
        assertThat(path(path).route()).isEqualTo(fresh);
    }

    private void silence(long nowNs, int path) {
        path(path).on(PathEvent.SILENT, nowNs);
    }

    private List<Integer> borrowers() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(moves.borrowers(path(i)));
        }
        return all;
    }

    private Path path(int i) {
        return a.paths.outbound(i);
    }

    private final class Told implements TransportEvents {
        @Override
        public void pathState(long nowNs, int connectionId, int path, int state) {
            told.add("state " + path + " " + state);
        }

        @Override
        public void pathRebound(long nowNs, int connectionId, int path, int epoch, int entropy) {
            told.add("rebound " + path + " by epoch " + epoch);
        }
    }
}

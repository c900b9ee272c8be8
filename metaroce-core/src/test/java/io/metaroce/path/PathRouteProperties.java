package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The routes of the paths of one connection, and what becomes of a path that takes another one. */
class PathRouteProperties implements TxSlots.Outcome {
    private static final long RTT_NS = 8_000;
    private static final long PEER_DELAY_NS = 1_000;
    private static final Route OWN = new Route(3, 77, Address.ipv4(2, 2));

    private final SlotSlab slab = new SlotSlab(64);
    private final PathTable table = new PathTable(3, Profiles.model().path(), slab, RxWindow.WIDTH_PACKETS, RTT_NS);
    private final Path path = path(1, new Route(2, 5, Address.ipv4(1, 1)));
    private final Path other = path(2, new Route(3, 5, Address.ipv4(1, 1)));
    private final List<Integer> lost = new ArrayList<>();
    private final List<Integer> stamps = new ArrayList<>();
    private long nowNs = 1_000_000;

    // ---- which route

    @Property
    void pathsHaveTheirRouteNumberInCommonOnlyWhileTheirRoutesAreEqual(
            @ForAll @IntRange(min = 0, max = 15) int plane,
            @ForAll @IntRange(min = 0, max = 0xFFFF) int entropy,
            @ForAll @IntRange(min = 0, max = 15) int otherPlane,
            @ForAll @IntRange(min = 0, max = 3) int step) {
        Path one = path(0, new Route(plane, entropy, Address.ipv4(1, 1)));
        Path two = path(2, new Route(otherPlane, (entropy + step) & 0xFFFF, Address.ipv4(1, 1)));
        assertThat(one.routeNumber() == two.routeNumber()).isEqualTo(plane == otherPlane && step == 0);
        assertThat(one.routeNumber()).isNotNegative();
        assertThat(one.plane()).isEqualTo(plane);
        for (int k = 0; k < 16; k++) {
            assertThat(one.isOn(1 << k)).isEqualTo(k == plane);
            assertThat(one.isOn(~(1 << k))).isEqualTo(k != plane);
        }
    }

    @Example
    void aPathIsKnownByItsNumberAndBeginsOnARouteOfItsOwn() {
        assertThat(path.id()).isEqualTo(1);
        assertThat(path.epoch()).isZero();
        assertThat(path.isBorrowed()).isFalse();
        path.beginIn(200);
        assertThat(path.epoch()).isEqualTo(200);
        assertThat(other.epoch()).isZero();
    }

    @Example
    @Covers("R-PLANE-006")
    void nothingNewIsSentBeforeTheAddressIsValidated() {
        assertThat(path.hasRoom()).isTrue();
        path.beginUnvalidated();
        assertThat(path.state()).isEqualTo(PathState.VALIDATING);
        assertThat(path.hasRoom()).isFalse();
        assertThat(path.on(PathEvent.SILENT, nowNs)).isFalse();
        assertThat(path.on(PathEvent.CANDIDATE_ECHOED, nowNs)).isTrue();
        assertThat(path.hasRoom()).isTrue();
        assertThat(other.hasRoom()).isTrue();
    }

    // ---- taking another one

    @Example
    @Covers({"R-PATH-010", "R-PATH-011"})
    void aRouteOfItsOwnBeginsWithTheTimesOfItsChallenge() {
        send(2);
        path.on(PathEvent.SILENT, nowNs);
        Rebind.fail(nowNs, path, this);
        Rebind.own(nowNs, path, OWN, 30_000, PathEvent.CANDIDATE_ECHOED, this);
        assertThat(path.route()).isSameAs(OWN);
        assertThat(path.plane()).isEqualTo(3);
        assertThat(path.isBorrowed()).isFalse();
        assertThat(path.epoch()).isEqualTo(1);
        assertThat(path.state()).isEqualTo(PathState.ACTIVE);
        assertThat(path.smoothedRttNs()).isEqualTo(30_000);
        assertThat(path.baseRttNs()).isEqualTo(30_000);
        assertThat(path.nextPsn()).isEqualTo(2);
        assertThat(path.queued()).isEqualTo(2);
    }

    @Example
    void aPathInFlightThatMovesByItselfTakesItsSlotsAlong() {
        send(3);
        Rebind.own(nowNs, path, OWN, 30_000, PathEvent.DRAINED, this);
        assertThat(lost).containsExactly(0, 1, 2);
        assertThat(path.isInUse()).isFalse();
        assertThat(path.queued()).isEqualTo(3);
    }

    @Example
    @Covers("R-PATH-010")
    void whereThereIsOneSourcePortOnlyThePathMayStayAndSoDoesItsEpoch() {
        Rebind.own(nowNs, path, path.route(), 30_000, PathEvent.DRAINED, this);
        assertThat(path.epoch()).isZero();
        Rebind.own(nowNs, path, new Route(2, 5, Address.ipv4(1, 2)), 30_000, PathEvent.DRAINED, this);
        assertThat(path.epoch()).as("another address is another route").isEqualTo(1);
    }

    @Example
    @Covers("R-PATH-018")
    void whoBorrowsIsKnownAsABorrowerUntilItHasARouteOfItsOwn() {
        Rebind.borrow(nowNs, path, other, this);
        assertThat(path.isBorrowed()).isTrue();
        assertThat(path.routeNumber()).isEqualTo(other.routeNumber());
        assertThat(other.isBorrowed()).isFalse();
        Rebind.own(nowNs, path, OWN, 30_000, PathEvent.DRAINED, this);
        assertThat(path.isBorrowed()).isFalse();
    }

    @Example
    void aFailedPathWaitsWithAllItHas() {
        send(3);
        path.on(PathEvent.SILENT, nowNs);
        Rebind.fail(nowNs, path, this);
        assertThat(path.state()).isEqualTo(PathState.FAILED);
        assertThat(lost).containsExactly(0, 1, 2);
        assertThat(path.queued()).isEqualTo(3);
        assertThat(path.nextResend()).isEqualTo(SlotSlab.NONE);
        assertThat(path.deadlineNs()).isEqualTo(Deadline.NEVER);
    }

    @Example
    @Covers({"R-HEALTH-007", "R-LOSS-006"})
    void whatWasLearntOfARouteIsVoidOnTheNextOne() {
        send(3);
        evidence("001", 2);
        resend();
        path.merge(nowNs, Blocks.of(3, "", stamps.get(2), 0), this); // slot 0 had come, slot 1 as well
        table.losses().onReport(1, 0, 5, false);
        table.markRounds().onBlock(1, 8, 8);
        table.markRounds().turn(nowNs, 1, RTT_NS);
        assertThat(path.takeRedraw()).isTrue();
        assertThat(path.takeRedraw()).isFalse();
        path.wantProbe();
        assertThat(path.reorderPackets()).isEqualTo(1);
        Rebind.borrow(nowNs, path, other, this);
        assertThat(path.reorderPackets()).isZero();
        assertThat(table.losses().score(1)).isZero();
        assertThat(table.markRounds().isKnown(1)).isFalse();
        assertThat(path.isProbeWanted()).isFalse();
        assertThat(path.isEchoed()).isFalse();
        assertThat(path.takeRedraw()).isTrue();
    }

    // ---- looking back

    @Example
    void aMoveIsRefutedByWhatTheRouteLeftDeliveredMeanwhile() {
        send(2);
        evidence("1", 0);
        assertThat(path.isMoveRefutedBy(nowNs, Blocks.of(2, "", stamps.get(1), 0)))
                .as("it has not moved")
                .isFalse();
        assertThat(path.patience(nowNs)).isEqualTo(1);
        Rebind.borrow(nowNs, path, other, this);
        assertThat(path.patience(nowNs)).isEqualTo(1);
        assertThat(path.isMoveRefutedBy(nowNs, Blocks.of(1, "", stamps.get(0), 0)))
                .isFalse();
        assertThat(path.isMoveRefutedBy(nowNs, Blocks.of(2, "", stamps.get(1), 0)))
                .isTrue();
        assertThat(path.patience(nowNs)).isEqualTo(2);
        assertThat(other.patience(nowNs)).isEqualTo(1);
        assertThat(other.isMoveRefutedBy(nowNs, Blocks.of(2, "", stamps.get(1), 0)))
                .isFalse();
    }

    // ---- the route under test

    @Example
    void eachPathHasACandidateOfItsOwn() {
        Path first = path(0, new Route(0, 1, Address.ipv4(1, 1)));
        assertThat(path.candidate().state()).isEqualTo(CandidateState.NONE);
        path.test(OWN, 9);
        assertThat(path.candidate().state()).isEqualTo(CandidateState.PROBING);
        assertThat(path.candidate().route()).isSameAs(OWN);
        assertThat(path.candidate().challenge()).isEqualTo(9);
        for (Path untested : List.of(first, other)) {
            assertThat(untested.candidate().state()).isEqualTo(CandidateState.NONE);
            assertThat(untested.candidate().deadlineNs()).isEqualTo(Deadline.NEVER);
        }
        other.test(OWN, 10);
        assertThat(path.candidate().challenge()).isEqualTo(9);
        path.candidate().sent(nowNs, 1_000);
        path.test(OWN, 11); // the same candidate asks again
        path.candidate().sent(nowNs, 1_000);
        assertThat(path.candidate().deadlineNs()).isEqualTo(nowNs + 2_000);
    }

    // ---- the small print

    private Path path(int id, Route route) {
        return new Path(id, table, 0, route);
    }

    private void send(int n) {
        for (int i = 0; i < n; i++) {
            nowNs += 160;
            stamps.add(path.takeStamp(nowNs));
            path.sent(nowNs, path.open(), stamps.get(i), 1_000, PEER_DELAY_NS, Tail.LAST);
        }
    }

    private void resend() {
        nowNs += 160;
        path.sent(nowNs, path.nextResend(), path.takeStamp(nowNs), 1_000, PEER_DELAY_NS, Tail.LAST);
    }

    private void evidence(String bits, int echoed) {
        PathBlock block = Blocks.of(0, bits, stamps.get(echoed), 0);
        path.merge(nowNs, block, this);
        path.onEvidence(nowNs, block, true, 256, PEER_DELAY_NS, this);
    }

    @Override
    public void acked(int slot) {}

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}

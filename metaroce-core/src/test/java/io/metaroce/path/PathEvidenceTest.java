package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a path makes of reports beyond releasing slots. Slots are counted from 0; one is sent every 160 ns. */
class PathEvidenceTest implements TxSlots.Outcome {
    private static final long RTT_NS = 8_000;
    private static final long STEP_NS = 160;
    private static final long PEER_DELAY_NS = 1_000;
    private static final int COVERED = 256;

    private final SlotSlab slab = new SlotSlab(512);
    private final PathTable table = new PathTable(2, Profiles.model().path(), slab, RxWindow.WIDTH_PACKETS, RTT_NS);
    private final Path path = path(0);
    private final Path other = path(1);
    private final List<Integer> lost = new ArrayList<>();
    private final List<Integer> stamps = new ArrayList<>(); // of the first transmission of each slot
    private long nowNs = 1_000_000;

    // ---- what is counted

    @Test
    void whatHappensOnAPathIsCounted() {
        send(3);
        evidence(counted(0, "001", stamps.get(2), 1, 1, 0)); // slots 0 and 1 are lost
        resend();
        merge(Blocks.of(1, "", stamps.get(2), 0)); // slot 0 had come before it was sent again
        int probe = probe();
        evidence(counted(1, "01", probe, 3, 2, 1));
        assertThat(path.stats()).isEqualTo(new PathStats(3, 4, 2, 2, 1, 1, 1, 2));
        Rebind.borrow(nowNs, path, other, this);
        assertThat(path.stats().resent()).as("slot 1 waits to be sent again").isEqualTo(3);
        assertThat(other.stats()).isEqualTo(new PathStats(0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void aSlotThatATimeoutBringsAlongIsResentAndNotLostByAGap() {
        send(1);
        while (!path.isResendForced()) {
            timeout();
        }
        assertThat(path.timeoutsInARow()).isEqualTo(Path.TIMEOUTS_TO_RESEND);
        assertThat(path.stats().resent()).isEqualTo(1);
    }

    @Test
    void whatTheReceiverCountsIsToldAsGrowth() {
        send(9);
        evidence(counted(1, "", stamps.get(0), 10, 4, 2));
        evidence(counted(2, "", stamps.get(1), 17, 9, 5));
        assertThat(path.rxDelta()).isEqualTo(7);
        assertThat(path.ceDelta()).isEqualTo(5);
        assertThat(path.duplicatesDelta()).isEqualTo(3);
    }

    @Test
    @Covers("R-HEALTH-010")
    void marksAreGatheredForTheRoundOfTheirPath() {
        send(2);
        evidence(counted(1, "", stamps.get(0), 7, 3, 0));
        assertThat(table.markRounds().isOver(nowNs, 0)).isFalse();
        evidence(counted(2, "", stamps.get(1), 8, 4, 0));
        assertThat(table.markRounds().isOver(nowNs, 0)).isTrue();
        assertThat(table.markRounds().isOver(nowNs, 1)).isFalse();
        table.markRounds().turn(nowNs, 0, RTT_NS);
        assertThat(table.markRounds().hotRounds(0)).isEqualTo(1);
    }

    // ---- what shows that the path delivers

    @Test
    void evidenceIsRememberedOfThePathAndOfTheWholeConnection() {
        assertThat(table.newestEchoed(nowNs)).isEqualTo(PathTable.NO_PATH);
        send(2);
        nowNs += 500;
        assertThat(path.isEchoed()).isFalse();
        evidence(Blocks.of(1, "", stamps.get(0), 0));
        assertThat(path.lastEvidenceNs()).isEqualTo(nowNs);
        assertThat(table.lastEvidenceNs()).isEqualTo(nowNs);
        assertThat(other.lastEvidenceNs()).isZero();
        assertThat(path.isEchoed()).isTrue();
        assertThat(path.newestEcho()).isEqualTo(stamps.get(0));
        assertThat(table.newestEchoed(nowNs)).isZero();
    }

    @Test
    void theNewestEchoIsThatOfThePathThatDeliveredIt() {
        send(1);
        int sentOnTheOther = send(other);
        evidence(Blocks.of(1, "", stamps.get(0), 0));
        assertThat(table.newestEchoed(nowNs)).isZero();
        evidence(other, Blocks.of(1, "", sentOnTheOther, 0));
        assertThat(table.newestEchoed(nowNs)).isEqualTo(1);
    }

    @Test
    @Covers("R-LOSS-008")
    void evidenceEndsTheTimeoutsInARowAndTheNextOneCountsFromIt() {
        send(2);
        timeout();
        timeout();
        assertThat(path.timeoutsInARow()).isEqualTo(2);
        evidence(Blocks.of(1, "", stamps.get(0), 0).ackDelay(PathBlock.NO_RTT_SAMPLE));
        assertThat(path.timeoutsInARow()).isZero();
        assertThat(path.deadlineNs()).isEqualTo(nowNs + path.timeoutNs(PEER_DELAY_NS));
    }

    @Test
    void aReportThatWasOvertakenShowsThatThePathDeliversAndMeasuresNothing() {
        send(2);
        timeout();
        path.onOvertakenEvidence(nowNs, PEER_DELAY_NS);
        assertThat(path.timeoutsInARow()).isZero();
        assertThat(path.deadlineNs()).isEqualTo(nowNs + path.timeoutNs(PEER_DELAY_NS));
        assertThat(path.lastEvidenceNs()).isEqualTo(nowNs);
        assertThat(path.isEchoed()).isFalse();
        assertThat(path.smoothedRttNs()).isEqualTo(RTT_NS);
    }

    @Test
    void theOldestStampIsThatOfTheSlotThatWaitsLongest() {
        assertThat(path.isInUse()).isFalse();
        send(3);
        merge(Blocks.of(0, "1", stamps.get(0), 0));
        assertThat(path.isInUse()).isTrue();
        assertThat(path.oldestStamp()).isEqualTo(stamps.get(1));
    }

    // ---- loss with patience

    @Test
    @Covers({"R-LOSS-006", "R-LOSS-011"})
    void whoDoesNotKeepItsOrderIsGivenAQuarterOfARoundTrip() {
        loseAndProve();
        assertThat(path.reorderPackets()).isEqualTo(1);
        assertThat(other.reorderPackets()).isZero();
        int last = stamps.size();
        send(2);
        probe(); // no flush any more
        nowNs += RTT_NS;
        lost.clear();
        evidence(Blocks.of(last, "01", stamps.get(last + 1), 0));
        assertThat(lost).as("one that is passed by one only").isEmpty();
        long dueNs = path.deadlineNs();
        assertThat(dueNs).isEqualTo(nowNs + path.baseRttNs() / 4);
        assertThat(path.isLateDue(dueNs - 1)).isFalse();
        assertThat(path.isLateDue(dueNs)).isTrue();
        path.loseLate(dueNs, this);
        assertThat(lost).containsExactly(last);
        assertThat(path.isLateDue(dueNs)).isFalse();
    }

    @Test
    @Covers("R-LOSS-006")
    void sixteenRoundTripsWithoutProofTakeThePatienceAway() {
        loseAndProve();
        for (int round = 0; round <= ReorderTolerance.CLEAN_ROUNDS_TO_HALVE; round++) {
            assertThat(path.reorderPackets()).as("round %s", round).isEqualTo(1);
            nowNs += 2 * RTT_NS;
            send(1);
            evidence(Blocks.of(stamps.size(), "", stamps.get(stamps.size() - 1), 0));
        }
        assertThat(path.reorderPackets()).isZero();
    }

    @Test
    @Covers("R-LOSS-006")
    void theRoundOfTheFirstProofLastsARoundTrip() {
        loseAndProve();
        nowNs += RTT_NS / 2;
        loseAndProve(); // in the same round a second proof raises nothing
        assertThat(path.reorderPackets()).isEqualTo(1);
        nowNs += RTT_NS;
        loseAndProve();
        assertThat(path.reorderPackets()).isEqualTo(2);
    }

    @Test
    @Covers("R-LOSS-009")
    void aFurtherBlockOfTheReportJudgesWhatTheFirstOneDoesNotCover() {
        send(3);
        PathBlock first = Blocks.of(0, "001", stamps.get(2), 0);
        merge(first);
        path.onEvidence(nowNs, first, true, 1, PEER_DELAY_NS, this);
        assertThat(lost).containsExactly(0);
        path.judge(nowNs, Blocks.of(0, "", stamps.get(2), 0).sackOffset(1), 1, this);
        assertThat(lost).containsExactly(0, 1);
    }

    // ---- queues

    @Test
    @Covers("R-HEALTH-007")
    void aQueueIsSeenWhenTheBestOfARoundIsAQuarterAboveTheLeast() {
        assertThat(path.isQueued()).isFalse();
        sample(8_000);
        assertThat(path.isQueued()).isFalse();
        nowNs += 100_000;
        sample(9_984);
        assertThat(path.roundMinRttNs()).isEqualTo(9_984);
        assertThat(path.isQueued()).isFalse();
        nowNs += 100_000;
        sample(10_000);
        assertThat(path.isQueued()).isTrue();
        sample(8_000);
        assertThat(path.isQueued()).as("one packet found none").isFalse();
    }

    @Test
    void whereARoundTripTakesNoTimeOneNanosecondMoreIsAQueueAndNothingIsNone() {
        path.beginTimes(3);
        assertThat(path.isQueued()).isFalse();
    }

    // ---- what may be claimed

    @Test
    @Covers("R-ACK-007")
    void bitsOfEveryWordAreClaims() {
        send(60);
        int echo = stamps.get(59);
        assertThat(path.isCredible(Blocks.of(0, "0".repeat(64) + "1", echo, 0))).isFalse();
        assertThat(path.isCredible(Blocks.of(60, "0", echo, 0)))
                .as("no bit is set")
                .isTrue();
    }

    // ---- the small print

    /** A slot is lost by a gap, sent again, and found to have come before that. */
    private void loseAndProve() {
        int first = stamps.size();
        send(4); // three pass the first one: more than is tolerated so far
        evidence(Blocks.of(first, "0111", stamps.get(first + 3), 0).ackDelay(PathBlock.NO_RTT_SAMPLE));
        assertThat(lost).contains(first);
        resend();
        merge(Blocks.of(first + 4, "", stamps.get(first + 3), 0));
        assertThat(path.unacked()).isZero();
    }

    private void sample(long rttNs) {
        send(1);
        nowNs = 16L * stamps.get(stamps.size() - 1) + rttNs;
        evidence(Blocks.of(stamps.size(), "", stamps.get(stamps.size() - 1), 0));
    }

    private Path path(int id) {
        return new Path(id, table, 0, new Route(0, id, Address.ipv4(1, 1)));
    }

    private void send(int n) {
        for (int i = 0; i < n; i++) {
            stamps.add(send(path));
        }
    }

    private int send(Path on) {
        nowNs += STEP_NS;
        int stamp = on.takeStamp(nowNs);
        on.sent(nowNs, on.open(), stamp, 1_000, PEER_DELAY_NS, Tail.LAST);
        return stamp;
    }

    private void resend() {
        nowNs += STEP_NS;
        path.sent(nowNs, path.nextResend(), path.takeStamp(nowNs), 1_000, PEER_DELAY_NS, Tail.LAST);
    }

    private int probe() {
        nowNs += STEP_NS;
        int stamp = path.takeStamp(nowNs);
        path.probed();
        return stamp;
    }

    private void timeout() {
        int before = path.timeoutsInARow();
        while (path.timeoutsInARow() == before) {
            nowNs = path.deadlineNs();
            path.onDeadline(nowNs, PEER_DELAY_NS, this);
        }
    }

    private void merge(PathBlock block) {
        path.merge(nowNs, block, this);
    }

    private void evidence(PathBlock block) {
        evidence(path, block);
    }

    private void evidence(Path of, PathBlock block) {
        assertThat(of.isCredible(block)).isTrue();
        assertThat(of.isEvidence(block)).isTrue();
        int before = lost.size();
        of.merge(nowNs, block, this);
        of.onEvidence(nowNs, block, true, COVERED, PEER_DELAY_NS, this);
        for (int i = before; i < lost.size(); i++) {
            of.countLost();
        }
    }

    private static PathBlock counted(int cum, String bits, int echo, int rx, int ce, int duplicates) {
        return Blocks.counted(Blocks.of(cum, bits, echo, 0), rx, ce, duplicates);
    }

    @Override
    public void acked(int slot) {}

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}

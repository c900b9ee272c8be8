package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.param.PathConfig;
import io.metaroce.param.Profiles;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One path whose first PSN is just before the wrap; slots are counted from 0. */
class PathTest implements TxSlots.Outcome {
    static final int FIRST = -3;
    static final long RTT_NS = 8_000;
    private static final long S = 1_000_000_000L;
    private static final long PEER_DELAY_NS = 1_000;
    private static final int COVERED = 256;

    private final PathConfig config = Profiles.model().path();
    private final SlotSlab slab = new SlotSlab(512);
    private final Path path = path(slab, FIRST);
    private final List<Integer> acked = new ArrayList<>();
    private final List<Integer> lost = new ArrayList<>();

    // ---- sending

    @Test
    @Covers("R-PATH-009")
    void aQuarterOfTheWindowIsUnacknowledgedAtMost() {
        for (int i = 0; i < RxWindow.WIDTH_PACKETS / 4; i++) {
            assertThat(path.hasRoom()).isTrue();
            send(1_000, path.open());
        }
        assertThat(path.hasRoom()).isFalse();
        merge(block(1, "").echoStamp(63));
        assertThat(path.hasRoom()).isTrue();
    }

    @Test
    @Covers("R-PATH-003")
    void aSlotThatIsMissingHoldsTheWindowHoweverFewAreUnacknowledged() {
        send(0, path.open());
        for (int i = 1; i < RxWindow.WIDTH_PACKETS; i++) {
            assertThat(path.hasRoom()).isTrue();
            send(0, path.open());
            merge(blockOfOne(i));
        }
        assertThat(path.unacked()).isEqualTo(1);
        assertThat(path.hasRoom()).isFalse();
        merge(block(1, ""));
        assertThat(path.hasRoom()).isTrue();
    }

    @Test
    void aFullStoreOpensNothing() {
        SlotSlab small = new SlotSlab(2);
        Path crowded = path(small, 0);
        crowded.open();
        crowded.open();
        assertThat(crowded.hasRoom()).isFalse();
        assertThat(crowded.open()).isEqualTo(SlotSlab.NONE);
        assertThat(crowded.nextPsn()).isEqualTo(2); // a PSN without a record would never be resent
    }

    @Test
    @Covers("R-PATH-020")
    void aQueuedSlotThatIsAcknowledgedAfterAllIsNotResent() {
        sendSome(4);
        evidence(1_000, block(0, "0001"), 3);
        assertThat(path.queued()).isEqualTo(3);
        merge(block(2, "01").epoch(77)); // a late report from some other epoch
        assertThat(path.queued()).isEqualTo(1);
        assertThat(slab.psn(path.nextResend())).isEqualTo(FIRST + 2);
    }

    @Test
    void whatIsResentFirstIsTheLowest() {
        sendSome(4);
        evidence(1_000, block(0, "0001"), 3);
        assertThat(slab.psn(path.nextResend())).isEqualTo(FIRST);
        assertThat(path.nextResendCost()).isEqualTo(1_000);
    }

    // ---- what a report may claim

    @Test
    @Covers("R-ACK-007")
    void whatWasNeverSentCannotBeAcknowledged() {
        sendSome(4);
        int echo = stampOf(3);
        assertThat(path.isCredible(block(4, "").echoStamp(echo))).isTrue();
        assertThat(path.isCredible(block(5, "").echoStamp(echo))).isFalse();
        assertThat(path.isCredible(block(3, "1").echoStamp(echo))).isTrue();
        assertThat(path.isCredible(block(3, "01").echoStamp(echo))).isFalse();
        assertThat(path.isCredible(block(0, "0001").echoStamp(echo))).isTrue();
        assertThat(path.isCredible(block(0, "00001").echoStamp(echo))).isFalse();
        assertThat(path.isCredible(block(0, "").words(0).sackOffset(0xFFFF).echoStamp(echo)))
                .isTrue(); // nothing is claimed at that offset
        assertThat(path.isCredible(block(0, "1").sackOffset(3).echoStamp(echo))).isTrue();
        assertThat(path.isCredible(block(0, "1").sackOffset(4).echoStamp(echo))).isFalse();
        assertThat(path.isCredible(block(0, "1").sackOffset(0xFFFF).echoStamp(echo)))
                .isFalse();
    }

    @Test
    @Covers("R-ACK-007")
    void aStampThatWasNeverSentCannotBeEchoed() {
        assertThat(path.isCredible(block(0, "").echoStamp(0))).isFalse(); // nothing was sent at all
        sendSome(2);
        assertThat(path.isCredible(block(0, "").echoStamp(stampOf(1)))).isTrue();
        assertThat(path.isCredible(block(0, "").echoStamp(stampOf(1) + 1))).isFalse();
        path.wantProbe();
        int probe = path.takeStamp(500);
        assertThat(path.isCredible(block(0, "").echoStamp(probe))).isTrue();
    }

    @Test
    void anOldReportIsCredible() {
        sendSome(8);
        merge(block(8, ""));
        assertThat(path.isCredible(block(2, "1").echoStamp(stampOf(1)))).isTrue();
        merge(block(2, "1"));
        assertThat(path.unacked()).isZero();
    }

    @Test
    void theLastWordOfTheLargestBlockCounts() {
        sendSome(60);
        PathBlock block = block(0, "0".repeat(1023) + "1").echoStamp(stampOf(59));
        assertThat(block.words()).isEqualTo(16);
        assertThat(path.isCredible(block)).isFalse();
        assertThat(path.isCredible(block.bitmapWord(15, 0))).isTrue();
    }

    // ---- evidence

    @Test
    @Covers("R-LOSS-007")
    void onlyANewStampOfTheCurrentEpochIsEvidence() {
        sendSome(3);
        PathBlock block = block(2, "").echoStamp(stampOf(1));
        assertThat(path.isEvidence(block)).isTrue();
        evidence(1_000, block, 1);
        assertThat(path.isEvidence(block)).isFalse();
        assertThat(path.isEvidence(block(2, "").echoStamp(stampOf(0)))).isFalse();
        assertThat(path.isEvidence(block(3, "").echoStamp(stampOf(2)))).isTrue();
        assertThat(path.isEvidence(block(3, "").echoStamp(stampOf(2)).epoch(1))).isFalse();
    }

    @Test
    void theRoundTripLeavesOutWhatTheReceiverHeldBack() {
        long sentNs = 160_000;
        send(sentNs, path.open());
        PathBlock block = block(1, "").ackDelay(10);
        assertThat(evidence(sentNs + 9_600 + 640, block, 0)).isEqualTo(9_600);
        assertThat(path.baseRttNs()).isEqualTo(9_600);
    }

    @Test
    @Covers("R-ACK-012")
    void noSampleIsTakenWhenTheReceiverCannotSayOrWasPaused() {
        sendSome(2);
        assertThat(evidence(9_000, block(1, "").ackDelay(PathBlock.NO_RTT_SAMPLE), 0))
                .isZero();
        PathBlock block = block(2, "").echoStamp(stampOf(1));
        assertThat(path.onEvidence(9_000, block, false, COVERED, PEER_DELAY_NS, this))
                .isZero();
        assertThat(path.smoothedRttNs()).isEqualTo(RTT_NS);
    }

    @Test
    void aRoundTripIsNeverNegative() {
        send(16_000, path.open());
        assertThat(evidence(16_000, block(1, "").ackDelay(100), 0)).isEqualTo(1);
    }

    // ---- sixteen seconds of silence

    @Test
    @Covers("R-PATH-019")
    void afterALongSilenceOnlyWhatWasSentSinceIsEvidence() {
        send(1_000, path.open());
        int before = stampOf(0);
        merge(block(1, ""));
        evidence(9_000, block(1, ""), 0);
        send(20 * S, path.open());
        PathBlock toldAgain = block(1, "").echoStamp(before);
        assertThat(path.isCredible(toldAgain)).isTrue();
        assertThat(path.isEvidence(toldAgain)).isFalse();
        assertThat(path.isEvidence(block(2, "").echoStamp(stampOf(1)))).isTrue();
    }

    @Test
    @Covers("R-PATH-019")
    void whatWasSentBeforeASilenceOfHalfATurnOfTheClockIsNoLie() {
        send(1_000, path.open());
        int before = stampOf(0);
        evidence(9_000, block(1, ""), 0);
        send(50 * S, path.open());
        PathBlock toldAgain = block(1, "").echoStamp(before);
        assertThat(path.isCredible(toldAgain)).isTrue();
        assertThat(path.isEvidence(toldAgain)).isFalse();
        PathBlock fresh = block(2, "").echoStamp(stampOf(1));
        assertThat(path.isCredible(fresh)).isTrue();
        assertThat(path.isEvidence(fresh)).isTrue();
        assertThat(evidence(50 * S + 8_000, fresh, 1)).isBetween(7_900L, 8_100L);
    }

    // ---- timers

    @Test
    @Covers("R-LOSS-004")
    void theTailIsProbedWhenNothingFollowsIt() {
        send(0, path.open());
        long dueNs = RTT_NS + 2 * path.rttVariationNs() + PEER_DELAY_NS;
        assertThat(path.deadlineNs()).isEqualTo(dueNs);
        deadline(dueNs);
        assertThat(path.isProbeWanted()).isTrue();
    }

    @Test
    @Covers("R-LOSS-004")
    void afterALossTheTailIsProbedSoon() {
        path.countLost();
        send(0, path.open());
        assertThat(path.deadlineNs()).isEqualTo(RTT_NS / 4);
        deadline(RTT_NS / 4);
        assertThat(path.isProbeWanted()).isTrue();
    }

    @Test
    @Covers("R-LOSS-004")
    void afterAPathFellSilentTailsAreProbedSoon() {
        path.on(PathEvent.SILENT, 0);
        send(0, path.open());
        assertThat(path.deadlineNs()).isEqualTo(RTT_NS / 4);
    }

    @Test
    @Covers("R-LOSS-010")
    void aSlotThatAProbeFollowsAlreadyNeedsNoOther() {
        send(0, path.open());
        path.takeStamp(100);
        path.probed();
        deadline(2 * RTT_NS + PEER_DELAY_NS);
        assertThat(path.isProbeWanted()).isFalse();
    }

    @Test
    void aTailThatWasAcknowledgedNeedsNoProbe() {
        sendSome(2);
        merge(block(0, "01"));
        deadline(2 * RTT_NS + PEER_DELAY_NS);
        assertThat(path.isProbeWanted()).isFalse(); // slot 0 is in flight, but slot 1 followed it
    }

    @Test
    @Covers({"R-LOSS-005", "R-LOSS-008"})
    void threeTimeoutsProbeAndTheFourthBringsTheLowestSlotAlong() {
        sendSome(3);
        long timeoutNs = path.timeoutNs(PEER_DELAY_NS);
        long last = 100 + 2 * 16; // the last slot was sent then
        path.takeStamp(last);
        path.probed(); // no flush any more
        long expiry = last + timeoutNs;
        for (int inARow = 1; inARow < Path.TIMEOUTS_TO_RESEND; inARow++) {
            assertThat(path.deadlineNs()).isEqualTo(expiry);
            assertThat(deadline(expiry)).isEqualTo(inARow);
            assertThat(path.isProbeWanted()).isTrue();
            assertThat(path.nextResend()).isEqualTo(SlotSlab.NONE);
            path.probed();
            expiry += timeoutNs << inARow;
        }
        assertThat(deadline(expiry)).isEqualTo(Path.TIMEOUTS_TO_RESEND);
        assertThat(path.isProbeWanted()).isTrue();
        assertThat(slab.psn(path.nextResend())).isEqualTo(FIRST);
        assertThat(path.isResendForced()).isTrue();
        assertThat(lost).containsExactly(FIRST);
        assertThat(path.deadlineNs()).isEqualTo(expiry + (timeoutNs << Path.TIMEOUTS_TO_RESEND));
    }

    @Test
    void aSuspectPathResendsOnlyWhatATimeoutAsksFor() {
        sendSome(4);
        evidence(1_000, block(0, "0001"), 3);
        path.on(PathEvent.SILENT, 1_000);
        assertThat(path.nextResend()).isEqualTo(SlotSlab.NONE);
        while (!path.isResendForced()) {
            deadline(path.deadlineNs());
        }
        assertThat(slab.psn(path.nextResend())).isEqualTo(FIRST);
        send(path.deadlineNs(), path.nextResend());
        assertThat(path.nextResend()).isEqualTo(SlotSlab.NONE);
    }

    @Test
    void timersRestOnceEverythingIsAcknowledged() {
        sendSome(3);
        merge(block(3, ""));
        assertThat(path.deadlineNs()).isGreaterThanOrEqualTo(S);
        sendSome(1);
        path.settle(path.lowest(), this);
        assertThat(path.deadlineNs()).isGreaterThanOrEqualTo(S);
        assertThat(acked).hasSize(4);
    }

    @Test
    @Covers("R-PATH-024")
    void aRestingPathIsAskedOnceASecondOrEveryHundredRoundTrips() {
        assertThat(path.deadlineNs()).as("it has carried nothing yet").isEqualTo(Deadline.NEVER);
        send(5, path.open());
        merge(block(1, ""));
        assertThat(path.deadlineNs()).isEqualTo(onGrid(S + 5));
        path.onDeadline(onGrid(S + 5) - 1, PEER_DELAY_NS, this);
        assertThat(path.isProbeWanted()).isFalse();
        path.onDeadline(onGrid(S + 5), PEER_DELAY_NS, this);
        assertThat(path.isProbeWanted()).isTrue();
        path.takeStamp(S + 7);
        path.probed();
        assertThat(path.deadlineNs()).isEqualTo(onGrid(2 * S + 14));
        path.beginTimes(S / 10);
        assertThat(path.deadlineNs()).isEqualTo(onGrid(11 * S + 7));
    }

    @Test
    @Covers("R-PATH-024")
    void aRestingPathThatDoesNotAnswerIsAskedLessAndLessOften() {
        send(0, path.open());
        merge(block(1, ""));
        long[] seconds = {1, 2, 4, 8, 16, 24, 32};
        for (int i = 0; i + 1 < seconds.length; i++) {
            path.takeStamp(seconds[i] * S);
            path.probed();
            assertThat(path.deadlineNs()).as("after %s s", seconds[i]).isEqualTo(onGrid(seconds[i + 1] * S));
        }
        path.onOvertakenEvidence(33 * S, PEER_DELAY_NS);
        path.takeStamp(33 * S + 1);
        path.probed();
        assertThat(path.deadlineNs()).as("it has answered").isEqualTo(onGrid(34 * S + 1));
    }

    /** Questions leave at multiples of the largest power of two in an eighth of a second. */
    private static long onGrid(long ns) {
        return (ns + (1L << 26) - 1) >> 26 << 26;
    }

    // ---- the small print

    private Path path(SlotSlab store, int firstPsn) {
        PathTable table = new PathTable(1, config, store, RxWindow.WIDTH_PACKETS, RTT_NS);
        return new Path(0, table, firstPsn, new Route(0, 5, Address.ipv4(1, 1)));
    }

    private void sendSome(int n) {
        for (int i = 0; i < n; i++) {
            send(100 + 16L * i, path.open());
        }
    }

    private void send(long nowNs, int slot) {
        path.sent(nowNs, slot, path.takeStamp(nowNs), 1_000, PEER_DELAY_NS, Tail.LAST);
    }

    private int stampOf(int index) {
        for (int slot = 0; slot < slab.capacity(); slot++) {
            if (slab.transmissions(slot) > 0 && slab.psn(slot) == FIRST + index) {
                return slab.stamp(slot);
            }
        }
        throw new AssertionError("slot " + index + " was never sent");
    }

    private void merge(PathBlock block) {
        path.merge(0, block, this);
    }

    private long evidence(long nowNs, PathBlock block, int echoed) {
        block.echoStamp(stampOf(echoed));
        path.merge(nowNs, block, this);
        return path.onEvidence(nowNs, block, true, COVERED, PEER_DELAY_NS, this);
    }

    private int deadline(long nowNs) {
        return path.onDeadline(nowNs, PEER_DELAY_NS, this);
    }

    private static PathBlock block(int cum, String bits) {
        return Blocks.of(FIRST + cum, bits, 0, 0);
    }

    private static PathBlock blockOfOne(int index) {
        return Blocks.of(FIRST, "0".repeat(index) + "1", 0, 0);
    }

    @Override
    public void acked(int slot) {
        acked.add(slab.psn(slot));
    }

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}

package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slot i has PSN i and is sent with stamp 100 + i. */
class ReorderToleranceTest implements TxSlots.Outcome {
    private static final int COVERED = 256;
    private static final long PATIENCE_NS = 1_000;
    private final PathRow row = Rows.withRtt(4 * PATIENCE_NS);
    private final SlotSlab slab = new SlotSlab(64);
    private final TxSlots slots = new TxSlots(slab, new Pending());
    private final ReorderTolerance reorder = new ReorderTolerance(0);
    private final List<Integer> lost = new ArrayList<>();

    @Test
    @Covers("R-LOSS-006")
    void itDoublesOnceARoundAndHalvesAfterSixteenCleanOnes() {
        long now = 0;
        for (int expected : new int[] {1, 2, 4, 8, 16, 32, 64, 64}) {
            reorder.onEvidence(now, 10);
            reorder.onSpurious();
            reorder.onSpurious();
            assertThat(reorder.packets()).isEqualTo(expected);
            now += 10;
        }
        for (int expected = 64; expected > 0; expected /= 2) {
            for (int round = 0; round < 16; round++) {
                assertThat(reorder.packets()).isEqualTo(expected);
                reorder.onEvidence(now + 1, 10);
                reorder.onEvidence(now + 5, 10); // the same round
                now += 11;
            }
            if (expected == 64) {
                reorder.onEvidence(now + 1, 10); // the round of the last rise was not clean
                now += 11;
            }
        }
        assertThat(reorder.packets()).isZero();
    }

    @Test
    @Covers("R-LOSS-006")
    void anotherRouteBeginsWithoutTolerance() {
        reorder.onSpurious();
        reorder.late().arm(5);
        reorder.restart();
        assertThat(reorder.packets()).isZero();
        assertThat(reorder.late().isArmed()).isFalse();
    }

    @Test
    @Covers("R-LOSS-006")
    void moreThanTheToleranceMustPassASlot() {
        tolerance(2);
        send(5);
        judge(10, 104, "00101"); // four have passed slot 0, three slot 1, and one slot 3
        assertThat(lost).containsExactly(0, 1);
    }

    @Test
    @Covers("R-LOSS-011")
    void whatWasPassedByFewIsLostAfterAQuarterOfARoundTripMore() {
        tolerance(8);
        send(4);
        judge(1_000, 102, "0010");
        assertThat(lost).isEmpty();
        assertThat(reorder.late().atNs()).isEqualTo(1_000 + PATIENCE_NS);
        judge(1_500, 103, "0011"); // it is the first passing that counts
        late(1_900);
        assertThat(lost).isEmpty();
        late(2_000);
        assertThat(lost).containsExactly(0, 1);
        assertThat(slots.queued(row)).isEqualTo(2);
        assertThat(reorder.late().isArmed()).isFalse();
    }

    @Test
    @Covers({"R-LOSS-006", "R-LOSS-009"})
    void asManyAsAreToleratedMayPassASlotThatTheBlockCovers() {
        tolerance(2);
        send(6);
        slots.merge(row, Blocks.of(0, "000001", 105, 0), this); // five have passed slot 0, and two slot 3
        LossRule.judge(10, row, slots, Blocks.of(0, "", 105, 0).sackOffset(2), 0, COVERED, reorder, this);
        assertThat(lost).containsExactly(2);
        late(10 + PATIENCE_NS);
        assertThat(lost).containsExactly(2, 3, 4);
    }

    @Test
    @Covers("R-LOSS-011")
    void eachSlotIsWaitedForSinceItWasPassedItself() {
        tolerance(8);
        send(4);
        judge(1_600, 101, "01"); // slot 0 has been passed
        judge(2_000, 103, "0101"); // slot 2 as well
        assertThat(reorder.late().atNs()).isEqualTo(1_600 + PATIENCE_NS);
        late(1_600 + PATIENCE_NS);
        assertThat(lost).containsExactly(0);
        long nextNs = reorder.late().atNs();
        assertThat(nextNs).as("to a unit of stamps").isBetween(2_000 + PATIENCE_NS, 2_015 + PATIENCE_NS);
        late(nextNs);
        assertThat(lost).containsExactly(0, 2);
    }

    @Test
    void whatComesInTimeIsNotLost() {
        tolerance(8);
        send(3);
        judge(1_000, 102, "001");
        slots.merge(row, Blocks.of(2, "1", 102, 0), this);
        late(2_000);
        assertThat(lost).isEmpty();
        assertThat(slots.unacked(row)).isZero();
        assertThat(slots.takeSpurious()).isZero();
    }

    @Test
    void aProbePassesAsWell() {
        tolerance(1);
        send(1);
        slots.probed(row, 101);
        slots.probed(row, 102);
        judge(10, 102, "");
        assertThat(lost).containsExactly(0);
    }

    @Test
    @Covers("R-LOSS-006")
    void whatComesByItsEarlierTransmissionWasNeverLost() {
        send(3);
        LossRule.judge(0, row, slots, Blocks.of(0, "", 102, 0), 0, COVERED, null, this);
        assertThat(lost).containsExactly(0, 1);
        int slot = slots.lowest(row);
        slots.transmitted(row, slot, 110, 0, 1); // slot 0 is resent, slot 1 still waits
        slots.merge(row, Blocks.of(3, "", 109, 0), this);
        assertThat(slots.takeSpurious()).isEqualTo(2);
        assertThat(slots.takeSpurious()).isZero();
    }

    @Test
    @Covers("R-LOSS-006")
    void whatComesByItsResendOrWasSentAgainForAnotherReasonProvesNothing() {
        send(4);
        LossRule.judge(0, row, slots, Blocks.of(0, "", 101, 0), 0, COVERED, null, this);
        slots.transmitted(row, slots.lowest(row), 110, 0, 1);
        slots.merge(row, Blocks.of(1, "", 110, 0), this);
        assertThat(slots.takeSpurious()).isZero();
        slots.loseAll(row, 0, this);
        slots.merge(row, Blocks.of(4, "", 110, 0), this);
        assertThat(slots.takeSpurious()).isZero();
    }

    private void tolerance(int packets) {
        while (reorder.packets() < packets) {
            reorder.onEvidence(0, 0);
            reorder.onSpurious();
        }
    }

    private void send(int n) {
        for (int i = 0; i < n; i++) {
            slots.transmitted(row, slots.open(row), 100 + i, 0, 1);
        }
    }

    private void judge(long nowNs, int echo, String bits) {
        PathBlock block = Blocks.of(0, bits, echo, 0);
        slots.merge(row, block, this);
        LossRule.judge(nowNs, row, slots, block, 0, COVERED, reorder, this);
    }

    private void late(long nowNs) {
        LossRule.judgeLate(nowNs, row, slots, reorder, this);
    }

    @Override
    public void acked(int slot) {}

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}

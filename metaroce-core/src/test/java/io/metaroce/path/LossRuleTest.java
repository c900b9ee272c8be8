package io.metaroce.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.PathBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slot i has PSN i and is sent with stamp 100 + i, unless a test says otherwise. */
class LossRuleTest implements TxSlots.Outcome {
    private static final int COVERED = 256;
    private final PathRow row = Rows.of(1);
    private final SlotSlab slab = new SlotSlab(400);
    private final TxSlots slots = new TxSlots(slab, new Pending());
    private final List<Integer> lost = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>(); // slot number of each PSN

    @Test
    @Covers("R-LOSS-001")
    void whatWasSentBeforeTheEchoAndIsMissingIsLost() {
        send(5, 0);
        PathBlock block = Blocks.of(0, "00011", 104, 0);
        slots.merge(row, block, this);
        judge(block);
        assertThat(lost).containsExactly(0, 1, 2);
        assertThat(slots.queued(row)).isEqualTo(3);
    }

    @Test
    void whatWasSentWithTheEchoOrAfterItIsNotJudged() {
        send(5, 0);
        judge(Blocks.of(0, "", 102, 0)); // a block that says less than it could
        assertThat(lost).containsExactly(0, 1);
    }

    @Test
    @Covers("R-LOSS-009")
    void whatTheBlockDoesNotCoverIsNotJudged() {
        send(300, 0);
        judge(Blocks.of(0, "", 100 + 299, 0));
        assertThat(lost).hasSize(COVERED).doesNotContain(256);
    }

    @Test
    @Covers("R-LOSS-009")
    void coverageBeginsAtTheOffsetAndReachesAsFarAsAgreedWhateverWordsArePresent() {
        send(300, 0);
        PathBlock block = Blocks.of(0, "", 100 + 299, 0).sackOffset(10);
        LossRule.judge(0, row, slots, block, 0, 64, null, this);
        assertThat(lost).hasSize(64).doesNotContain(9, 74).contains(10, 73);
    }

    @Test
    @Covers("R-LOSS-007")
    void whatWasLastSentInAnotherEpochIsNotJudged() {
        send(3, 255);
        resend(0, 103, 0);
        judge(Blocks.of(0, "", 104, 0));
        assertThat(lost).containsExactly(0);
        judge(Blocks.of(0, "", 104, 255), 255);
        assertThat(lost).containsExactly(0, 1, 2);
    }

    @Test
    @Covers("R-LOSS-003")
    void aLostRetransmissionIsFoundByTheNextEcho() {
        send(4, 0);
        PathBlock first = Blocks.of(0, "0111", 103, 0);
        slots.merge(row, first, this);
        judge(first);
        assertThat(lost).containsExactly(0);
        resend(0, 110, 0);
        judge(Blocks.of(0, "0111", 110, 0)); // the resend itself is echoed: no later one has passed it
        assertThat(lost).containsExactly(0);
        judge(Blocks.of(0, "0111", 111, 0));
        assertThat(lost).containsExactly(0, 0);
    }

    @Test
    @Covers("R-PATH-002")
    void stampsAndNumbersWrap() {
        TxSlots wrapping = new TxSlots(slab, new Pending());
        PathRow other = Rows.of(0);
        wrapping.begin(other, -1);
        int before = wrapping.open(other);
        int after = wrapping.open(other);
        wrapping.transmitted(other, before, -1, 0, 1);
        wrapping.transmitted(other, after, 0, 0, 1);
        LossRule.judge(0, other, wrapping, Blocks.of(-1, "", 0, 0), 0, COVERED, null, this);
        assertThat(lost).containsExactly(-1);
        LossRule.judge(0, other, wrapping, Blocks.of(-1, "", 1, 0), 0, COVERED, null, this);
        assertThat(lost).containsExactly(-1, 0);
    }

    private void send(int n, int epoch) {
        for (int i = 0; i < n; i++) {
            int slot = slots.open(row);
            numbers.add(slot);
            slots.transmitted(row, slot, 100 + i, epoch, 1);
        }
    }

    private void resend(int psn, int stamp, int epoch) {
        slots.transmitted(row, numbers.get(psn), stamp, epoch, 1);
    }

    private void judge(PathBlock block) {
        judge(block, 0);
    }

    private void judge(PathBlock block, int epoch) {
        LossRule.judge(0, row, slots, block, epoch, COVERED, null, this);
    }

    @Override
    public void acked(int slot) {}

    @Override
    public void lost(int slot) {
        lost.add(slab.psn(slot));
    }
}

package io.metaroce.path;

import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;

/**
 * A gap is loss. One comparison of stamps covers first losses and lost retransmissions: what was sent in this epoch
 * before the packet that is echoed now, is covered by the block and is still not acknowledged, will not come any more.
 */
final class LossRule {
    private LossRule() {}

    /** Judges the slots in flight by fresh evidence; the block has been merged before. */
    static void judge(
            PathRow row,
            TxSlots slots,
            SlotSlab slab,
            PathBlock block,
            int epoch,
            int coveredPackets,
            TxSlots.Outcome outcome) {
        int echo = block.echoStamp();
        int first = block.cumPsn() + block.sackOffset();
        int slot = slots.oldestInFlight(row);
        // R-LOSS-001: a slot passed by a later transmission of its path is resent without waiting for a timer.
        while (slot != SlotSlab.NONE && Serial32.isBefore(slab.stamp[slot], echo)) {
            int next = slots.nextInFlight(slot);
            if (isJudged(slab, slot, first, coveredPackets, epoch)) {
                slots.loseByGap(row, slot, outcome);
            }
            slot = next;
        }
    }

    private static boolean isJudged(SlotSlab slab, int slot, int first, int coveredPackets, int epoch) {
        int ahead = Serial32.distance(first, slab.psn[slot]);
        // R-LOSS-009: a slot outside the coverage of the block is not judged by it.
        boolean covered = ahead >= 0 && ahead < coveredPackets;
        // R-LOSS-007: evidence of another epoch says nothing about this slot.
        return covered && (slab.epoch[slot] & 0xFF) == epoch;
    }

    /** The same with patience: as many later transmissions as {@code reorder} says may pass a slot for a while. */
    static void judgePatiently(
            long nowNs,
            PathRow row,
            TxSlots slots,
            SlotSlab slab,
            PathBlock block,
            int epoch,
            int coveredPackets,
            ReorderTolerance reorder,
            long patienceNs,
            TxSlots.Outcome outcome) {
        int echo = block.echoStamp();
        int first = block.cumPsn() + block.sackOffset();
        int passing = slots.passing(row, echo);
        int slot = slots.oldestInFlight(row);
        while (slot != SlotSlab.NONE && Serial32.isBefore(slab.stamp[slot], echo)) {
            int next = slots.nextInFlight(slot);
            if (isJudged(slab, slot, first, coveredPackets, epoch)) {
                if (Serial32.distance(slab.order[slot], passing) > reorder.packets()) {
                    slots.loseByGap(row, slot, outcome);
                } else if (!slab.passed[slot]) {
                    // R-LOSS-011: passed by a few it is waited for a little longer, and no more.
                    slab.passed[slot] = true;
                    slab.passedAt[slot] = TxStamps.clock(nowNs);
                    reorder.late().armEarlier(nowNs + patienceNs);
                }
            }
            slot = next;
        }
    }

    /** Takes for lost what has been passed for as long as patience lasts. */
    static void judgeLate(
            long nowNs,
            PathRow row,
            TxSlots slots,
            SlotSlab slab,
            ReorderTolerance reorder,
            long patienceNs,
            TxSlots.Outcome outcome) {
        reorder.late().cancel();
        int slot = slots.oldestInFlight(row);
        while (slot != SlotSlab.NONE) {
            int next = slots.nextInFlight(slot);
            if (slab.passed[slot]) {
                long agoUnits = Serial32.distance(slab.passedAt[slot], TxStamps.clock(nowNs));
                long dueNs = nowNs - (agoUnits << TxStamps.UNIT_SHIFT) + patienceNs;
                if (dueNs < nowNs + (1 << TxStamps.UNIT_SHIFT)) {
                    slots.loseByGap(row, slot, outcome);
                } else {
                    reorder.late().armEarlier(dueNs);
                }
            }
            slot = next;
        }
    }
}

package io.metaroce.path;

import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;
import io.metaroce.wire.PathBlock;
import org.jspecify.annotations.Nullable;

/**
 * A gap is loss. One comparison of stamps covers first losses and lost retransmissions: what was sent in this epoch
 * before the packet that is echoed now, is covered by the block and is still not acknowledged, will not come any more.
 */
final class LossRule {
    private static final int PATIENCE_SHARE = 4;

    private LossRule() {}

    /**
     * Judges the slots in flight by fresh evidence; the block has been merged before.
     *
     * @param reorder how many later transmissions may pass a slot for a while; null while the path keeps its order
     */
    static void judge(
            long nowNs,
            PathRow row,
            TxSlots slots,
            PathBlock block,
            int epoch,
            int coveredPackets,
            @Nullable ReorderTolerance reorder,
            TxSlots.Outcome outcome) {
        SlotSlab slab = slots.slab;
        int echo = block.echoStamp();
        int first = block.cumPsn() + block.sackOffset();
        int passing = reorder == null ? 0 : slots.passing(row, echo);
        int slot = slots.oldestInFlight(row);
        // R-LOSS-001: a slot passed by a later transmission of its path is resent without waiting for a timer.
        while (slot != SlotSlab.NONE && Serial32.isBefore(slab.stamp(slot), echo)) {
            int next = slots.nextInFlight(slot);
            if (isJudged(slab, slot, first, coveredPackets, epoch)) {
                if (reorder == null || Serial32.distance(slab.order(slot), passing) > reorder.packets()) {
                    slots.loseByGap(row, slot, outcome);
                } else if (!slab.isPassed(slot)) {
                    // R-LOSS-011: passed by a few it is waited for a little longer, and no more.
                    slab.passed(slot, StampClock.at(nowNs));
                    reorder.late().armEarlier(nowNs + patienceNs(row));
                }
            }
            slot = next;
        }
    }

    private static boolean isJudged(SlotSlab slab, int slot, int first, int coveredPackets, int epoch) {
        int ahead = Serial32.distance(first, slab.psn(slot));
        // R-LOSS-009: a slot outside the coverage of the block is not judged by it.
        boolean covered = ahead >= 0 && ahead < coveredPackets;
        // R-LOSS-007: evidence of another epoch says nothing about this slot.
        return covered && slab.epoch(slot) == epoch;
    }

    /** Takes for lost what has been passed for as long as patience lasts. */
    static void judgeLate(long nowNs, PathRow row, TxSlots slots, ReorderTolerance reorder, TxSlots.Outcome outcome) {
        SlotSlab slab = slots.slab;
        reorder.late().cancel();
        int slot = slots.oldestInFlight(row);
        while (slot != SlotSlab.NONE) {
            int next = slots.nextInFlight(slot);
            if (slab.isPassed(slot)) {
                long dueNs = nowNs - StampClock.sinceNs(slab.passedAt(slot), nowNs) + patienceNs(row);
                if (dueNs < nowNs + StampClock.UNIT_NS) {
                    slots.loseByGap(row, slot, outcome);
                } else {
                    reorder.late().armEarlier(dueNs);
                }
            }
            slot = next;
        }
    }

    private static long patienceNs(PathRow row) {
        return RttEstimator.baseNs(row) / PATIENCE_SHARE;
    }
}

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
            TxSlots slots, SlotSlab slab, PathBlock block, int epoch, int coveredPackets, TxSlots.Outcome outcome) {
        int echo = block.echoStamp();
        int first = block.cumPsn() + block.sackOffset();
        int slot = slots.oldestInFlight();
        // R-LOSS-001: a slot passed by a later transmission of its path is resent without waiting for a timer.
        while (slot != SlotSlab.NONE && Serial32.isBefore(slab.stamp[slot], echo)) {
            int next = slots.nextInFlight(slot);
            int ahead = Serial32.distance(first, slab.psn[slot]);
            // R-LOSS-009: a slot outside the coverage of the block is not judged by it.
            boolean covered = ahead >= 0 && ahead < coveredPackets;
            // R-LOSS-007: evidence of another epoch says nothing about this slot.
            if (covered && (slab.epoch[slot] & 0xFF) == epoch) {
                slots.lose(slot, outcome);
            }
            slot = next;
        }
    }
}

package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;

import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;

/**
 * The unacknowledged slots of each path, chained twice: by PSN, and those in flight also by transmission.
 *
 * <p>A slot never leaves its path, so no operation here touches more than one.
 */
public final class TxSlots {
    /** What becomes of slots; told while a slot's columns still stand. */
    public interface Outcome {
        /** The receiver has it; its number is free after this call. */
        void acked(int slot);

        /** Its last transmission is lost; it is queued for resend. */
        void lost(int slot);
    }

    private static final int WORD_BITS = 64;

    final SlotSlab slab;
    private final Pending pending;
    private int spurious; // slots of one path taken for lost that had come, since last asked

    /** Of paths without slots; what is queued counts in {@code pending}. */
    TxSlots(SlotSlab slab, Pending pending) {
        this.slab = slab;
        this.pending = pending;
    }

    /** The first slot of a path will have number {@code firstPsn}. */
    void begin(PathRow row, int firstPsn) {
        row.nextPsn = firstPsn;
    }

    /** Opens a slot with the next PSN, or answers {@link SlotSlab#NONE} when the store is full. */
    int open(PathRow row) {
        // State is taken before the PSN, so that a PSN without state cannot exist.
        int slot = slab.take(row.nextPsn, row.lastByPsn);
        if (slot == NONE) {
            return NONE;
        }
        // R-PATH-001: PSNs grow by exactly one per new slot, modulo 2^32.
        row.nextPsn++;
        if (row.lastByPsn == NONE) {
            row.firstByPsn = slot;
        } else {
            slab.psnNext(row.lastByPsn, slot);
        }
        row.lastByPsn = slot;
        unacked(row, 1);
        return slot;
    }

    /** The slot has just been sent, for the first time or again: it is now the youngest transmission. */
    void transmitted(PathRow row, int slot, int stamp, int epoch, int costBytes) {
        leaveState(row, slot);
        slab.sent(slot, stamp, epoch, costBytes, ++row.transmission);
        slab.txNext(slot, NONE);
        slab.txPrevious(slot, row.youngestInFlight);
        if (row.youngestInFlight == NONE) {
            row.oldestInFlight = slot;
        } else {
            slab.txNext(row.youngestInFlight, slot);
        }
        row.youngestInFlight = slot;
    }

    /** A probe has been sent: it follows a slot as any transmission does. */
    void probed(PathRow row, int stamp) {
        row.probe = ++row.transmission;
        row.probeStamp = stamp;
    }

    /** Releases every slot that the block says has arrived. Monotone: an old block does no harm. */
    void merge(PathRow row, PathBlock block, Outcome outcome) {
        int cum = block.cumPsn();
        int base = cum + block.sackOffset();
        int bits = block.words() * WORD_BITS;
        int end = base + bits;
        int slot = row.firstByPsn;
        while (slot != NONE) {
            int next = slab.psnNext(slot);
            int psn = slab.psn(slot);
            if (!Serial32.isBefore(psn, end)) {
                return; // slots are chained by PSN: the block says nothing of the others
            }
            if (Serial32.isBefore(psn, cum) || isSet(block, Serial32.distance(base, psn), bits)) {
                noteOrder(row, slot, block.echoStamp());
                release(row, slot, outcome);
            }
            slot = next;
        }
    }

    /** Releases a slot that is known to have been settled by other means. */
    void release(PathRow row, int slot, Outcome outcome) {
        unlinkPsn(row, slot);
        leaveState(row, slot);
        outcome.acked(slot);
        slab.free(slot);
    }

    /** A slot is neither in flight nor queued any more. */
    private void leaveState(PathRow row, int slot) {
        int state = slab.state(slot);
        if (state == SlotSlab.IN_FLIGHT) {
            unlinkTransmission(row, slot);
        } else if (state == SlotSlab.QUEUED) {
            queued(row, -1);
        }
    }

    private void noteOrder(PathRow row, int slot, int echo) {
        boolean sentByThen = slab.state(slot) == SlotSlab.IN_FLIGHT && !Serial32.isAfter(slab.stamp(slot), echo);
        if (sentByThen) {
            row.passing = Serial32.later(slab.order(slot), row.passing);
        } else if (slab.isLostByGap(slot)) {
            // Its resend has not left, or not arrived yet: it has come by an earlier transmission, and was never lost.
            spurious++;
        }
    }

    /** The highest ordinal known among the transmissions that were sent no later than what is echoed. */
    int passing(PathRow row, int echo) {
        if (!Serial32.isAfter(row.probeStamp, echo)) {
            row.passing = Serial32.later(row.probe, row.passing);
        }
        return row.passing;
    }

    /** Takes the number of slots that were taken for lost by a gap and had come. */
    int takeSpurious() {
        int taken = spurious;
        spurious = 0;
        return taken;
    }

    /** Takes a slot out of flight, since later ones have passed it, and queues it for resend. */
    void loseByGap(PathRow row, int slot, Outcome outcome) {
        slab.lostByGap(slot, true);
        requeue(row, slot, outcome);
    }

    /** Takes a slot out of flight and queues it for resend. */
    void lose(PathRow row, int slot, Outcome outcome) {
        slab.lostByGap(slot, false);
        requeue(row, slot, outcome);
    }

    private void requeue(PathRow row, int slot, Outcome outcome) {
        unlinkTransmission(row, slot);
        outcome.lost(slot);
        slab.state(slot, SlotSlab.QUEUED);
        queued(row, 1);
    }

    /**
     * Queues every slot for resend and counts what was not yet resent as sent in {@code epoch}, so that by latest
     * transmission no slot is older than that.
     */
    void loseAll(PathRow row, int epoch, Outcome outcome) {
        while (row.oldestInFlight != NONE) {
            lose(row, row.oldestInFlight, outcome);
        }
        for (int slot = row.firstByPsn; slot != NONE; slot = slab.psnNext(slot)) {
            // R-PATH-014: a local drop counts as a transmission, so unacknowledged slots belong to two epochs at most.
            slab.epoch(slot, epoch);
            slab.lostByGap(slot, false);
        }
    }

    /** Frees every slot without telling anybody; the path is gone. */
    void discardAll(PathRow row) {
        for (int slot = row.firstByPsn; slot != NONE; ) {
            int next = slab.psnNext(slot);
            slab.free(slot);
            slot = next;
        }
        row.firstByPsn = NONE;
        row.lastByPsn = NONE;
        row.oldestInFlight = NONE;
        row.youngestInFlight = NONE;
        unacked(row, -row.unacked);
        queued(row, -row.queued);
    }

    /** The queued slot with the lowest PSN, or NONE. */
    int firstQueued(PathRow row) {
        if (row.queued == 0) {
            return NONE;
        }
        int slot = row.firstByPsn;
        while (slab.state(slot) != SlotSlab.QUEUED) {
            slot = slab.psnNext(slot);
        }
        return slot;
    }

    /** The unacknowledged slot with the lowest PSN, or NONE. */
    int lowest(PathRow row) {
        return row.firstByPsn;
    }

    /** The slot in flight that was sent first, or NONE. */
    int oldestInFlight(PathRow row) {
        return row.oldestInFlight;
    }

    /** The slot in flight that was sent last, or NONE. */
    int youngestInFlight(PathRow row) {
        return row.youngestInFlight;
    }

    int nextInFlight(int slot) {
        return slab.txNext(slot);
    }

    /** Slots that are not acknowledged. */
    int unacked(PathRow row) {
        return row.unacked;
    }

    /** Slots waiting to be sent again. */
    int queued(PathRow row) {
        return row.queued;
    }

    /** PSN of the next new slot. */
    int nextPsn(PathRow row) {
        return row.nextPsn;
    }

    /** How far the next new slot would be ahead of the first unacknowledged one, in packets. */
    int span(PathRow row) {
        return row.firstByPsn == NONE ? 0 : Serial32.distance(slab.psn(row.firstByPsn), row.nextPsn);
    }

    private void unacked(PathRow row, int change) {
        row.unacked = (char) (row.unacked + change);
        pending.unacked(change);
    }

    private void queued(PathRow row, int change) {
        row.queued = (char) (row.queued + change);
        pending.queued(change);
    }

    private static boolean isSet(PathBlock block, int bit, int bits) {
        return bit >= 0 && bit < bits && (block.bitmapWord(bit / WORD_BITS) & (1L << bit)) != 0;
    }

    private void unlinkPsn(PathRow row, int slot) {
        int before = slab.psnPrevious(slot);
        int after = slab.psnNext(slot);
        if (before == NONE) {
            row.firstByPsn = after;
        } else {
            slab.psnNext(before, after);
        }
        if (after == NONE) {
            row.lastByPsn = before;
        } else {
            slab.psnPrevious(after, before);
        }
        unacked(row, -1);
    }

    private void unlinkTransmission(PathRow row, int slot) {
        int before = slab.txPrevious(slot);
        int after = slab.txNext(slot);
        if (before == NONE) {
            row.oldestInFlight = after;
        } else {
            slab.txNext(before, after);
        }
        if (after == NONE) {
            row.youngestInFlight = before;
        } else {
            slab.txPrevious(after, before);
        }
    }
}

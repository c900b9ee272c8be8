package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;

/**
 * The unacknowledged slots of one path, chained twice: by PSN, and those in flight also by transmission.
 *
 * <p>A slot never leaves its path, so nothing here knows another one.
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

    private final SlotSlab slab;
    private int firstByPsn = NONE;
    private int lastByPsn = NONE;
    private int oldestInFlight = NONE;
    private int youngestInFlight = NONE;
    private int unacked;
    private int queued;
    private Pending pending = new Pending();
    private @Bits(32) int nextPsn;
    private @Bits(32) int transmission; // ordinal of the last one on this path, probes included
    private @Bits(32) int passing; // highest ordinal known of what was sent no later than what is echoed
    private @Bits(32) int probeStamp;
    private @Bits(32) int probe; // ordinal of the last probe
    private int spurious; // slots taken for lost that had come, since last asked

    TxSlots(SlotSlab slab, int firstPsn) {
        this.slab = slab;
        this.nextPsn = firstPsn;
    }

    /** What is queued here counts in {@code shared} from now on. */
    void countIn(Pending shared) {
        pending = shared;
    }

    /** Opens a slot with the next PSN, or answers {@link SlotSlab#NONE} when the store is full. */
    int open() {
        // State is taken before the PSN, so that a PSN without state cannot exist.
        int slot = slab.take();
        if (slot == NONE) {
            return NONE;
        }
        // R-PATH-001: PSNs grow by exactly one per new slot, modulo 2^32.
        slab.psn[slot] = nextPsn++;
        slab.psnNext[slot] = NONE;
        slab.psnPrevious[slot] = lastByPsn;
        if (lastByPsn == NONE) {
            firstByPsn = slot;
        } else {
            slab.psnNext[lastByPsn] = slot;
        }
        lastByPsn = slot;
        unacked(1);
        return slot;
    }

    /** The slot has just been sent, for the first time or again: it is now the youngest transmission. */
    void transmitted(int slot, int stamp, int epoch, int costBytes) {
        if (slab.state[slot] == SlotSlab.IN_FLIGHT) {
            unlinkTransmission(slot);
        } else if (slab.state[slot] == SlotSlab.QUEUED) {
            queued(-1);
        }
        slab.state[slot] = SlotSlab.IN_FLIGHT;
        slab.stamp[slot] = stamp;
        slab.epoch[slot] = (byte) epoch;
        slab.costBytes[slot] = costBytes;
        slab.transmissions[slot]++;
        slab.order[slot] = ++transmission;
        slab.passed[slot] = false;
        slab.txNext[slot] = NONE;
        slab.txPrevious[slot] = youngestInFlight;
        if (youngestInFlight == NONE) {
            oldestInFlight = slot;
        } else {
            slab.txNext[youngestInFlight] = slot;
        }
        youngestInFlight = slot;
    }

    /** A probe has been sent: it follows a slot as any transmission does. */
    void probed(int stamp) {
        probe = ++transmission;
        probeStamp = stamp;
    }

    /** Releases every slot that the block says has arrived. Monotone: an old block does no harm. */
    void merge(PathBlock block, Outcome outcome) {
        int cum = block.cumPsn();
        int base = cum + block.sackOffset();
        int bits = block.words() * WORD_BITS;
        int end = base + bits;
        int slot = firstByPsn;
        while (slot != NONE) {
            int next = slab.psnNext[slot];
            int psn = slab.psn[slot];
            if (!Serial32.isBefore(psn, end)) {
                return; // slots are chained by PSN: the block says nothing of the others
            }
            if (Serial32.isBefore(psn, cum) || isSet(block, Serial32.distance(base, psn), bits)) {
                noteOrder(slot, block.echoStamp());
                release(slot, outcome);
            }
            slot = next;
        }
    }

    /** Releases a slot that is known to have been settled by other means. */
    void release(int slot, Outcome outcome) {
        unlinkPsn(slot);
        if (slab.state[slot] == SlotSlab.IN_FLIGHT) {
            unlinkTransmission(slot);
        } else if (slab.state[slot] == SlotSlab.QUEUED) {
            queued(-1);
        }
        outcome.acked(slot);
        slab.free(slot);
    }

    private void noteOrder(int slot, int echo) {
        boolean sentByThen = slab.state[slot] == SlotSlab.IN_FLIGHT && !Serial32.isAfter(slab.stamp[slot], echo);
        if (sentByThen) {
            passing = Serial32.later(slab.order[slot], passing);
        } else if (slab.lostByGap[slot]) {
            // Its resend has not left, or not arrived yet: it has come by an earlier transmission, and was never lost.
            spurious++;
        }
    }

    /** The highest ordinal known among the transmissions that were sent no later than what is echoed. */
    int passing(int echo) {
        if (!Serial32.isAfter(probeStamp, echo)) {
            passing = Serial32.later(probe, passing);
        }
        return passing;
    }

    /** Takes the number of slots that were taken for lost by a gap and had come. */
    int takeSpurious() {
        int taken = spurious;
        spurious = 0;
        return taken;
    }

    /** Takes a slot out of flight, since later ones have passed it, and queues it for resend. */
    void loseByGap(int slot, Outcome outcome) {
        slab.lostByGap[slot] = true;
        requeue(slot, outcome);
    }

    /** Takes a slot out of flight and queues it for resend. */
    void lose(int slot, Outcome outcome) {
        slab.lostByGap[slot] = false;
        requeue(slot, outcome);
    }

    private void requeue(int slot, Outcome outcome) {
        unlinkTransmission(slot);
        outcome.lost(slot);
        slab.state[slot] = SlotSlab.QUEUED;
        queued(1);
    }

    /**
     * Queues every slot for resend and counts what was not yet resent as sent in {@code epoch}, so that by latest
     * transmission no slot is older than that.
     */
    void loseAll(int epoch, Outcome outcome) {
        while (oldestInFlight != NONE) {
            lose(oldestInFlight, outcome);
        }
        for (int slot = firstByPsn; slot != NONE; slot = slab.psnNext[slot]) {
            // R-PATH-014: a local drop counts as a transmission, so unacknowledged slots belong to two epochs at most.
            slab.epoch[slot] = (byte) epoch;
            slab.lostByGap[slot] = false;
        }
    }

    /** Frees every slot without telling anybody; the path is gone. */
    void discardAll() {
        for (int slot = firstByPsn; slot != NONE; ) {
            int next = slab.psnNext[slot];
            slab.free(slot);
            slot = next;
        }
        firstByPsn = NONE;
        lastByPsn = NONE;
        oldestInFlight = NONE;
        youngestInFlight = NONE;
        unacked(-unacked);
        queued(-queued);
    }

    /** The queued slot with the lowest PSN, or NONE. */
    int firstQueued() {
        if (queued == 0) {
            return NONE;
        }
        int slot = firstByPsn;
        while (slab.state[slot] != SlotSlab.QUEUED) {
            slot = slab.psnNext[slot];
        }
        return slot;
    }

    /** The unacknowledged slot with the lowest PSN, or NONE. */
    int lowest() {
        return firstByPsn;
    }

    /** The slot in flight that was sent first, or NONE. */
    int oldestInFlight() {
        return oldestInFlight;
    }

    /** The slot in flight that was sent last, or NONE. */
    int youngestInFlight() {
        return youngestInFlight;
    }

    int nextInFlight(int slot) {
        return slab.txNext[slot];
    }

    /** Slots that are not acknowledged. */
    int unacked() {
        return unacked;
    }

    /** Slots waiting to be sent again. */
    int queued() {
        return queued;
    }

    /** PSN of the next new slot. */
    int nextPsn() {
        return nextPsn;
    }

    /** How far the next new slot would be ahead of the first unacknowledged one, in packets. */
    int span() {
        return firstByPsn == NONE ? 0 : Serial32.distance(slab.psn[firstByPsn], nextPsn);
    }

    private void unacked(int change) {
        unacked += change;
        pending.unacked(change);
    }

    private void queued(int change) {
        queued += change;
        pending.queued(change);
    }

    private static boolean isSet(PathBlock block, int bit, int bits) {
        return bit >= 0 && bit < bits && (block.bitmapWord(bit / WORD_BITS) & (1L << bit)) != 0;
    }

    private void unlinkPsn(int slot) {
        int before = slab.psnPrevious[slot];
        int after = slab.psnNext[slot];
        if (before == NONE) {
            firstByPsn = after;
        } else {
            slab.psnNext[before] = after;
        }
        if (after == NONE) {
            lastByPsn = before;
        } else {
            slab.psnPrevious[after] = before;
        }
        unacked(-1);
    }

    private void unlinkTransmission(int slot) {
        int before = slab.txPrevious[slot];
        int after = slab.txNext[slot];
        if (before == NONE) {
            oldestInFlight = after;
        } else {
            slab.txNext[before] = after;
        }
        if (after == NONE) {
            youngestInFlight = before;
        } else {
            slab.txPrevious[after] = before;
        }
    }
}

package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;
import java.util.Arrays;

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

    private final SlotSlab slab;
    private final Pending pending;
    private final int[] firstByPsn;
    private final int[] lastByPsn;
    private final int[] oldestInFlight;
    private final int[] youngestInFlight;
    private final @Bits(16) char[] unacked;
    private final @Bits(16) char[] queued;
    private final @Bits(32) int[] nextPsn;
    private final @Bits(32) int[] transmission; // ordinal of the last one on this path, probes included
    private final @Bits(32) int[] passing; // highest ordinal known of what was sent no later than what is echoed
    private final @Bits(32) int[] probeStamp;
    private final @Bits(32) int[] probe; // ordinal of the last probe
    private int spurious; // slots of one path taken for lost that had come, since last asked

    /** Of {@code paths} paths without slots; what is queued counts in {@code pending}. */
    TxSlots(int paths, SlotSlab slab, Pending pending) {
        this.slab = slab;
        this.pending = pending;
        firstByPsn = none(paths);
        lastByPsn = none(paths);
        oldestInFlight = none(paths);
        youngestInFlight = none(paths);
        unacked = new char[paths];
        queued = new char[paths];
        nextPsn = new int[paths];
        transmission = new int[paths];
        passing = new int[paths];
        probeStamp = new int[paths];
        probe = new int[paths];
    }

    private static int[] none(int paths) {
        int[] slots = new int[paths];
        Arrays.fill(slots, NONE);
        return slots;
    }

    /** The first slot of a path will have number {@code firstPsn}. */
    void begin(int path, int firstPsn) {
        nextPsn[path] = firstPsn;
    }

    /** Opens a slot with the next PSN, or answers {@link SlotSlab#NONE} when the store is full. */
    int open(int path) {
        // State is taken before the PSN, so that a PSN without state cannot exist.
        int slot = slab.take();
        if (slot == NONE) {
            return NONE;
        }
        // R-PATH-001: PSNs grow by exactly one per new slot, modulo 2^32.
        slab.psn[slot] = nextPsn[path]++;
        slab.psnNext[slot] = NONE;
        slab.psnPrevious[slot] = lastByPsn[path];
        if (lastByPsn[path] == NONE) {
            firstByPsn[path] = slot;
        } else {
            slab.psnNext[lastByPsn[path]] = slot;
        }
        lastByPsn[path] = slot;
        unacked(path, 1);
        return slot;
    }

    /** The slot has just been sent, for the first time or again: it is now the youngest transmission. */
    void transmitted(int path, int slot, int stamp, int epoch, int costBytes) {
        if (slab.state[slot] == SlotSlab.IN_FLIGHT) {
            unlinkTransmission(path, slot);
        } else if (slab.state[slot] == SlotSlab.QUEUED) {
            queued(path, -1);
        }
        slab.state[slot] = SlotSlab.IN_FLIGHT;
        slab.stamp[slot] = stamp;
        slab.epoch[slot] = (byte) epoch;
        slab.costBytes[slot] = costBytes;
        slab.transmissions[slot]++;
        slab.order[slot] = ++transmission[path];
        slab.passed[slot] = false;
        slab.txNext[slot] = NONE;
        slab.txPrevious[slot] = youngestInFlight[path];
        if (youngestInFlight[path] == NONE) {
            oldestInFlight[path] = slot;
        } else {
            slab.txNext[youngestInFlight[path]] = slot;
        }
        youngestInFlight[path] = slot;
    }

    /** A probe has been sent: it follows a slot as any transmission does. */
    void probed(int path, int stamp) {
        probe[path] = ++transmission[path];
        probeStamp[path] = stamp;
    }

    /** Releases every slot that the block says has arrived. Monotone: an old block does no harm. */
    void merge(int path, PathBlock block, Outcome outcome) {
        int cum = block.cumPsn();
        int base = cum + block.sackOffset();
        int bits = block.words() * WORD_BITS;
        int end = base + bits;
        int slot = firstByPsn[path];
        while (slot != NONE) {
            int next = slab.psnNext[slot];
            int psn = slab.psn[slot];
            if (!Serial32.isBefore(psn, end)) {
                return; // slots are chained by PSN: the block says nothing of the others
            }
            if (Serial32.isBefore(psn, cum) || isSet(block, Serial32.distance(base, psn), bits)) {
                noteOrder(path, slot, block.echoStamp());
                release(path, slot, outcome);
            }
            slot = next;
        }
    }

    /** Releases a slot that is known to have been settled by other means. */
    void release(int path, int slot, Outcome outcome) {
        unlinkPsn(path, slot);
        if (slab.state[slot] == SlotSlab.IN_FLIGHT) {
            unlinkTransmission(path, slot);
        } else if (slab.state[slot] == SlotSlab.QUEUED) {
            queued(path, -1);
        }
        outcome.acked(slot);
        slab.free(slot);
    }

    private void noteOrder(int path, int slot, int echo) {
        boolean sentByThen = slab.state[slot] == SlotSlab.IN_FLIGHT && !Serial32.isAfter(slab.stamp[slot], echo);
        if (sentByThen) {
            passing[path] = Serial32.later(slab.order[slot], passing[path]);
        } else if (slab.lostByGap[slot]) {
            // Its resend has not left, or not arrived yet: it has come by an earlier transmission, and was never lost.
            spurious++;
        }
    }

    /** The highest ordinal known among the transmissions that were sent no later than what is echoed. */
    int passing(int path, int echo) {
        if (!Serial32.isAfter(probeStamp[path], echo)) {
            passing[path] = Serial32.later(probe[path], passing[path]);
        }
        return passing[path];
    }

    /** Takes the number of slots that were taken for lost by a gap and had come. */
    int takeSpurious() {
        int taken = spurious;
        spurious = 0;
        return taken;
    }

    /** Takes a slot out of flight, since later ones have passed it, and queues it for resend. */
    void loseByGap(int path, int slot, Outcome outcome) {
        slab.lostByGap[slot] = true;
        requeue(path, slot, outcome);
    }

    /** Takes a slot out of flight and queues it for resend. */
    void lose(int path, int slot, Outcome outcome) {
        slab.lostByGap[slot] = false;
        requeue(path, slot, outcome);
    }

    private void requeue(int path, int slot, Outcome outcome) {
        unlinkTransmission(path, slot);
        outcome.lost(slot);
        slab.state[slot] = SlotSlab.QUEUED;
        queued(path, 1);
    }

    /**
     * Queues every slot for resend and counts what was not yet resent as sent in {@code epoch}, so that by latest
     * transmission no slot is older than that.
     */
    void loseAll(int path, int epoch, Outcome outcome) {
        while (oldestInFlight[path] != NONE) {
            lose(path, oldestInFlight[path], outcome);
        }
        for (int slot = firstByPsn[path]; slot != NONE; slot = slab.psnNext[slot]) {
            // R-PATH-014: a local drop counts as a transmission, so unacknowledged slots belong to two epochs at most.
            slab.epoch[slot] = (byte) epoch;
            slab.lostByGap[slot] = false;
        }
    }

    /** Frees every slot without telling anybody; the path is gone. */
    void discardAll(int path) {
        for (int slot = firstByPsn[path]; slot != NONE; ) {
            int next = slab.psnNext[slot];
            slab.free(slot);
            slot = next;
        }
        firstByPsn[path] = NONE;
        lastByPsn[path] = NONE;
        oldestInFlight[path] = NONE;
        youngestInFlight[path] = NONE;
        unacked(path, -unacked[path]);
        queued(path, -queued[path]);
    }

    /** The queued slot with the lowest PSN, or NONE. */
    int firstQueued(int path) {
        if (queued[path] == 0) {
            return NONE;
        }
        int slot = firstByPsn[path];
        while (slab.state[slot] != SlotSlab.QUEUED) {
            slot = slab.psnNext[slot];
        }
        return slot;
    }

    /** The unacknowledged slot with the lowest PSN, or NONE. */
    int lowest(int path) {
        return firstByPsn[path];
    }

    /** The slot in flight that was sent first, or NONE. */
    int oldestInFlight(int path) {
        return oldestInFlight[path];
    }

    /** The slot in flight that was sent last, or NONE. */
    int youngestInFlight(int path) {
        return youngestInFlight[path];
    }

    int nextInFlight(int slot) {
        return slab.txNext[slot];
    }

    /** Slots that are not acknowledged. */
    int unacked(int path) {
        return unacked[path];
    }

    /** Slots waiting to be sent again. */
    int queued(int path) {
        return queued[path];
    }

    /** PSN of the next new slot. */
    int nextPsn(int path) {
        return nextPsn[path];
    }

    /** How far the next new slot would be ahead of the first unacknowledged one, in packets. */
    int span(int path) {
        return firstByPsn[path] == NONE ? 0 : Serial32.distance(slab.psn[firstByPsn[path]], nextPsn[path]);
    }

    private void unacked(int path, int change) {
        unacked[path] = (char) (unacked[path] + change);
        pending.unacked(change);
    }

    private void queued(int path, int change) {
        queued[path] = (char) (queued[path] + change);
        pending.queued(change);
    }

    private static boolean isSet(PathBlock block, int bit, int bits) {
        return bit >= 0 && bit < bits && (block.bitmapWord(bit / WORD_BITS) & (1L << bit)) != 0;
    }

    private void unlinkPsn(int path, int slot) {
        int before = slab.psnPrevious[slot];
        int after = slab.psnNext[slot];
        if (before == NONE) {
            firstByPsn[path] = after;
        } else {
            slab.psnNext[before] = after;
        }
        if (after == NONE) {
            lastByPsn[path] = before;
        } else {
            slab.psnPrevious[after] = before;
        }
        unacked(path, -1);
    }

    private void unlinkTransmission(int path, int slot) {
        int before = slab.txPrevious[slot];
        int after = slab.txNext[slot];
        if (before == NONE) {
            oldestInFlight[path] = after;
        } else {
            slab.txNext[before] = after;
        }
        if (after == NONE) {
            youngestInFlight[path] = before;
        } else {
            slab.txPrevious[after] = before;
        }
    }
}

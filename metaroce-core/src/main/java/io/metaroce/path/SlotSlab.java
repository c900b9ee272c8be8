package io.metaroce.path;

import java.util.Arrays;

/**
 * The endpoint's store of packets in flight: columns by slot number. A slot number is the token by which everybody
 * names an unacknowledged packet; it is free again once the packet is acknowledged.
 *
 * <p>Sized once; when it is full no path opens a slot.
 */
public final class SlotSlab {
    /** No slot. */
    public static final int NONE = -1;

    static final byte FREE = 0;
    static final byte OPENED = 1; // has a PSN, not yet sent
    static final byte IN_FLIGHT = 2;
    static final byte QUEUED = 3; // lost or rebound, to be sent again

    final int[] psn;
    final int[] stamp;
    final int[] costBytes;
    final int[] transmissions;
    final int[] order; // ordinal of the last transmission on its path
    final int[] passedAt; // clock at which it was first found passed
    final boolean[] passed; // by some later transmissions, not enough yet to be lost
    final boolean[] lostByGap; // its last resend is due to the rule of gaps
    final byte[] epoch;
    final byte[] state;
    final int[] psnNext;
    final int[] psnPrevious;
    final int[] txNext;
    final int[] txPrevious;
    private int firstFree;
    private int available;

    /** A store for {@code slots} packets. */
    public SlotSlab(int slots) {
        psn = new int[slots];
        stamp = new int[slots];
        costBytes = new int[slots];
        transmissions = new int[slots];
        order = new int[slots];
        passedAt = new int[slots];
        passed = new boolean[slots];
        lostByGap = new boolean[slots];
        epoch = new byte[slots];
        state = new byte[slots];
        psnNext = new int[slots];
        psnPrevious = new int[slots];
        txNext = new int[slots];
        txPrevious = new int[slots];
        for (int i = 0; i < slots; i++) {
            psnNext[i] = i + 1 < slots ? i + 1 : NONE;
        }
        Arrays.fill(txNext, NONE);
        Arrays.fill(txPrevious, NONE);
        firstFree = slots > 0 ? 0 : NONE;
        available = slots;
    }

    /** Slots that are free. */
    public int available() {
        return available;
    }

    /** Number of slots in all. */
    public int capacity() {
        return psn.length;
    }

    /** PSN of a slot. */
    public int psn(int slot) {
        return psn[slot];
    }

    /** Cost in bytes of the slot's last transmission. */
    public int costBytes(int slot) {
        return costBytes[slot];
    }

    /** How often the slot has been sent. */
    public int transmissions(int slot) {
        return transmissions[slot];
    }

    /** Whether the slot's last transmission is neither acknowledged nor given up. */
    public boolean isInFlight(int slot) {
        return state[slot] == IN_FLIGHT;
    }

    int take() {
        int slot = firstFree;
        if (slot == NONE) {
            return NONE;
        }
        firstFree = psnNext[slot];
        available--;
        state[slot] = OPENED;
        transmissions[slot] = 0;
        passed[slot] = false;
        lostByGap[slot] = false;
        return slot;
    }

    void free(int slot) {
        assert state[slot] != FREE : "slot " + slot + " is freed twice";
        state[slot] = FREE;
        psnNext[slot] = firstFree;
        firstFree = slot;
        available++;
    }
}

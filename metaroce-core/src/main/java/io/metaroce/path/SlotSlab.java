package io.metaroce.path;

import io.metaroce.num.Bits;

/**
 * The endpoint's store of packets in flight: a row of words for each slot, in one array. A slot number is the token by
 * which everybody names an unacknowledged packet; it is free again once the packet is acknowledged.
 *
 * <p>Sized once; when it is full no path opens a slot.
 */
public final class SlotSlab {
    /** No slot. */
    public static final int NONE = -1;

    static final int FREE = 0;
    static final int OPENED = 1; // has a PSN, not yet sent
    static final int IN_FLIGHT = 2;
    static final int QUEUED = 3; // lost or rebound, to be sent again

    // Words of a row.
    private static final int PSN = 0;
    private static final int STAMP = 1;
    private static final int COST_BYTES = 2;
    private static final int TRANSMISSIONS = 3;
    private static final int ORDER = 4;
    private static final int PASSED_AT = 5;
    private static final int FATE = 6;
    private static final int PSN_NEXT = 7;
    private static final int PSN_PREVIOUS = 8;
    private static final int TX_NEXT = 9;
    private static final int TX_PREVIOUS = 10;
    private static final int ROW = 11;

    // fate ::= lostByGap:1 passed:1 epoch:8 state:2
    private static final int STATE = 0x3;
    private static final int EPOCH_SHIFT = 2;
    private static final int EPOCH = 0xFF << EPOCH_SHIFT;
    private static final int PASSED = 1 << 10;
    private static final int LOST_BY_GAP = 1 << 11;

    private final int[] words;
    private final int slots;
    private int firstFree;
    private int available;

    /** A store for {@code slots} packets. */
    public SlotSlab(int slots) {
        this.slots = slots;
        words = new int[Math.multiplyExact(slots, ROW)];
        for (int i = 0; i < slots; i++) {
            psnNext(i, i + 1 < slots ? i + 1 : NONE);
        }
        firstFree = slots > 0 ? 0 : NONE;
        available = slots;
    }

    /** Slots that are free. */
    public int available() {
        return available;
    }

    /** Number of slots in all. */
    public int capacity() {
        return slots;
    }

    /** PSN of a slot. */
    public @Bits(32) int psn(int slot) {
        return words[slot * ROW + PSN];
    }

    /** Cost in bytes of the slot's last transmission. */
    public int costBytes(int slot) {
        return words[slot * ROW + COST_BYTES];
    }

    /** How often the slot has been sent. */
    public int transmissions(int slot) {
        return words[slot * ROW + TRANSMISSIONS];
    }

    /** Whether the slot's last transmission is neither acknowledged nor given up. */
    public boolean isInFlight(int slot) {
        return state(slot) == IN_FLIGHT;
    }

    // ---- what became of it

    int state(int slot) {
        return fate(slot) & STATE;
    }

    void state(int slot, int value) {
        fate(slot, (fate(slot) & ~STATE) | value);
    }

    /** Epoch of its path when it was sent last, 0..255. */
    int epoch(int slot) {
        return (fate(slot) & EPOCH) >>> EPOCH_SHIFT;
    }

    void epoch(int slot, int value) {
        fate(slot, (fate(slot) & ~EPOCH) | ((value << EPOCH_SHIFT) & EPOCH));
    }

    /** Whether some later transmissions have passed it, not enough yet for it to be lost. */
    boolean isPassed(int slot) {
        return (fate(slot) & PASSED) != 0;
    }

    /** The clock at which it was first found passed; meaningful while it is. */
    @Bits(32)
    int passedAt(int slot) {
        return words[slot * ROW + PASSED_AT];
    }

    void passed(int slot, @Bits(32) int clock) {
        words[slot * ROW + PASSED_AT] = clock;
        fate(slot, fate(slot) | PASSED);
    }

    /** Whether its last resend is due to the rule of gaps. */
    boolean isLostByGap(int slot) {
        return (fate(slot) & LOST_BY_GAP) != 0;
    }

    void lostByGap(int slot, boolean value) {
        fate(slot, value ? fate(slot) | LOST_BY_GAP : fate(slot) & ~LOST_BY_GAP);
    }

    private int fate(int slot) {
        return words[slot * ROW + FATE];
    }

    private void fate(int slot, int value) {
        words[slot * ROW + FATE] = value;
    }

    // ---- its last transmission

    @Bits(32)
    int stamp(int slot) {
        return words[slot * ROW + STAMP];
    }

    /** Ordinal of the last transmission on its path. */
    @Bits(32)
    int order(int slot) {
        return words[slot * ROW + ORDER];
    }

    /** The slot has been sent, once more than before. */
    void sent(int slot, @Bits(32) int stamp, int epoch, int costBytes, @Bits(32) int order) {
        int row = slot * ROW;
        words[row + STAMP] = stamp;
        words[row + COST_BYTES] = costBytes;
        words[row + TRANSMISSIONS]++;
        words[row + ORDER] = order;
        words[row + FATE] = (words[row + FATE] & LOST_BY_GAP) | ((epoch << EPOCH_SHIFT) & EPOCH) | IN_FLIGHT;
    }

    // ---- chains

    /** The next one of the path by PSN, or NONE. */
    int psnNext(int slot) {
        return words[slot * ROW + PSN_NEXT];
    }

    void psnNext(int slot, int next) {
        words[slot * ROW + PSN_NEXT] = next;
    }

    /** The one before by PSN, or NONE. */
    int psnPrevious(int slot) {
        return words[slot * ROW + PSN_PREVIOUS];
    }

    void psnPrevious(int slot, int previous) {
        words[slot * ROW + PSN_PREVIOUS] = previous;
    }

    /** The one of the path sent next, or NONE; of those in flight. */
    int txNext(int slot) {
        return words[slot * ROW + TX_NEXT];
    }

    void txNext(int slot, int next) {
        words[slot * ROW + TX_NEXT] = next;
    }

    /** The one of the path sent before, or NONE; of those in flight. */
    int txPrevious(int slot) {
        return words[slot * ROW + TX_PREVIOUS];
    }

    void txPrevious(int slot, int previous) {
        words[slot * ROW + TX_PREVIOUS] = previous;
    }

    // ---- taking and giving

    /** Takes a slot for {@code psn}, at the end of the chain by PSN whose last one is {@code previous}; or NONE. */
    int take(@Bits(32) int psn, int previous) {
        int slot = firstFree;
        if (slot == NONE) {
            return NONE;
        }
        int row = slot * ROW;
        firstFree = words[row + PSN_NEXT];
        available--;
        words[row + PSN] = psn;
        words[row + TRANSMISSIONS] = 0;
        words[row + FATE] = OPENED;
        words[row + PSN_NEXT] = NONE;
        words[row + PSN_PREVIOUS] = previous;
        return slot;
    }

    void free(int slot) {
        assert state(slot) != FREE : "slot " + slot + " is freed twice";
        state(slot, FREE);
        psnNext(slot, firstFree);
        firstFree = slot;
        available++;
    }
}

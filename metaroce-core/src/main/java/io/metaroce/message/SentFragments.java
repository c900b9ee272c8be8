package io.metaroce.message;

/**
 * What the slots in flight carry, by slot number. One per endpoint. A row for each slot and no columns: whoever looks
 * at a slot looks at nearly all of it, and in columns that would be a dozen places in memory.
 */
public final class SentFragments {
    /** No stream: the slot carries nothing of ours. */
    static final int NOBODY = -1;

    private final SentFragment[] rows;

    /** Rows for {@code slots} slots. */
    public SentFragments(int slots) {
        rows = new SentFragment[slots];
        for (int slot = 0; slot < slots; slot++) {
            rows[slot] = new SentFragment();
        }
    }

    /** Slots it has rows for. */
    public int capacity() {
        return rows.length;
    }

    /** What a slot carries. */
    SentFragment at(int slot) {
        return rows[slot];
    }
}

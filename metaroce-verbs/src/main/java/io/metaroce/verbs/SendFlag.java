package io.metaroce.verbs;

import io.metaroce.queue.SendFlags;

/** How a send work request is to be treated. Values as in {@code ibv_send_flags}; one is our own. */
public enum SendFlag {
    /** Do not begin before all earlier reads and atomics of this queue pair are complete. */
    FENCE(SendFlags.FENCE),
    /** Make a completion even if the request succeeds. Needed only on queue pairs with selective signalling. */
    SIGNALED(SendFlags.SIGNALED),
    /** Wake a receiver that waits for solicited completions only. */
    SOLICITED(SendFlags.SOLICITED),
    /** Copy the payload when the request is posted: its memory is free as soon as the call returns. */
    INLINE(SendFlags.INLINE),
    /**
     * A write of one packet shows in the peer's memory only after everything before it: a flag that may be polled. Both
     * sides need the setting {@code connection.orderedWrites}.
     */
    ORDERED(SendFlags.ORDERED);

    private final int value;

    SendFlag(int value) {
        this.value = value;
    }

    /** The bit of this flag, for the posting calls that take primitives. */
    public int value() {
        return value;
    }

    /** The bits of several flags, for the posting calls that take primitives. */
    public static int mask(SendFlag... flags) {
        int mask = 0;
        for (SendFlag flag : flags) {
            mask |= flag.value;
        }
        return mask;
    }
}

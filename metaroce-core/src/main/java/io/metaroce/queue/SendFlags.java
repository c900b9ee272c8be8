package io.metaroce.queue;

/** Bits of a send work request's flags. Values are those of {@code ibv_send_flags} in rdma-core; one is our own. */
public final class SendFlags {
    /** Start only when all earlier Reads and atomics of the queue pair are complete. */
    public static final int FENCE = 1;

    /** Complete visibly even where only flagged requests do. */
    public static final int SIGNALED = 2;

    /** Wake the peer if it waits for solicited events. */
    public static final int SOLICITED = 4;

    /** The bytes were copied into the cell when the request was posted; no region is involved. */
    public static final int INLINE = 8;

    /** Not of rdma-core: a write of one packet that shows only after everything before it. */
    public static final int ORDERED = 0x100;

    private SendFlags() {}
}

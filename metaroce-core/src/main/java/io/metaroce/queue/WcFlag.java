package io.metaroce.queue;

/** Bits of a completion's flags. Values are those of {@code ibv_wc_flags} in rdma-core, and one of our own. */
public final class WcFlag {
    /** A global route header is present; never set by this transport. */
    public static final int GRH = 1;

    /** The immediate is valid. */
    public static final int WITH_IMM = 2;

    /** The peer invalidated a local key; it stands in place of the immediate. */
    public static final int WITH_INV = 8;

    /**
     * The sender asked that whoever waits for solicited events be woken. Not a flag of rdma-core: it is said to
     * {@link CompletionSink#completed} and never shows in a polled completion.
     */
    public static final int SOLICITED = 1 << 16;

    private WcFlag() {}
}

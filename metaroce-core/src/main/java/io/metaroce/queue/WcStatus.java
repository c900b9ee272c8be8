package io.metaroce.queue;

import java.util.Locale;

/** How a work request ended. Names and values are those of {@code ibv_wc_status} in rdma-core. */
public enum WcStatus {
    /** 0. */
    SUCCESS("success", "The operation was carried out in full."),
    /** 1. */
    LOC_LEN_ERR("local length error", "The posted buffers are too small for what arrived, or too large for a message."),
    /** 2. */
    LOC_QP_OP_ERR("local QP operation error", "This side could not carry out the work request: an internal error."),
    /** 3; not used by this transport. */
    LOC_EEC_OP_ERR("local EE context operation error", "Not used by this transport."),
    /** 4. */
    LOC_PROT_ERR(
            "local protection error",
            "A scatter-gather entry names a key that is not registered, of another protection domain, too short, or not"
                    + " writable."),
    /** 5. */
    WR_FLUSH_ERR(
            "Work Request Flushed Error",
            "The queue pair was closed or had failed before; this request is handed back. The first failure names the"
                    + " cause."),
    /** 6; not used by this transport. */
    MW_BIND_ERR("memory management operation error", "Not used by this transport."),
    /** 7. */
    BAD_RESP_ERR("bad response error", "The peer's response does not fit what was asked for."),
    /** 8. */
    LOC_ACCESS_ERR("local access error", "The peer tried to reach local memory that it may not reach."),
    /** 9. */
    REM_INV_REQ_ERR(
            "remote invalid request error",
            "The peer cannot accept the request: its receive buffer is too small, its stream is not open, or a limit"
                    + " was passed."),
    /** 10. */
    REM_ACCESS_ERR(
            "remote access error",
            "The peer refused the access: remote key, address, length or permission is wrong, or the region is gone."),
    /** 11. */
    REM_OP_ERR("remote operation error", "The peer could not carry out the operation: an internal error there."),
    /** 12. */
    RETRY_EXC_ERR(
            "transport retry counter exceeded",
            "Nothing was delivered to the peer for the whole dead time; it is gone."),
    /** 13. */
    RNR_RETRY_EXC_ERR(
            "RNR retry counter exceeded", "The peer had no receive posted, on every attempt that was allowed."),
    /** 14; not used by this transport. */
    LOC_RDD_VIOL_ERR("local RDD violation error", "Not used by this transport."),
    /** 15; not used by this transport. */
    REM_INV_RD_REQ_ERR("remote invalid RD request", "Not used by this transport."),
    /** 16. */
    REM_ABORT_ERR("aborted error", "The peer closed or gave up the stream."),
    /** 17; not used by this transport. */
    INV_EECN_ERR("invalid EE context number", "Not used by this transport."),
    /** 18; not used by this transport. */
    INV_EEC_STATE_ERR("invalid EE context state", "Not used by this transport."),
    /** 19. */
    FATAL_ERR("fatal error", "The connection was ended because a side broke the protocol."),
    /** 20. */
    RESP_TIMEOUT_ERR("response timeout error", "The request was delivered, but its response never came."),
    /** 21. */
    GENERAL_ERR("general error", "The operation failed for a reason that has no status of its own."),
    /** 22; not used by this transport. */
    TM_ERR("TM error", "Not used by this transport."),
    /** 23; not used by this transport. */
    TM_RNR_INCOMPLETE("TM software rendezvous", "Not used by this transport.");

    private static final WcStatus[] BY_VALUE = values();

    private final String text;
    private final String sentence;

    WcStatus(String text, String sentence) {
        this.text = text;
        this.sentence = sentence;
    }

    /** The number of this status in rdma-core. */
    @SuppressWarnings("EnumOrdinal")
    public int value() {
        return ordinal();
    }

    /** The wording of {@code ibv_wc_status_str}. */
    public String text() {
        return text;
    }

    /** What happened, in one plain sentence. */
    public String sentence() {
        return sentence;
    }

    /** Whether the work request was carried out. */
    public boolean isSuccess() {
        return this == SUCCESS;
    }

    /**
     * The status with a number.
     *
     * @throws IllegalArgumentException when no status has it
     */
    public static WcStatus of(int value) {
        if (value < 0 || value >= BY_VALUE.length) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "no completion status has the value %d; known are 0..%d", value, BY_VALUE.length - 1));
        }
        return BY_VALUE[value];
    }
}

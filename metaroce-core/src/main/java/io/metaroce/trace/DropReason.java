package io.metaroce.trace;

/**
 * Why an arriving packet was dropped. The order is that of the receive pipeline: the first failing step names the
 * reason.
 */
public enum DropReason {
    /** Shorter than the base header, or than the fixed headers of its opcode. */
    SHORT("short", "R-HDR-002"),
    /** A version this endpoint does not speak. */
    VERSION("version", "R-HDR-012"),
    /** An opcode that is not assigned. */
    OPCODE("opcode", "R-HDR-012"),
    /** No connection has this DstConnId. */
    NO_CONNECTION("no_connection", "R-HDR-009"),
    /** The trailer does not match. */
    INTEGRITY("integrity", "R-HDR-007"),
    /** A secured packet that was received before, or is older than is remembered. */
    REPLAY("replay", "R-SEC-005"),
    /** A length that does not fit the opcode. */
    LENGTH("length", "R-HDR-002"),
    /** A malformed option chain. */
    TLV("tlv", "R-HDR-006"),
    /** An option that must be understood and is not. */
    TLV_CRITICAL("tlv_critical", "R-HDR-005"),
    /** The state of the connection does not admit this packet. */
    STATE("state", "R-MEM-007"),
    /** A path number beyond what was agreed, or another breach of the protocol. */
    PROTOCOL("protocol", "R-ACK-007"),
    /** A slot at or beyond the window of its path. */
    WINDOW("window", "R-PATH-004"),
    /** A slot of a sender that exceeds its share for long. */
    POLICED("policed", "R-HINT-013"),
    /** A report older than is credible. */
    STALE_REPORT("stale_report", "R-ACK-006"),
    /** An unsolicited packet beyond the limits of what is answered, or of the keys that are tried. */
    RATE_LIMITED("rate_limited", "R-SEC-004"),
    /** A handshake packet that lacks a parameter, has one out of its range, or answers nothing that was asked. */
    HANDSHAKE("handshake", "R-CONN-001"),
    /** A RESET for no connection there is, or without the token announced for it. */
    RESET_TOKEN("reset_token", "R-SEC-003"),
    /** A packet that is well formed and that this endpoint has no use for. */
    UNEXPECTED("unexpected", "R-HDR-012");

    private final String label;
    private final String tag;

    DropReason(String label, String tag) {
        this.label = label;
        this.tag = tag;
    }

    /** Name in counters and documents. */
    public String label() {
        return label;
    }

    /** The requirement that asks for the drop. */
    public String tag() {
        return tag;
    }
}

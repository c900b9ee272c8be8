package io.metaroce.trace;

/** The counters of an endpoint. Labels follow the hw_counters of RDMA devices where such a name exists. */
public enum Counter {
    TX_PACKETS("tx_packets", "packets sent, all kinds"),
    TX_BYTES("tx_bytes", "bytes of UDP payload sent"),
    RX_PACKETS("rx_packets", "packets received, dropped ones included"),
    RX_BYTES("rx_bytes", "bytes of UDP payload received"),
    TX_SLOTS("tx_slots", "slots opened: data packets without their retransmissions"),
    RETRANSMIT_GAP("retransmit_gap", "slots resent because a later packet of their path overtook them"),
    RETRANSMIT_PTO("local_ack_timeout_err", "slots resent because nothing was heard of their path"),
    RETRANSMIT_REBIND("retransmit_rebind", "slots resent because their path took another route"),
    RETRANSMIT_WITHDRAWN("retransmit_withdrawn", "slots resent without payload because their message is dead"),
    SPURIOUS_RETRANSMIT("spurious_retransmit", "duplicates the peer reports having received"),
    RX_SLOTS("rx_slots", "data packets accepted"),
    RX_DUPLICATES("duplicate_request", "data packets received again"),
    RX_OUT_OF_SEQUENCE("out_of_sequence", "data packets that opened or filled a gap of their path"),
    RX_PAYLOAD_BYTES("rx_payload_bytes", "payload bytes placed"),
    RX_MARKED("np_ecn_marked_roce_packets", "packets received with congestion experienced"),
    TX_MARKS_SEEN("rp_cnp_handled", "path blocks received that reported new marks"),
    ACKS_SENT("acks_sent", "acknowledgements sent"),
    ACKS_RECEIVED("acks_received", "acknowledgements received"),
    PROBES_SENT("probes_sent", "probes sent"),
    PTO_EXPIRED("pto_expired", "probe timeouts"),
    PATHS_SUSPECTED("paths_suspected", "times a path fell silent while others delivered"),
    PATHS_REBOUND("paths_rebound", "times a path took another route"),
    REBIND_SPURIOUS("rebind_spurious", "times a route left as failed turned out to have been alive"),
    PAYLOAD_REDUCED("payload_reduced", "times a connection began to send shorter packets because no longer ones pass"),
    PAYLOAD_RAISED("payload_raised", "times a connection began to send longer packets because they pass"),
    RNR_NAKS_SENT("out_of_buffer", "messages refused because no receive was posted"),
    RNR_NAKS_RECEIVED("rnr_nak_retry_err", "refusals received"),
    STREAM_ERRORS("stream_errors", "streams that failed"),
    ACCESS_ERRORS("resp_remote_access_errors", "packets whose key, bounds or permission failed"),
    CONNECTIONS_OPENED("connections_opened", "connections established"),
    CONNECTIONS_CLOSED("connections_closed", "connections gone"),
    HANDSHAKE_RETRIES("handshake_retries", "connection requests sent again"),
    STREAM_QUERIES_SENT("stream_queries_sent", "questions about messages whose completion was not reported"),
    SENDERS_POLICED("senders_policed", "times a peer that kept exceeding its share began to lose what it sent beyond"),
    UNKNOWN_RESPONSES("unknown_responses", "responses received to requests that nobody waits for"),
    RESETS_SENT("resets_sent", "peers told that this endpoint does not know their connection"),
    RESETS_RECEIVED("resets_received", "connections ended because the peer has restarted");

    private final String label;
    private final String meaning;

    Counter(String label, String meaning) {
        this.label = label;
        this.meaning = meaning;
    }

    /** Name in tools and documents. */
    public String label() {
        return label;
    }

    /** What is counted, in plain words. */
    public String meaning() {
        return meaning;
    }
}

package io.metaroce.connection;

/** The states of a connection. */
public enum ConnectionState {
    /** Initiator: the request is under way. */
    REQ_SENT,
    /** Responder: the application decides. */
    PENDING,
    /** Responder: accepted, waiting to hear that the initiator knows. */
    ACCEPTED,
    /** Data flows. */
    ESTABLISHED,
    /** The application closed; own work finishes, none is taken any more. */
    QUIESCING,
    /** Own work is done, the peer is asked to close. */
    CLOSING,
    /** The peer is done; own work finishes. */
    DRAINING,
    /** Gone; still answers a closing packet for a while. */
    TOMBSTONE
}

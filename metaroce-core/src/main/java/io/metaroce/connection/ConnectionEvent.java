package io.metaroce.connection;

/** What happens to the state of a connection. */
public enum ConnectionEvent {
    /** CONN_ACCEPT received. */
    ACCEPT_RECEIVED,
    /** The application accepted. */
    ACCEPTED_BY_APPLICATION,
    /** CONN_CONFIRM, or any valid packet, received. */
    CONFIRMED,
    /** The application closes. */
    CLOSE_WANTED,
    /** No own work is left. */
    WORK_DONE,
    /** A graceful CLOSE was received while own work is left. */
    PEER_DONE,
    /** Both sides know, or it is over by force, refusal or time. */
    OVER
}

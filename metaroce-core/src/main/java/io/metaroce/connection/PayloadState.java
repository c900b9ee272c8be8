package io.metaroce.connection;

/** How far a connection has come in finding out how much a packet may carry. */
public enum PayloadState {
    /** Nothing above the smallest size has been proved: longer messages wait. */
    PROVING,
    /** New messages are cut to a size that was proved. */
    SETTLED,
    /** Paths lose so much that the size in use is asked for again. */
    DOUBTED,
    /** The size last used passes nowhere: new messages are cut smaller, and it is asked for again. */
    NARROWED,
    /** A larger size is asked for, on one path after the other. */
    RAISING
}

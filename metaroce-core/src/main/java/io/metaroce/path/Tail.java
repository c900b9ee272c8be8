package io.metaroce.path;

/** Whether a packet is likely to be followed by others soon, so that a probe behind it can wait. */
public enum Tail {
    /** Nothing more is queued on the connection. */
    LAST,
    /** More is queued: some of it will probably take this path within a round trip. */
    MORE_COMES
}

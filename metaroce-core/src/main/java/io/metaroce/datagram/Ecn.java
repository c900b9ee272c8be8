package io.metaroce.datagram;

/** The ECN codepoint a datagram arrived with (RFC 3168), or that the receiver cannot tell. */
public enum Ecn {
    /** Not ECN-capable. */
    NOT_ECT,
    /** ECN-capable, codepoint 1. */
    ECT_1,
    /** ECN-capable, codepoint 0: what this transport sends. */
    ECT_0,
    /** Congestion experienced: a queue on the way was beyond its threshold. */
    CE,
    /** The receiver cannot read the codepoint. */
    UNKNOWN
}

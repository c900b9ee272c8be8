package io.metaroce.collective;

/** What a node of a program does. */
public enum Op {
    /** Writes a range into a buffer of a peer, which learns of it through 32 immediate bits; perhaps no byte at all. */
    WRITE_IMM,
    /** Such a write of a peer has arrived: all its bytes are in place. Nobody starts this node. */
    RECV,
    /** Makes each element of the destination the source's element, combined with what the destination held. */
    REDUCE,
    /** Copies a range. */
    COPY,
    /** Does nothing; joins what it depends on. */
    NOP
}

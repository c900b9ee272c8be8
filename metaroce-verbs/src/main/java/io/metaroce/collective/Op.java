package io.metaroce.collective;

/** What a node of a program does. */
public enum Op {
    /** Writes a range into a buffer of a peer, which learns of it through 32 immediate bits; perhaps no byte at all. */
    WRITE_IMM,
    /** Such a write of a peer has arrived: all its bytes are in place. Nobody starts this node. */
    RECV,
    /** Sends a range to a peer, where the {@link #RECV_INTO} that is its turn takes it. Those of a stream in turn. */
    SEND,
    /** A receive for a range that a peer sends, posted when the program begins; complete when it has come. */
    RECV_INTO,
    /** Reads a range of a buffer of a peer. */
    READ,
    /** Makes each element of the destination the source's element, combined with what the destination held. */
    REDUCE,
    /** Copies a range. */
    COPY,
    /** Does nothing; joins what it depends on. */
    NOP;

    /** Whether it hears of a peer: what makes it complete comes from outside. */
    public boolean isArrival() {
        return this == RECV || this == RECV_INTO;
    }

    /** Whether it gives bytes to a peer, perhaps none, and names the node there that hears of them. */
    public boolean isMessage() {
        return this == WRITE_IMM || this == SEND;
    }
}

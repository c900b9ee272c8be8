package io.metaroce.sim;

/** Why the fabric lost a packet. */
public enum DropCause {
    /** The queue of a port was full. */
    QUEUE(1),
    /** Random loss of a link. */
    LOSS(2),
    /** The link was down, or went down while the packet was on it. */
    DOWN(3),
    /** The source port of the packet leads into a black hole. */
    BLACKHOLE(4),
    /** A drop mask named the packet. */
    MASK(5),
    /** No host has the destination address, or nothing is attached there. */
    NO_ROUTE(6),
    /** The receive ring of a paused host was full. */
    RING(7),
    /** The host has been closed. */
    CLOSED(8),
    /** The packet was longer than the link takes. */
    NARROW(9);

    private final int number;

    DropCause(int number) {
        this.number = number;
    }

    /** The number that goes into the trace hash; never changes. */
    public int number() {
        return number;
    }
}

package io.metaroce.collective;

/** What a running program needs from its surroundings. One object serves one rank; one thread at a time. */
public interface RankIo {
    /** Nothing has happened. */
    long NOTHING = -1;
    /** Bit of {@link #poll} that tells an arrival from the end of a node. */
    long ARRIVED = 1L << 32;

    /** What became of a node that was posted. */
    enum Posted {
        /** It is complete already. */
        DONE,
        /** {@link #poll} will tell of its end. */
        UNDER_WAY,
        /** There is no room; nothing was done. */
        FULL
    }

    /**
     * Begins a node: a message, a read, a reduction or a copy; or posts the receive of an {@link Op#RECV_INTO}, whose
     * end is an arrival.
     *
     * @param immediate what a message tells its receiver
     */
    Posted post(Program program, int node, int immediate);

    /**
     * The next thing that has happened: the number of a node that is complete, or {@link #ARRIVED} with the immediate
     * bits of a message whose bytes are all in place, or {@link #NOTHING}.
     */
    long poll();

    /** The time in ns, from any origin. */
    long nowNs();
}

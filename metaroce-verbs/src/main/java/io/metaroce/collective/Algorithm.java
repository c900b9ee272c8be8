package io.metaroce.collective;

/** How ranks do it. */
public enum Algorithm {
    /** Everybody passes on to a neighbour. */
    RING,
    /**
     * Exchanges with ranks at distances that are halved, then doubled; ranks beyond a power of two are folded first.
     */
    HALVING_DOUBLING,
    /** Within groups, then between the members of equal number, then within groups again. */
    HIERARCHICAL,
    /** Who has it tells another, until all have it. */
    TREE,
    /** All to all: step k goes to the rank k places ahead, some steps at a time. */
    SHIFT,
    /** All to all: step k goes to the rank whose number differs in the bits of k; only for powers of two. */
    XOR,
    /** All to all: everything at once, each rank in an order of its own. */
    AT_ONCE,
    /** All to all in few large steps through others, for short blocks. */
    BRUCK,
    /** Barrier: in round k everybody tells the rank 2^k places ahead. */
    DISSEMINATION
}

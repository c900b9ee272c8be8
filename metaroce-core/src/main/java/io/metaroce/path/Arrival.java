package io.metaroce.path;

/** What the receive window of a path thinks of a PSN. */
public enum Arrival {
    /** The next one owed: the edge moves. */
    IN_ORDER,
    /** New, with at least one missing before it. */
    OUT_OF_ORDER,
    /** Accepted before, above the edge. */
    DUPLICATE,
    /** Accepted before, below the edge. */
    BELOW_WINDOW,
    /** At or beyond the end of the window: the sender broke its promise. */
    ABOVE_WINDOW;

    /** Whether the packet is to be placed. */
    public boolean isNew() {
        return this == IN_ORDER || this == OUT_OF_ORDER;
    }
}

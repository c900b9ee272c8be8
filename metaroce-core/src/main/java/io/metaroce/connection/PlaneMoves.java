package io.metaroce.connection;

/** How the paths of a connection follow its planes. */
interface PlaneMoves {
    /** A plane is lost: every path on it takes a route of another plane at once. */
    void leave(long nowNs, int plane);

    /** A plane works again: the paths at home on it may return. */
    void isBack(long nowNs, int plane);
}

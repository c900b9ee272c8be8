package io.metaroce.connection;

/** Hears when a path loses the route of its own and when it has one again. */
interface RouteNews {
    /** Hears nothing. */
    RouteNews NOBODY = (nowNs, path, isOwn) -> {};

    /** The path has a route of its own again, or has lost it: it borrows one, or stands still. */
    void moved(long nowNs, int path, boolean isOwn);
}

package io.metaroce.path;

import io.metaroce.datagram.Route;
import io.metaroce.num.Bits;

/** The route each path has now, and the epoch that tells its packets from those of earlier routes. */
final class PathRoute {
    /** Whose entropy a route uses. */
    enum Ownership {
        /** No other path of the connection uses it. */
        OWN,
        /** A copy of another path's route. */
        BORROWED
    }

    private final Route[] route;
    private final @Bits(4) byte[] plane; // of the route: asked before every packet
    private final boolean[] borrowed;
    private final @Bits(8) byte[] epoch;

    PathRoute(int paths) {
        route = new Route[paths];
        plane = new byte[paths];
        borrowed = new boolean[paths];
        epoch = new byte[paths];
    }

    /** The epoch of the first route. */
    void beginIn(int path, int first) {
        epoch[path] = (byte) first;
    }

    /** The first route of a path, its own. */
    void begin(int path, Route first) {
        route[path] = first;
        plane[path] = (byte) first.plane();
    }

    void moveTo(int path, Route to, Ownership how) {
        begin(path, to);
        borrowed[path] = how == Ownership.BORROWED;
        // R-PATH-010: every change of route adds one to the epoch, and nothing else changes it.
        epoch[path]++;
    }

    Route route(int path) {
        return route[path];
    }

    int plane(int path) {
        return plane[path];
    }

    boolean isBorrowed(int path) {
        return borrowed[path];
    }

    /** The epoch, 0..255; compared for equality only. */
    int epoch(int path) {
        return epoch[path] & 0xFF;
    }
}

package io.metaroce.path;

import io.metaroce.datagram.Route;

/** The route each path has now, and the epoch that tells its packets from those of earlier routes. */
final class PathRoute {
    /** Whose entropy a route uses. */
    enum Ownership {
        /** No other path of the connection uses it. */
        OWN,
        /** A copy of another path's route. */
        BORROWED
    }

    private static final int ENTROPY_BITS = 16;
    private static final int ENTROPY = (1 << ENTROPY_BITS) - 1;

    private PathRoute() {}

    /** The path takes its first route. */
    static void begin(PathRow row, Route first) {
        row.route = first;
        row.plane = (byte) first.plane();
    }

    /** The epoch of the first route. */
    static void beginIn(PathRow row, int first) {
        row.epoch = (byte) first;
    }

    static void moveTo(PathRow row, Route to, Ownership how) {
        // R-PATH-010: every change of route adds one to the epoch, and nothing else changes it; where a plane has one
        // source port only, a path that takes a route of its own may stay where it is.
        row.epoch = to.equals(row.route) ? row.epoch : (byte) (row.epoch + 1);
        begin(row, to);
        row.borrowed = how == Ownership.BORROWED;
    }

    static Route route(PathRow row) {
        return row.route;
    }

    static int plane(PathRow row) {
        return row.plane;
    }

    /** A number that two paths of a connection have in common only while their routes are equal. */
    static int number(PathRow row) {
        return (row.plane << ENTROPY_BITS) | (row.route.entropy() & ENTROPY);
    }

    static boolean isBorrowed(PathRow row) {
        return row.borrowed;
    }

    /** The epoch, 0..255; compared for equality only. */
    static int epoch(PathRow row) {
        return row.epoch & 0xFF;
    }
}

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

    private static final int ENTROPY_BITS = 16;

    private final @Bits(16) char[] entropy; // of the route

    PathRoute(int paths) {
        entropy = new char[paths];
    }

    /** The path takes its first route. */
    void begin(PathRow row, Route first) {
        row.route = first;
        row.plane = (byte) first.plane();
        entropy[row.path] = (char) first.entropy();
    }

    /** The epoch of the first route. */
    void beginIn(PathRow row, int first) {
        row.epoch = (byte) first;
    }

    void moveTo(PathRow row, Route to, Ownership how) {
        // R-PATH-010: every change of route adds one to the epoch, and nothing else changes it; where a plane has one
        // source port only, a path that takes a route of its own may stay where it is.
        row.epoch = to.equals(row.route) ? row.epoch : (byte) (row.epoch + 1);
        begin(row, to);
        row.borrowed = how == Ownership.BORROWED;
    }

    Route route(PathRow row) {
        return row.route;
    }

    int plane(PathRow row) {
        return row.plane;
    }

    /** A number that two paths of a connection have in common only while their routes are equal. */
    int number(PathRow row) {
        return (row.plane << ENTROPY_BITS) | entropy[row.path];
    }

    boolean isBorrowed(PathRow row) {
        return row.borrowed;
    }

    /** The epoch, 0..255; compared for equality only. */
    int epoch(PathRow row) {
        return row.epoch & 0xFF;
    }
}

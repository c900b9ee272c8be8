package io.metaroce.path;

import io.metaroce.datagram.Route;
import io.metaroce.num.Bits;

/** The route a path has now, and the epoch that tells its packets from those of earlier routes. */
public final class PathRoute {
    /** Whose entropy the route uses. */
    public enum Ownership {
        /** No other path of the connection uses it. */
        OWN,
        /** A copy of another path's route. */
        BORROWED
    }

    private Route route;
    private Ownership ownership = Ownership.OWN;
    private @Bits(8) int epoch;

    PathRoute(Route route) {
        this.route = route;
    }

    void beginIn(int first) {
        epoch = first;
    }

    void moveTo(Route to, Ownership how) {
        route = to;
        ownership = how;
        // R-PATH-010: every change of route adds one to the epoch, and nothing else changes it.
        epoch = (epoch + 1) & 0xFF;
    }

    /** The route. */
    public Route route() {
        return route;
    }

    /** Own or borrowed. */
    public Ownership ownership() {
        return ownership;
    }

    /** The epoch, 0..255; compared for equality only. */
    public int epoch() {
        return epoch;
    }
}

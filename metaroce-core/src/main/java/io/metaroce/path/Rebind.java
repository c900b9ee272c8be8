package io.metaroce.path;

import io.metaroce.datagram.Route;

/**
 * The whole procedure of leaving a failed route for one borrowed from a healthy path. The PSN space and the stamps go
 * on; every unacknowledged slot is queued and goes out on the new route before anything new.
 */
public final class Rebind {
    private Rebind() {}

    /**
     * Moves {@code path} to a copy of the donor's route.
     *
     * @param outcome told of every slot that leaves flight
     */
    public static void borrow(long nowNs, Path path, Path donor, TxSlots.Outcome outcome) {
        // R-PATH-014: what was queued for an older epoch counts as sent once on the route that is left.
        path.slots().loseAll(path.way().epoch(), outcome);
        // R-PATH-017: a confirmed failed path borrows without waiting for validation.
        // R-PATH-011: PSN space and stamps continue unbroken.
        Route route = donor.way().route();
        path.moveTo(route, PathRoute.Ownership.BORROWED);
        // R-PATH-016: every unacknowledged slot goes out on the new route, ahead of new ones.
        path.countRebindResends();
        path.rtt().copy(donor.rtt());
        path.health().on(PathEvent.CONFIRMED_WITH_DONOR, nowNs);
    }

    /**
     * Moves {@code path}, of which nothing is under way, to a route of its own that has just answered a challenge.
     *
     * @param rttNs how long the answer took
     */
    public static void own(long nowNs, Path path, Route route, long rttNs) {
        if (path.unacked() != 0) {
            throw new IllegalStateException("path " + path.id() + " moves with " + path.unacked() + " slots unacknowledged");
        }
        path.moveTo(route, PathRoute.Ownership.OWN);
        path.rtt().restart(rttNs);
        path.health().on(PathEvent.DRAINED, nowNs);
    }
}

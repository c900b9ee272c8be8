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
        // R-PATH-016: every unacknowledged slot goes out on the new route, ahead of new ones.
        path.loseAll(outcome);
        // R-PATH-017: a confirmed failed path borrows without waiting for validation.
        // R-PATH-011: PSN space and stamps continue unbroken.
        Route route = donor.route();
        path.rememberDeparture(nowNs);
        path.moveTo(route, PathRoute.Ownership.BORROWED);
        path.takeTimesOf(donor);
        path.on(PathEvent.CONFIRMED_WITH_DONOR, nowNs);
    }

    /**
     * Moves {@code path} to a route of its own that has answered a challenge: after a failure with nobody to borrow
     * from, or voluntarily once nothing is unacknowledged.
     *
     * @param sampleNs round trip of the challenge
     * @param how what makes the path ACTIVE again
     */
    public static void own(long nowNs, Path path, Route route, long sampleNs, PathEvent how, TxSlots.Outcome outcome) {
        path.loseAll(outcome);
        path.moveTo(route, PathRoute.Ownership.OWN);
        path.beginTimes(sampleNs);
        path.on(how, nowNs);
    }

    /** Takes every slot of {@code path} out of flight: the failure is confirmed, and there is nothing to borrow. */
    public static void fail(long nowNs, Path path, TxSlots.Outcome outcome) {
        path.loseAll(outcome);
        path.rest();
        path.on(PathEvent.CONFIRMED_ALONE, nowNs);
    }
}

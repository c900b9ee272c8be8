package io.metaroce.connection;

import io.metaroce.rate.CongestionControl;
import org.jspecify.annotations.Nullable;

/**
 * The parts that look after the paths and planes of one connection, put together: what is found out about planes moves
 * paths, what is found out about paths judges planes, and both choose routes.
 */
final class PathKeeping {
    final PlaneProbes planeProbes;
    final PlaneNews planeNews = new PlaneNews();
    final PlaneWatch planes;
    final OwnRoutes routes;
    final RouteMoves moves;
    final PathCare care;
    final @Nullable SilentWays silentWays; // with one plane there is nothing to leave, and nowhere to go
    final RouteNeeds routeNeeds;

    /**
     * Puts them together; paths at home on a plane that cannot be used are moved at once.
     *
     * @param provenPlanes bit k: plane k has proved itself in the handshake
     * @param onPlanes what to do when planes have changed
     */
    PathKeeping(
            long nowNs,
            Shared shared,
            Agreement agreement,
            PathSet paths,
            CongestionControl congestion,
            int provenPlanes,
            Runnable onPlanes) {
        moves = new RouteMoves(paths.count(), congestion, shared.slab(), agreement, shared.counters(), shared.events());
        UsablePlanes usable = new UsablePlanes();
        Donors donors = new Donors(paths, moves, usable);
        FreshRoutes fresh = new FreshRoutes(paths, agreement, shared);
        routeNeeds = new RouteNeeds(PayloadSizes.index(agreement.payloadBytes()));
        StallWatch stall = new StallWatch(shared.config().path().timeoutMaxNs());
        routes = new OwnRoutes(paths, agreement, moves, fresh, usable, routeNeeds, stall);
        planeProbes = new PlaneProbes(paths, agreement, shared);
        planes = new PlaneWatch(
                nowNs,
                paths,
                agreement,
                shared.planeTable(),
                planeProbes,
                planeNews,
                new PlaneFollower(paths, donors, moves, routes),
                usable,
                shared.scratch().tally,
                provenPlanes,
                onPlanes);
        care = new PathCare(
                paths,
                new SilenceTest(paths, shared.config().path()),
                stall,
                congestion,
                moves,
                donors,
                planes,
                routes,
                new BadLuck(paths, congestion, routes, fresh, shared.scratch()),
                agreement,
                shared);
        boolean hasPlanes = agreement.planes().count() > 1;
        silentWays = hasPlanes ? new SilentWays(paths, care, planes, agreement) : null;
    }
}

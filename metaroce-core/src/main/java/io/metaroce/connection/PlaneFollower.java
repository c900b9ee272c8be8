package io.metaroce.connection;

import io.metaroce.path.Path;

/** Moves the paths of a connection as its planes go and come. */
final class PlaneFollower implements PlaneMoves {
    private final PathSet paths;
    private final Donors donors;
    private final RouteMoves moves;
    private final OwnRoutes routes;

    PlaneFollower(PathSet paths, Donors donors, RouteMoves moves, OwnRoutes routes) {
        this.paths = paths;
        this.donors = donors;
        this.moves = moves;
        this.routes = routes;
    }

    @Override
    public void leave(long nowNs, int plane) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            Path donor = path.plane() == plane ? donors.elsewhere(plane) : null;
            if (donor != null) {
                moves.borrow(nowNs, path, donor);
            }
        }
        routes.step(nowNs);
    }

    @Override
    public void isBack(long nowNs, int plane) {
        routes.step(nowNs);
    }
}

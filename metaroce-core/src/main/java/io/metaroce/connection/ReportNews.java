package io.metaroce.connection;

/** Passes on what reports say: of planes, and of challenges to whoever asked. */
final class ReportNews implements ReportTold {
    private final PlaneWatch planes;
    private final OwnRoutes routes;

    ReportNews(PlaneWatch planes, OwnRoutes routes) {
        this.planes = planes;
        this.routes = routes;
    }

    @Override
    public void onPlanes(long nowNs, int planeUp) {
        planes.onPlanes(nowNs, planeUp);
    }

    @Override
    public void onEcho(long nowNs, long challenge) {
        planes.onEcho(nowNs, challenge);
        routes.onEcho(nowNs, challenge);
    }
}

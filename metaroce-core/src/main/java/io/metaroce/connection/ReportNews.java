package io.metaroce.connection;

/** Passes on what reports say: of planes, and of challenges to whoever asked. */
final class ReportNews implements ReportTold {
    private final PlaneWatch planes;
    private final OwnRoutes routes;
    private final PayloadSearch payload;

    ReportNews(PlaneWatch planes, OwnRoutes routes, PayloadSearch payload) {
        this.planes = planes;
        this.routes = routes;
        this.payload = payload;
    }

    @Override
    public void onPlanes(long nowNs, int planeUp) {
        planes.onPlanes(nowNs, planeUp);
    }

    @Override
    public void onEcho(long nowNs, long challenge) {
        planes.onEcho(nowNs, challenge);
        payload.onEcho(nowNs, challenge);
        if (routes.onEcho(nowNs, challenge)) {
            payload.onRouteFound(nowNs);
        }
    }
}

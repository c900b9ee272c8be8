package io.metaroce.connection;

/** What others say of single paths of a connection: the operator, and the network by its errors. */
public final class PathOrders {
    private final PathCare care;
    private final OwnRoutes routes;
    private final int paths;

    PathOrders(PathCare care, OwnRoutes routes, int paths) {
        this.care = care;
        this.routes = routes;
        this.paths = paths;
    }

    /** The network says that packets from this source port do not reach the peer. */
    public void onUnreachable(long nowNs, int plane, int entropy) {
        care.onUnreachable(nowNs, plane, entropy);
    }

    /** The operator takes a path out of use; false when there is none such, or it is the last one. */
    public boolean park(long nowNs, int path) {
        return isOne(path) && routes.park(nowNs, path);
    }

    /** The operator lets a path return, once a route of its own has answered. */
    public void unpark(long nowNs, int path) {
        if (isOne(path)) {
            routes.unpark(nowNs, path);
        }
    }

    /** The operator wants the path to take another entropy; false when there is none such, or it is pinned. */
    public boolean redraw(long nowNs, int path) {
        return isOne(path) && routes.redraw(nowNs, path);
    }

    /** The operator pins a path to its route, which it then leaves only when that fails; or lets it go again. */
    public boolean pin(int path, boolean isPinned) {
        if (isOne(path)) {
            routes.pin(path, isPinned);
        }
        return isOne(path);
    }

    private boolean isOne(int path) {
        return path >= 0 && path < paths;
    }
}

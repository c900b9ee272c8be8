package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathRoute;
import io.metaroce.path.PathState;
import io.metaroce.path.Rebind;
import org.jspecify.annotations.Nullable;

/**
 * Brings paths back to a plane that works again: one after the other on each plane, to a source port of its own that
 * has just answered a challenge there, and only once nothing of the path is under way.
 */
final class HomeComing {
    private static final int RTTS_PROVEN = 8;
    private static final long PROVEN_MIN_NS = 10_000_000L;

    /** Hears when a path has moved. */
    interface Arrived {
        void home(long nowNs, Path path);
    }

    private final PathSet paths;
    private final PlaneProbes probes;
    private final Agreement agreement;
    private final Arrived arrived;
    private final Way[] ways;
    private int wanted; // planes whose paths are still away

    /** One plane, and the path that is on its way there. */
    private static final class Way {
        final Deadline ask = new Deadline();

        @Nullable
        Path path;

        @Nullable
        Route route;

        long rttNs;
        long provenUntilNs;
    }

    HomeComing(PathSet paths, PlaneProbes probes, Agreement agreement, Arrived arrived) {
        this.paths = paths;
        this.probes = probes;
        this.agreement = agreement;
        this.arrived = arrived;
        this.ways = new Way[agreement.peerPlanes().size()];
        for (int k = 0; k < ways.length; k++) {
            ways[k] = new Way();
        }
    }

    /** A plane works again. */
    void begin(long nowNs, int plane) {
        wanted |= 1 << plane;
        ways[plane].ask.arm(nowNs);
    }

    /** A plane is lost: nobody goes there. */
    void stop(long nowNs, int plane) {
        wanted &= ~(1 << plane);
        ways[plane].ask.cancel();
        stay(nowNs, ways[plane]);
    }

    /** A challenge over {@code route} was answered within {@code rttNs}. */
    void onProven(long nowNs, Route route, long rttNs) {
        Way way = ways[route.plane()];
        if (((wanted >>> route.plane()) & 1) == 0 || way.path != null || isTaken(route)) {
            return;
        }
        Path path = away(route.plane());
        if (path == null) {
            return;
        }
        // R-PATH-015: no new slots until nothing is unacknowledged; only then it moves.
        path.health().on(PathEvent.LEAVE_WANTED, nowNs);
        way.path = path;
        way.route = route;
        way.rttNs = rttNs;
        way.provenUntilNs = nowNs + Math.max(RTTS_PROVEN * rttNs, PROVEN_MIN_NS);
        onReport(nowNs);
    }

    /** Whoever has been acknowledged completely moves. */
    void onReport(long nowNs) {
        for (int k = 0; wanted >>> k != 0; k++) {
            Way way = ways[k];
            Path path = way.path;
            Route route = way.route;
            if (path == null || route == null) {
                continue;
            }
            if (path.state() != PathState.DRAINING) {
                // It failed meanwhile, and the wish to move is dropped.
                way.path = null;
                way.ask.armEarlier(nowNs);
            } else if (path.unacked() == 0) {
                move(nowNs, way, path, route);
            }
        }
    }

    void onDeadline(long nowNs) {
        for (int k = 0; wanted >>> k != 0; k++) {
            Way way = ways[k];
            if (!way.ask.isDue(nowNs)) {
                continue;
            }
            way.ask.cancel();
            if (isComplete(k)) {
                wanted &= ~(1 << k);
                continue;
            }
            if (way.path == null && away(k) != null) {
                probes.want(k);
            }
            way.ask.arm(nowNs + paths.outbound(0).timeoutNs(agreement.peerAckDelayNs()));
        }
        onReport(nowNs);
    }

    long deadlineNs() {
        long earliest = Deadline.NEVER;
        for (int k = 0; wanted >>> k != 0; k++) {
            earliest = Math.min(earliest, ways[k].ask.atNs());
        }
        return earliest;
    }

    private void move(long nowNs, Way way, Path path, Route route) {
        if (nowNs <= way.provenUntilNs && !isTaken(route)) {
            Rebind.own(nowNs, path, route, way.rttNs);
            arrived.home(nowNs, path);
        } else {
            path.health().on(PathEvent.DRAINED, nowNs);
        }
        way.path = null;
        way.ask.arm(nowNs);
    }

    private static void stay(long nowNs, Way way) {
        Path path = way.path;
        if (path != null && path.state() == PathState.DRAINING) {
            path.health().on(PathEvent.DRAINED, nowNs);
        }
        way.path = null;
    }

    /** A working path at home on the plane that is elsewhere, or on a borrowed route. */
    private @Nullable Path away(int plane) {
        for (int i = 0; i < paths.count(); i++) {
            if (isAway(i, plane) && paths.outbound(i).state() == PathState.ACTIVE) {
                return paths.outbound(i);
            }
        }
        return null;
    }

    private boolean isComplete(int plane) {
        for (int i = 0; i < paths.count(); i++) {
            if (isAway(i, plane)) {
                return false;
            }
        }
        return true;
    }

    private boolean isAway(int i, int plane) {
        Path path = paths.outbound(i);
        boolean home = path.isOn(1 << plane) && path.way().ownership() == PathRoute.Ownership.OWN;
        return paths.homePlane(i) == plane && !home;
    }

    private boolean isTaken(Route route) {
        for (int i = 0; i < paths.count(); i++) {
            if (paths.outbound(i).way().route().equals(route)) {
                return true;
            }
        }
        return false;
    }
}

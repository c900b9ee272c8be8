package io.metaroce.connection;

import io.metaroce.path.LossTest;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;
import org.jspecify.annotations.Nullable;

/** Finds the path that lends its route: on a route of its own if possible, then the one with fewest borrowers. */
final class Donors {
    private final PathSet paths;
    private final RouteMoves moves;
    private final UsablePlanes planes;

    Donors(PathSet paths, RouteMoves moves, UsablePlanes planes) {
        this.paths = paths;
        this.moves = moves;
        this.planes = planes;
    }

    /** A healthy path that has delivered since {@code needy} fell silent; null when there is none. */
    @Nullable
    Path of(Path needy) {
        Path best = null;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path == needy
                    || path.state() != PathState.ACTIVE
                    || 2 * paths.losses().score(i) > LossTest.LIMIT
                    // R-PATH-010: the epoch moves with the route, so the route must be another one.
                    || path.route().equals(needy.route())
                    || path.lastEvidenceNs() <= needy.suspectedAtNs()) {
                continue;
            }
            best = better(best, path);
        }
        return best;
    }

    /** An active path on a usable plane that is not the lost one; null when there is none. */
    @Nullable
    Path elsewhere(int lostPlane) {
        int usable = planes.bits() & ~(1 << lostPlane);
        Path best = null;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.isOn(usable) && path.state() == PathState.ACTIVE) {
                best = better(best, path);
            }
        }
        return best;
    }

    private Path better(@Nullable Path best, Path other) {
        if (best == null || (best.isBorrowed() && !other.isBorrowed())) {
            return other;
        }
        boolean isAlike = best.isBorrowed() == other.isBorrowed();
        return isAlike && moves.borrowers(other) < moves.borrowers(best) ? other : best;
    }
}

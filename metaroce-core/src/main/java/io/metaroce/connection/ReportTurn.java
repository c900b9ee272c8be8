package io.metaroce.connection;

import io.metaroce.num.Deadline;

/**
 * Whose turn it is to carry a report. Planes take turns whether they are busy or not: if a report went wherever there
 * is room, it would go to the plane that carries nothing, and that is the one that is lost. Only a plane that takes
 * nothing for a while is passed over.
 */
final class ReportTurn {
    private static final int PATIENCE_SHIFT = 2; // a quarter of a round trip

    private final PathSet paths;
    private int stuck; // bit k: plane k took nothing when its turn came
    private long stuckUntilNs; // as far as is known
    private long waitsSinceNs = Deadline.NEVER;

    ReportTurn(PathSet paths) {
        this.paths = paths;
    }

    /**
     * The planes that the next report may take now; 0 while it waits.
     *
     * @param up planes that may be used
     * @param room those of them that take a packet now
     */
    int planes(long nowNs, int up, int room) {
        stuck = nowNs < stuckUntilNs ? stuck & ~room : 0;
        int turns = up & ~stuck;
        if (!paths.hasRouteOn(turns)) {
            return paths.hasRouteOn(room) ? room : 0;
        }
        // R-ACK-015: the plane whose turn it is, also when others have room and it has none.
        int next = 1 << paths.outbound(paths.nextReporter(turns)).plane();
        if ((next & room) != 0) {
            waitsSinceNs = Deadline.NEVER;
            return next;
        }
        if (waitsSinceNs == Deadline.NEVER) {
            waitsSinceNs = nowNs;
        }
        if (nowNs < deadlineNs()) {
            return 0;
        }
        waitsSinceNs = Deadline.NEVER;
        stuck |= next;
        stuckUntilNs = nowNs + paths.outbound(0).smoothedRttNs();
        return planes(nowNs, up, room);
    }

    /** When a report that waits for its plane waits no longer. */
    long deadlineNs() {
        return waitsSinceNs == Deadline.NEVER
                ? Deadline.NEVER
                : waitsSinceNs + (paths.outbound(0).smoothedRttNs() >> PATIENCE_SHIFT);
    }
}

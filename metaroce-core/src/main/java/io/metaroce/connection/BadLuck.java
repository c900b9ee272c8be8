package io.metaroce.connection;

import io.metaroce.path.LossTest;
import io.metaroce.path.MarkRounds;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;
import io.metaroce.rate.CongestionControl;

/**
 * Looks once a round trip for paths that fare worse than the others: marked or lossy alone, they draw another entropy.
 * What all paths suffer is no reason to leave any.
 */
final class BadLuck {
    private static final int HOT_ROUNDS = 4;
    private static final int ALL_Q16 = 1 << 16;
    private static final int COOL_Q16 = ALL_Q16 / 5;
    // The average spans 512 packets or so: of 1 %, chance shows 4 % once in ten million.
    private static final int LOSSY_Q16 = ALL_Q16 / 25;
    private static final int LOSSY_FACTOR = 4;
    private static final int REDRAW_ROUND_TRIPS = 8;

    private final PathSet paths;
    private final CongestionControl congestion;
    private final OwnRoutes routes;
    private final FreshRoutes fresh;
    private final int[] sorted; // notes of one call
    private long reviewAtNs;
    private long redrawAtNs;

    BadLuck(PathSet paths, CongestionControl congestion, OwnRoutes routes, FreshRoutes fresh, Scratch scratch) {
        this.paths = paths;
        this.congestion = congestion;
        this.routes = routes;
        this.fresh = fresh;
        this.sorted = scratch.sorted;
    }

    /** After a report; looks at the paths when a round trip has passed. */
    void onReport(long nowNs) {
        if (nowNs < reviewAtNs) {
            return;
        }
        long rttNs = paths.outbound(0).smoothedRttNs();
        reviewAtNs = nowNs + rttNs;
        LossTest losses = paths.losses();
        MarkRounds marks = paths.markRounds();
        int usualLossQ16 = medianLossQ16();
        int usualMarksQ16 = medianMarksQ16();
        losses.usual(usualLossQ16);
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            boolean turned = marks.isOver(nowNs, i);
            if (turned) {
                marks.turn(nowNs, i, path.smoothedRttNs());
            }
            if (path.state() != PathState.ACTIVE || nowNs < redrawAtNs) {
                continue;
            }
            // R-HEALTH-010: marked alone round after round: probably a collision of hashes, which another entropy ends.
            boolean hot = turned && marks.hotRounds(i) >= HOT_ROUNDS && usualMarksQ16 < COOL_Q16 && fresh.isHeads();
            boolean lossy =
                    losses.averageQ16(i) > Math.max(LOSSY_FACTOR * usualLossQ16, LOSSY_Q16) && path.takeRedraw();
            if (lossy) {
                congestion.quarter(i);
            }
            if (hot || lossy) {
                // One per connection and eight round trips.
                redrawAtNs = nowNs + REDRAW_ROUND_TRIPS * rttNs;
                routes.redraw(nowNs, path);
            }
        }
    }

    /** Whether the path loses so much more than the others that it counts as failed. */
    boolean isHopeless(Path path) {
        LossTest losses = paths.losses();
        // Losses are told in lumps when windows are wide, long after what was delivered between them: only together
        // with the average do they say that the path loses more than the others.
        if (losses.score(path.id()) <= LossTest.LIMIT || losses.averageQ16(path.id()) <= medianLossQ16() + LOSSY_Q16) {
            return false;
        }
        // What starts everywhere at once is the network, not the path.
        int n = 0;
        for (int i = 0; i < paths.count(); i++) {
            Path other = paths.outbound(i);
            if (other != path && other.state() == PathState.ACTIVE) {
                insert(n++, losses.score(i));
            }
        }
        return n > 0 && sorted[(n - 1) / 2] <= LossTest.LIMIT / 2;
    }

    private int medianLossQ16() {
        int n = 0;
        for (int i = 0; i < paths.count(); i++) {
            insert(n++, paths.losses().averageQ16(i));
        }
        return sorted[(n - 1) / 2];
    }

    private int medianMarksQ16() {
        int n = 0;
        for (int i = 0; i < paths.count(); i++) {
            // A path that carried nothing is not a cool one: it says nothing.
            if (paths.outbound(i).state() == PathState.ACTIVE
                    && paths.markRounds().isKnown(i)) {
                insert(n++, paths.markRounds().fractionQ16(i));
            }
        }
        return n == 0 ? ALL_Q16 : sorted[(n - 1) / 2];
    }

    private void insert(int n, int value) {
        int at = n;
        while (at > 0 && sorted[at - 1] > value) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = value;
    }
}

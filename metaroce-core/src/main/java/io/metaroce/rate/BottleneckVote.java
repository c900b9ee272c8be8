package io.metaroce.rate;

/**
 * Whether the paths share a bottleneck: at least half of the active ones say so. If they do the connection must slow
 * down; if not, the load moves to the others.
 */
final class BottleneckVote {
    private BottleneckVote() {}

    /** Whether at least half of the active paths are hot. */
    static boolean mostAreHot(long nowNs, PathWindows paths) {
        int hot = 0;
        for (int i = 0; i < paths.count(); i++) {
            PathWindow path = paths.get(i);
            hot += path.isActive() && path.isHot(nowNs) ? 1 : 0;
        }
        // R-CC-004: with fewer than half of the active paths hot the window of the connection stays.
        return 2 * hot >= paths.activeCount();
    }

    /** Whether at least half of the active paths had a congestive loss within {@code withinNs}. */
    static boolean mostLostByCongestion(long nowNs, PathWindows paths, long withinNs) {
        int lost = 0;
        for (int i = 0; i < paths.count(); i++) {
            PathWindow path = paths.get(i);
            lost += path.isActive() && nowNs - path.lastCongestiveNs() <= withinNs ? 1 : 0;
        }
        return 2 * lost >= paths.activeCount();
    }
}

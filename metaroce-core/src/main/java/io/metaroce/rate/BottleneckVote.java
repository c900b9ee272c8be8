package io.metaroce.rate;

/**
 * Whether the paths share a bottleneck: at least half of the active ones say so. If they do the connection must slow
 * down; if not, the load moves to the others.
 */
final class BottleneckVote {
    private BottleneckVote() {}

    /** Whether at least half of the active paths are hot. */
    static boolean mostAreHot(long nowNs, PathWindows windows, CongestionSigns signs) {
        int hot = 0;
        for (int path = 0; path < windows.count(); path++) {
            hot += signs.isHot(nowNs, path) && windows.isActive(path) ? 1 : 0;
        }
        // R-CC-004: with fewer than half of the active paths hot the window of the connection stays.
        return 2 * hot >= windows.activeCount();
    }

    /** Whether at least half of the active paths had a congestive loss within {@code withinNs}. */
    static boolean mostLostByCongestion(long nowNs, PathWindows windows, CongestionSigns signs, long withinNs) {
        int lost = 0;
        for (int path = 0; path < windows.count(); path++) {
            lost += signs.isLossyWithin(nowNs, path, withinNs) && windows.isActive(path) ? 1 : 0;
        }
        return 2 * lost >= windows.activeCount();
    }
}

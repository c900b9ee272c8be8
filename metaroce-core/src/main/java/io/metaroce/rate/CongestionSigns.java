package io.metaroce.rate;

/** What was seen last of congestion on each path: marks, losses by a full queue, and until when it counts as hot. */
final class CongestionSigns {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final long[] hotUntilNs;
    private final long[] markedNs;
    private final long[] lostNs;

    CongestionSigns(int count) {
        hotUntilNs = new long[count];
        markedNs = new long[count];
        lostNs = new long[count];
        for (int path = 0; path < count; path++) {
            forget(path);
        }
    }

    /** New data should go elsewhere until {@code untilNs}. */
    void heat(int path, long untilNs) {
        hotUntilNs[path] = untilNs;
    }

    boolean isHot(long nowNs, int path) {
        return nowNs < hotUntilNs[path];
    }

    long hotUntilNs(int path) {
        return hotUntilNs[path];
    }

    void onMark(long nowNs, int path) {
        markedNs[path] = nowNs;
    }

    boolean isMarkedWithin(long nowNs, int path, long ns) {
        return nowNs - markedNs[path] <= ns;
    }

    /** A full queue has dropped something. */
    void onCongestiveLoss(long nowNs, int path) {
        lostNs[path] = nowNs;
    }

    boolean isLossyWithin(long nowNs, int path, long ns) {
        return nowNs - lostNs[path] <= ns;
    }

    /** Forgets what was seen on the route that the path has left. */
    void forget(int path) {
        hotUntilNs[path] = NEVER;
        markedNs[path] = NEVER;
        lostNs[path] = NEVER;
    }
}

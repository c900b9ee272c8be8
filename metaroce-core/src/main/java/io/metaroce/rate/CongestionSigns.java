package io.metaroce.rate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was seen last of congestion on each path: marks, losses by a full queue, and until when it counts as hot. A
 * column is made with the first thing to note in it; most connections never see any.
 */
final class CongestionSigns {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private final int count;
    private long @Nullable [] hotUntilNs;
    private long @Nullable [] markedNs;
    private long @Nullable [] lostNs;

    CongestionSigns(int count) {
        this.count = count;
    }

    /** New data should go elsewhere until {@code untilNs}. */
    void heat(int path, long untilNs) {
        hotUntilNs = made(hotUntilNs);
        hotUntilNs[path] = untilNs;
    }

    boolean isHot(long nowNs, int path) {
        return nowNs < hotUntilNs(path);
    }

    long hotUntilNs(int path) {
        return last(hotUntilNs, path);
    }

    void onMark(long nowNs, int path) {
        markedNs = made(markedNs);
        markedNs[path] = nowNs;
    }

    boolean isMarkedWithin(long nowNs, int path, long ns) {
        return nowNs - last(markedNs, path) <= ns;
    }

    /** A full queue has dropped something. */
    void onCongestiveLoss(long nowNs, int path) {
        lostNs = made(lostNs);
        lostNs[path] = nowNs;
    }

    boolean isLossyWithin(long nowNs, int path, long ns) {
        return nowNs - last(lostNs, path) <= ns;
    }

    /** Forgets what was seen on the route that the path has left. */
    void forget(int path) {
        forget(hotUntilNs, path);
        forget(markedNs, path);
        forget(lostNs, path);
    }

    private long[] made(long @Nullable [] column) {
        if (column != null) {
            return column;
        }
        long[] fresh = new long[count];
        Arrays.fill(fresh, NEVER);
        return fresh;
    }

    private static long last(long @Nullable [] column, int path) {
        return column == null ? NEVER : column[path];
    }

    private static void forget(long @Nullable [] column, int path) {
        if (column != null) {
            column[path] = NEVER;
        }
    }
}

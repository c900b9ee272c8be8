package io.metaroce.path;

import io.metaroce.num.Deadline;
import java.util.Arrays;

/**
 * When each path of a connection wants to be called, remembered between packets: only paths that have changed since are
 * asked again, so that a connection with many paths does not touch all of them for every packet of one.
 */
public final class PathDeadlines {
    private static final int WORD_SHIFT = 6;

    private final long[] atNs;
    private final long[] changed; // a bit for each path
    private long earliestNs = Deadline.NEVER;
    private int suspects;
    private int failed;

    /** Of {@code paths} paths, none of which has been asked yet. */
    public PathDeadlines(int paths) {
        atNs = new long[paths];
        Arrays.fill(atNs, Deadline.NEVER);
        changed = new long[((paths - 1) >>> WORD_SHIFT) + 1];
        for (int i = 0; i < paths; i++) {
            changed(i);
        }
    }

    /** The earliest deadline of all {@code paths}, whose numbers are their places. */
    public long earliestNs(Path[] paths) {
        boolean isFirstGone = false;
        for (int w = 0; w < changed.length; w++) {
            for (long left = changed[w]; left != 0; left &= left - 1) {
                int i = (w << WORD_SHIFT) + Long.numberOfTrailingZeros(left);
                isFirstGone |= atNs[i] == earliestNs;
                atNs[i] = paths[i].deadlineNs();
                earliestNs = Math.min(earliestNs, atNs[i]);
            }
            changed[w] = 0;
        }
        // All are compared only when the first of them has become later.
        if (isFirstGone) {
            earliestNs = least();
        }
        return earliestNs;
    }

    /** The deadline of one path, as of the last {@link #earliestNs}. */
    public long atNs(int path) {
        return atNs[path];
    }

    /** Whether any path is suspect; such paths have further deadlines, which depend on the others. */
    public boolean hasSuspects() {
        return suspects > 0;
    }

    /** Whether any path has failed; such a path takes a route as soon as somebody lends one. */
    public boolean hasFailed() {
        return failed > 0;
    }

    /** The deadline of a path may be another from now on. */
    void changed(int path) {
        changed[path >>> WORD_SHIFT] |= 1L << path;
    }

    void suspects(int change) {
        suspects += change;
    }

    void failed(int change) {
        failed += change;
    }

    private long least() {
        long least = Deadline.NEVER;
        for (long at : atNs) {
            least = Math.min(least, at);
        }
        return least;
    }
}

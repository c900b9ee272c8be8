package io.metaroce.path;

import io.metaroce.num.Bits;

/**
 * Tells a path that loses most of what it carries from one that has bad luck, by Wald's sequential test: a loss by
 * chance adds, a delivery subtracts, and the sum never falls below zero. In thousandths of a natural logarithm.
 */
public final class LossTest {
    /** A sum that chance alone reaches once in a million. */
    public static final int LIMIT = 13_816;

    private static final int AVERAGE_SHIFT = 8; // one packet in 256
    private static final int ONE_Q16 = 1 << 16;
    // Loss that is usual here, in Q16: 2, 5, 10, 20, 30 %; what a loss and a delivery then weigh.
    private static final int[] USUAL_Q16 = {1311, 3277, 6554, 13_107, 19_661};
    private static final int[] UP = {3807, 2890, 2197, 1504, 1099};
    private static final int[] DOWN = {2282, 2251, 2197, 2079, 1946};

    private static final int[] NO_SCORES = {};
    private static final char[] NO_AVERAGES = {};

    private final int paths;
    private int[] score = NO_SCORES; // as soon as a path loses something
    private @Bits(16) char[] averageQ16 = NO_AVERAGES; // the same; rounding keeps it below one
    private int unlikely; // paths whose sum is above the limit
    private int row; // what is usual, for all paths

    LossTest(int paths) {
        this.paths = paths;
    }

    /** What one report says: packets delivered and lost, and whether a queue was full meanwhile. */
    public void onReport(int path, int delivered, int lost, boolean congested) {
        // R-HEALTH-007: a loss beside marks or delay is congestion, and that is never failure.
        int byChance = congested ? 0 : lost;
        if (score.length == 0) {
            if (byChance == 0) {
                return; // deliveries take nothing from nothing
            }
            score = new int[paths];
            averageQ16 = new char[paths];
        }
        int average = averageQ16[path];
        for (int i = 0; i < delivered; i++) {
            average -= average >> AVERAGE_SHIFT;
        }
        for (int i = 0; i < byChance; i++) {
            average += (ONE_Q16 - average) >> AVERAGE_SHIFT;
        }
        averageQ16[path] = (char) average;
        long sum = score[path] + (long) byChance * UP[row] - (long) delivered * DOWN[row];
        score(path, (int) Math.min(Math.max(sum, 0), Integer.MAX_VALUE));
    }

    /** What the median path loses; three times that counts as usual. */
    public void usual(int medianQ16) {
        int next = 0;
        while (next < USUAL_Q16.length - 1 && USUAL_Q16[next] < 3L * medianQ16) {
            next++;
        }
        row = next;
    }

    /** The path has another route; what the old one lost says nothing about it. */
    void restart(PathRow row) {
        if (score.length > 0) {
            score(row.path, 0);
            averageQ16[row.path] = 0;
        }
        row.redrawn = false;
    }

    /** Whether this is the first time on this route that another one is asked for. */
    static boolean takeRedraw(PathRow row) {
        boolean first = !row.redrawn;
        row.redrawn = true;
        return first;
    }

    private void score(int path, int value) {
        unlikely += (value > LIMIT ? 1 : 0) - (score[path] > LIMIT ? 1 : 0);
        score[path] = value;
    }

    /** Whether the sum of any path is above the limit. */
    public boolean isAnyAboveLimit() {
        return unlikely > 0;
    }

    /** The sum. */
    public int score(int path) {
        return path < score.length ? score[path] : 0;
    }

    /** Fraction of packets lost by chance, over about 256 of them. */
    public int averageQ16(int path) {
        return path < averageQ16.length ? averageQ16[path] : 0;
    }
}

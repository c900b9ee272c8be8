package io.metaroce.path;

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

    private int score;
    private int averageQ16;
    private int row;
    private boolean redrawn;

    /** What one report says: packets delivered and lost, and whether a queue was full meanwhile. */
    public void onReport(int delivered, int lost, boolean congested) {
        for (int i = 0; i < delivered; i++) {
            averageQ16 -= averageQ16 >> AVERAGE_SHIFT;
        }
        // R-HEALTH-007: a loss beside marks or delay is congestion, and that is never failure.
        int byChance = congested ? 0 : lost;
        for (int i = 0; i < byChance; i++) {
            averageQ16 += (ONE_Q16 - averageQ16) >> AVERAGE_SHIFT;
        }
        long sum = score + (long) byChance * UP[row] - (long) delivered * DOWN[row];
        score = (int) Math.min(Math.max(sum, 0), Integer.MAX_VALUE);
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
    void restart() {
        score = 0;
        redrawn = false;
        averageQ16 = 0;
    }

    /** Whether this is the first time on this route that another one is asked for. */
    public boolean takeRedraw() {
        boolean first = !redrawn;
        redrawn = true;
        return first;
    }

    /** The sum. */
    public int score() {
        return score;
    }

    /** Fraction of packets lost by chance, over about 256 of them. */
    public int averageQ16() {
        return averageQ16;
    }
}

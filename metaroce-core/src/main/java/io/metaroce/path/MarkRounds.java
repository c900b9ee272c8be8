package io.metaroce.path;

/** Counts the marks of a path round by round: for how many rounds running has most of it been marked? */
public final class MarkRounds {
    private static final int PACKETS_MIN = 8; // fewer say little: one packet is marked wholly or not at all

    private int received;
    private int marked;
    private int fractionQ16;
    private int hotRounds;
    private boolean known; // a round has ended on this route
    private long endsNs;

    void onBlock(int rxDelta, int ceDelta) {
        received += rxDelta;
        marked += ceDelta;
    }

    /** Ends the round when a round trip has passed and the path carried enough in it; true if it did. */
    public boolean turns(long nowNs, long rttNs) {
        if (nowNs < endsNs || received < PACKETS_MIN) {
            return false;
        }
        endsNs = nowNs + rttNs;
        fractionQ16 = (int) Math.min(((long) marked << 16) / received, 1 << 16);
        hotRounds = 2 * marked >= received ? hotRounds + 1 : 0;
        known = true;
        received = 0;
        marked = 0;
        return true;
    }

    /** Whether the path has carried enough on its route that {@link #fractionQ16} says something. */
    public boolean isKnown() {
        return known;
    }

    /** Marked fraction of the last full round. */
    public int fractionQ16() {
        return fractionQ16;
    }

    /** Rounds running in which at least half was marked. */
    public int hotRounds() {
        return hotRounds;
    }

    void restart() {
        received = 0;
        marked = 0;
        fractionQ16 = 0;
        hotRounds = 0;
        known = false;
    }
}

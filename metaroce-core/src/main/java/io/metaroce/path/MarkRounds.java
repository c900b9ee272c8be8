package io.metaroce.path;

import io.metaroce.num.Bits;
import java.util.Arrays;

/** Counts the marks of the paths round by round: for how many rounds running has most of a path been marked? */
public final class MarkRounds {
    private static final int PACKETS_MIN = 8; // fewer say little: one packet is marked wholly or not at all
    private static final int ALL_Q16 = (1 << 16) - 1;
    private static final int COUNT_MAX = (1 << 16) - 1;
    private static final byte UNKNOWN = -1; // no round has ended on this route

    private final @Bits(16) char[] received;
    private final @Bits(16) char[] marked;
    private final @Bits(16) char[] fractionQ16;
    private final @Bits(8) byte[] hotRounds;
    private final long[] endsNs;

    MarkRounds(int paths) {
        received = new char[paths];
        marked = new char[paths];
        fractionQ16 = new char[paths];
        hotRounds = new byte[paths];
        endsNs = new long[paths];
        Arrays.fill(hotRounds, UNKNOWN);
    }

    void onBlock(int path, int rxDelta, int ceDelta) {
        if (rxDelta > COUNT_MAX - received[path]) {
            return; // of a round so wide the first 65,535 packets say enough
        }
        received[path] += (char) rxDelta;
        marked[path] = (char) Math.min(marked[path] + ceDelta, COUNT_MAX);
    }

    /** Whether a round trip has passed since the last round, and the path has carried enough in it. */
    public boolean isOver(long nowNs, int path) {
        return nowNs >= endsNs[path] && received[path] >= PACKETS_MIN;
    }

    /** Ends the round; the next one takes at least {@code rttNs}. */
    public void turn(long nowNs, int path, long rttNs) {
        endsNs[path] = nowNs + rttNs;
        fractionQ16[path] = (char) Math.min(((long) marked[path] << 16) / received[path], ALL_Q16);
        boolean hot = 2 * marked[path] >= received[path];
        hotRounds[path] = (byte) (hot ? Math.min(hotRounds(path) + 1, Byte.MAX_VALUE) : 0);
        received[path] = 0;
        marked[path] = 0;
    }

    /** Whether the path has carried enough on its route that {@link #fractionQ16} says something. */
    public boolean isKnown(int path) {
        return hotRounds[path] != UNKNOWN;
    }

    /** Marked fraction of the last full round; meaningful once it {@link #isKnown}. */
    public int fractionQ16(int path) {
        return fractionQ16[path];
    }

    /** Rounds running in which at least half was marked; more than 127 count as that many. */
    public int hotRounds(int path) {
        return Math.max(hotRounds[path], 0);
    }

    void restart(int path) {
        received[path] = 0;
        marked[path] = 0;
        hotRounds[path] = UNKNOWN;
    }
}

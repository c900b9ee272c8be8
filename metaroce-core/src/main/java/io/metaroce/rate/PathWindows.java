package io.metaroce.rate;

import io.metaroce.num.Bits;
import io.metaroce.num.FixedPoint;
import org.jspecify.annotations.Nullable;

/**
 * The windows of all paths of a connection, with their sum and their smallest base round-trip time. A row for each
 * path.
 *
 * <p>A path never has more than 8192 packets in flight, so a window of two gigabytes is as good as any larger one.
 */
final class PathWindows {
    private static final long WINDOW_BYTES_MAX = Integer.MAX_VALUE;
    private static final int FIRST_PACKETS = 2;
    private static final int UNKNOWN = -1;

    private final int[] bytes;
    private final int[] atRoundStart; // window at the start of the running round
    private boolean @Nullable [] lossTaken; // in the running round; made with the first loss
    private final boolean[] active;
    private final @Bits(31) int[] baseNs; // 0 when unknown
    private final int packetBytes; // Q, the floor of a window
    private int activeCount;
    private long sumBytes; // over active paths
    private long baseRttNs; // smallest over active paths; 0 when unknown
    private int median = UNKNOWN; // of the active paths, while it stands

    PathWindows(int count, int packetBytes) {
        this.packetBytes = packetBytes;
        bytes = new int[count];
        atRoundStart = new int[count];
        active = new boolean[count];
        baseNs = new int[count];
        for (int path = 0; path < count; path++) {
            bytes[path] = FIRST_PACKETS * packetBytes;
        }
    }

    int count() {
        return bytes.length;
    }

    int activeCount() {
        return activeCount;
    }

    boolean isActive(int path) {
        return active[path];
    }

    long windowBytes(int path) {
        return bytes[path];
    }

    /** Sum over the active paths. */
    long sumBytes() {
        return sumBytes;
    }

    void activate(int path) {
        if (!active[path]) {
            active[path] = true;
            activeCount++;
            sumBytes += bytes[path];
            // One more of the same size leaves the median where it is.
            median = bytes[path] == median ? median : UNKNOWN;
            takeBase(baseNs[path]);
        }
    }

    void deactivate(int path) {
        if (active[path]) {
            active[path] = false;
            activeCount--;
            sumBytes -= bytes[path];
            median = UNKNOWN;
            dropBase(baseNs[path]);
        }
    }

    // ---- windows

    /** Gives a path another window, not below one packet. */
    void resize(int path, long wantedBytes) {
        int now = (int) FixedPoint.clamp(wantedBytes, packetBytes, WINDOW_BYTES_MAX);
        if (active[path] && now != bytes[path]) {
            sumBytes += now - bytes[path];
            median = UNKNOWN;
        }
        bytes[path] = now;
    }

    /** Gives every active path the same window. */
    void resizeAll(long wantedBytes) {
        for (int path = 0; path < bytes.length; path++) {
            if (active[path]) {
                resize(path, wantedBytes);
            }
        }
    }

    /** Gives every active path at least this window. */
    void raiseAll(long wantedBytes) {
        for (int path = 0; path < bytes.length; path++) {
            if (active[path] && bytes[path] < wantedBytes) {
                resize(path, wantedBytes);
            }
        }
    }

    /** A round of the path begins. */
    void beginRound(int path) {
        atRoundStart[path] = bytes[path];
        if (lossTaken != null) {
            lossTaken[path] = false;
        }
    }

    /** Cuts {@code cutBytes} off a path's window, within a round not below half of what it was when the round began. */
    void trim(int path, long cutBytes) {
        // R-CC-009: not below half of what it was at the start of the round.
        resize(path, Math.max(bytes[path] - cutBytes, Math.min(bytes[path], atRoundStart[path] / 2)));
    }

    /** Whether this is the first loss of the path's running round; from now on there was one. */
    boolean takeLoss(int path) {
        if (lossTaken == null) {
            lossTaken = new boolean[bytes.length];
        }
        boolean first = !lossTaken[path];
        lossTaken[path] = true;
        return first;
    }

    /** The median window of the active paths except {@code without}; 0 when there is no other. */
    long medianBytes(int without) {
        if (activeCount - (active[without] ? 1 : 0) == 0) {
            return 0;
        }
        if (active[without]) {
            return medianOf(without);
        }
        if (median == UNKNOWN) {
            median = medianOf(without);
        }
        return median;
    }

    /** The smallest window that at least half of the others do not exceed; kept in no memory of its own. */
    private int medianOf(int without) {
        int half = (activeCount - (active[without] ? 1 : 0) + 1) / 2;
        int best = Integer.MAX_VALUE;
        for (int path = 0; path < bytes.length; path++) {
            if (active[path] && path != without && bytes[path] < best && countUpTo(bytes[path], without) >= half) {
                best = bytes[path];
            }
        }
        return best;
    }

    private int countUpTo(int windowBytes, int without) {
        int n = 0;
        for (int path = 0; path < bytes.length; path++) {
            n += active[path] && path != without && bytes[path] <= windowBytes ? 1 : 0;
        }
        return n;
    }

    // ---- base round-trip times

    /** Smallest base round-trip time over the active paths, in ns; 0 when none is known. */
    long baseRttNs() {
        return baseRttNs;
    }

    /** Smallest round-trip time of a path, in ns; 0 when unknown. */
    long baseRttNs(int path) {
        return baseNs[path];
    }

    void baseRtt(int path, long measuredNs) {
        int before = baseNs[path];
        int ns = (int) Math.min(measuredNs, Integer.MAX_VALUE);
        baseNs[path] = ns;
        if (active[path] && before != ns) {
            takeBase(ns);
            if (ns == 0 || ns > before) {
                dropBase(before);
            }
        }
    }

    private void takeBase(long ns) {
        if (ns != 0 && (baseRttNs == 0 || ns < baseRttNs)) {
            baseRttNs = ns;
        }
    }

    // Only when the smallest one is gone the others are asked.
    private void dropBase(long ns) {
        if (ns != 0 && ns == baseRttNs) {
            baseRttNs = 0;
            // Often another has the same: then none is smaller.
            for (int path = 0; path < bytes.length && baseRttNs != ns; path++) {
                if (active[path]) {
                    takeBase(baseNs[path]);
                }
            }
        }
    }
}

package io.metaroce.rate;

import java.util.Arrays;

/** The windows of all paths of a connection, with their sum and their smallest base round-trip time. */
final class PathWindows {
    private final PathWindow[] paths;
    private final long[] scratch;
    private final long packetBytes; // Q, the floor of a window
    private long sumBytes; // over active paths
    private int active;
    private long baseRttNs; // smallest over active paths; 0 when unknown

    PathWindows(int count, long packetBytes) {
        this.packetBytes = packetBytes;
        paths = new PathWindow[count];
        scratch = new long[count];
        for (int i = 0; i < count; i++) {
            paths[i] = new PathWindow(packetBytes);
        }
    }

    PathWindow get(int path) {
        return paths[path];
    }

    int count() {
        return paths.length;
    }

    int activeCount() {
        return active;
    }

    long sumBytes() {
        return sumBytes;
    }

    /** Smallest base round-trip time over the active paths, in ns; 0 when none is known. */
    long baseRttNs() {
        return baseRttNs;
    }

    void activate(PathWindow path) {
        if (!path.isActive()) {
            path.active(true);
            active++;
            sumBytes += path.windowBytes();
            findBase();
        }
    }

    void deactivate(PathWindow path) {
        if (path.isActive()) {
            path.active(false);
            active--;
            sumBytes -= path.windowBytes();
            findBase();
        }
    }

    /** Gives a path another window, not below one packet. */
    void resize(PathWindow path, long bytes) {
        long now = Math.max(bytes, packetBytes);
        if (path.isActive()) {
            sumBytes += now - path.windowBytes();
        }
        path.windowBytes(now);
    }

    /** Cuts {@code bytes} off a path's window, within a round not below half of what it was when the round began. */
    void trim(PathWindow path, long bytes) {
        // R-CC-009: not below half of what it was at the start of the round.
        long before = path.windowBytes();
        resize(path, Math.max(before - bytes, Math.min(before, path.roundWindowBytes() / 2)));
    }

    /** Gives every active path the same window. */
    void resizeAll(long bytes) {
        for (PathWindow path : paths) {
            if (path.isActive()) {
                resize(path, bytes);
            }
        }
    }

    /** Gives every active path at least this window. */
    void raiseAll(long bytes) {
        for (PathWindow path : paths) {
            if (path.isActive() && path.windowBytes() < bytes) {
                resize(path, bytes);
            }
        }
    }

    void baseRtt(PathWindow path, long ns) {
        long before = path.baseRttNs();
        path.baseRttNs(ns);
        if (!path.isActive() || before == ns) {
            return;
        }
        if (ns != 0 && (baseRttNs == 0 || ns < baseRttNs)) {
            baseRttNs = ns;
        } else if (before == baseRttNs) {
            findBase();
        }
    }

    /** The median window of the active paths except {@code without}; 0 when there is no other. */
    long medianBytes(PathWindow without) {
        int n = 0;
        for (PathWindow path : paths) {
            if (path.isActive() && path != without) {
                scratch[n++] = path.windowBytes();
            }
        }
        Arrays.sort(scratch, 0, n);
        return n == 0 ? 0 : scratch[(n - 1) / 2];
    }

    /**
     * Least excess of delay over the active paths, in rounds that ended at {@code sinceNs} or later;
     * {@link QueueExcess#NONE} when unknown.
     */
    long leastExcessNs(long sinceNs) {
        long least = QueueExcess.NONE;
        for (PathWindow path : paths) {
            if (path.isActive()) {
                least = Math.min(least, path.excess.finishedNs(sinceNs));
            }
        }
        return least;
    }

    private void findBase() {
        long smallest = 0;
        for (PathWindow path : paths) {
            long base = path.baseRttNs();
            if (path.isActive() && base != 0 && (smallest == 0 || base < smallest)) {
                smallest = base;
            }
        }
        baseRttNs = smallest;
    }
}

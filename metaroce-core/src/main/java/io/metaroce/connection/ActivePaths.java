package io.metaroce.connection;

import io.metaroce.num.FixedPoint;
import io.metaroce.path.PathState;
import io.metaroce.rate.CongestionControl;

/**
 * Which paths take new data now: as many as the window can keep busy with two packets each, the rest is parked. More
 * paths than that would each carry a packet now and then, and a packet that nothing follows on its path is a loss
 * nobody sees. The set moves on by one path a round trip, so that every path stays known.
 */
final class ActivePaths {
    private static final int PACKETS_PER_PATH = 2;

    private final PathSet paths;
    private final CongestionControl congestion;
    private final int packetBytes;
    private final int planes;
    private int first;
    private int count;
    private long moveAtNs;

    ActivePaths(long nowNs, PathSet paths, CongestionControl congestion, int payloadBytes, int planes) {
        this.paths = paths;
        this.congestion = congestion;
        this.packetBytes = payloadBytes + CongestionControl.PACKET_OVERHEAD_BYTES;
        this.planes = planes;
        size(nowNs);
        activate(0, count);
        deactivate(count, paths.count());
    }

    /** Whether a path takes new data. */
    boolean contains(int path) {
        int place = path - first;
        return (place < 0 ? place + paths.count() : place) < count;
    }

    /** Moves on when a round trip has passed since the last time. */
    void turn(long nowNs) {
        if (nowNs >= moveAtNs) {
            moveOn(nowNs);
        }
    }

    /** Moves on at once from paths that have all fallen silent; returns whether it has moved. */
    boolean leaveSilent(long nowNs) {
        int tries = 1;
        for (; !carriesAnything() && tries < paths.count(); tries++) {
            moveOn(nowNs);
        }
        return tries > 1;
    }

    private boolean carriesAnything() {
        for (int i = first; i < first + count; i++) {
            if (paths.outbound(wrapped(i)).state() == PathState.ACTIVE) {
                return true;
            }
        }
        return false;
    }

    private void moveOn(long nowNs) {
        int left = first;
        int end = first + count;
        first = wrapped(first + 1);
        size(nowNs);
        if (count == paths.count()) {
            activate(end, left + count);
            return;
        }
        // Only the ends of the set change: one path goes at one, some come or go at the other.
        int newEnd = left + 1 + count;
        activate(end, newEnd);
        deactivate(left, left + 1);
        deactivate(newEnd, end);
    }

    private void size(long nowNs) {
        long busy = congestion.windowBytes() / (PACKETS_PER_PATH * (long) packetBytes) + 1;
        count = (int) FixedPoint.clamp(busy, Math.min(planes, paths.count()), paths.count());
        moveAtNs = nowNs + paths.outbound(first).smoothedRttNs();
    }

    /** Paths from {@code from} on, before {@code to}, counted beyond the last one and round; the lowest first. */
    private void activate(int from, int to) {
        for (int i = Math.max(from, paths.count()); i < to; i++) {
            congestion.activate(wrapped(i));
        }
        for (int i = from; i < Math.min(to, paths.count()); i++) {
            congestion.activate(i);
        }
    }

    private void deactivate(int from, int to) {
        for (int i = from; i < to; i++) {
            congestion.deactivate(wrapped(i));
        }
    }

    private int wrapped(int path) {
        return path < paths.count() ? path : path - paths.count();
    }
}

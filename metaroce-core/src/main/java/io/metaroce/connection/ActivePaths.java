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
        move(nowNs);
    }

    /** Whether a path takes new data. */
    boolean contains(int path) {
        int place = path - first;
        return (place < 0 ? place + paths.count() : place) < count;
    }

    /**
     * Moves on when a round trip has passed since the last time, and at once from paths that have all fallen silent.
     */
    void update(long nowNs) {
        if (nowNs >= moveAtNs) {
            moveOn(nowNs);
        }
        for (int tries = 1; !carriesAnything() && tries < paths.count(); tries++) {
            moveOn(nowNs);
        }
    }

    private boolean carriesAnything() {
        for (int i = 0; i < count; i++) {
            int path = first + i;
            if (paths.outbound(path < paths.count() ? path : path - paths.count()).state() == PathState.ACTIVE) {
                return true;
            }
        }
        return false;
    }

    private void moveOn(long nowNs) {
        first = (first + 1) % paths.count();
        move(nowNs);
    }

    private void move(long nowNs) {
        long busy = congestion.windowBytes() / (PACKETS_PER_PATH * (long) packetBytes) + 1;
        count = (int) FixedPoint.clamp(busy, Math.min(planes, paths.count()), paths.count());
        moveAtNs = nowNs + paths.outbound(first).smoothedRttNs();
        for (int i = 0; i < paths.count(); i++) {
            if (contains(i)) {
                congestion.activate(i, nowNs);
            }
        }
        for (int i = 0; i < paths.count(); i++) {
            if (!contains(i)) {
                congestion.deactivate(i);
            }
        }
    }
}

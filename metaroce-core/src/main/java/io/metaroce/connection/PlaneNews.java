package io.metaroce.connection;

import io.metaroce.num.Deadline;

/** Own planes have changed: told on three routes, three times one round trip apart, beside every acknowledgement. */
final class PlaneNews {
    private static final int ROUTES = 3;
    private static final int TIMES = 3;

    private long nextAtNs = Deadline.NEVER;
    private int changed;
    private int routesLeft;
    private int timesLeft;
    private long apartNs;

    /** Planes have changed. */
    void tell(long nowNs, int planes, long rttNs) {
        changed = timesLeft > 0 ? changed | planes : planes;
        routesLeft = ROUTES;
        timesLeft = TIMES;
        apartNs = rttNs;
        nextAtNs = nowNs;
    }

    boolean isDue(long nowNs) {
        return nowNs >= nextAtNs;
    }

    long deadlineNs() {
        return nextAtNs;
    }

    /** Bit k: plane k has changed. */
    int changed() {
        return changed;
    }

    /** It has been told once more. */
    void told(long nowNs) {
        routesLeft--;
        if (routesLeft > 0) {
            return;
        }
        routesLeft = ROUTES;
        timesLeft--;
        if (timesLeft > 0) {
            nextAtNs = nowNs + apartNs;
        } else {
            nextAtNs = Deadline.NEVER;
        }
    }
}

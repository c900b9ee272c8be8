package io.metaroce.connection;

/** Which planes packets to the peer may take: written by {@link PlaneWatch}, read by whoever chooses a route. */
final class UsablePlanes {
    private int bits;

    void set(int planes) {
        bits = planes;
    }

    /** Bit k: packets to the peer may take plane k. Never empty once the connection has begun. */
    int bits() {
        return bits;
    }

    /** Whether packets may take this one. */
    boolean has(int plane) {
        return ((bits >>> plane) & 1) != 0;
    }
}

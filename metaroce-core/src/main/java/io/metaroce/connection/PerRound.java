package io.metaroce.connection;

/** At most so many of something begin in a round trip. */
final class PerRound {
    private final int limit;
    private int begun; // in the running round trip
    private long endsNs;

    /** At most {@code limit} a round trip. */
    PerRound(int limit) {
        this.limit = limit;
    }

    /** Whether one more may begin now. */
    boolean mayBegin(long nowNs, long rttNs) {
        if (nowNs >= endsNs) {
            endsNs = nowNs + rttNs;
            begun = 0;
        }
        return begun < limit;
    }

    /** One more begins. */
    void begin() {
        begun++;
    }

    /** When the running round trip ends, so that others may begin. */
    long endsNs() {
        return endsNs;
    }
}

package io.metaroce.rate;

/** The window of one path and what its last signals said. Changed through {@link PathWindows} only. */
final class PathWindow {
    static final long NEVER = Long.MIN_VALUE / 2;

    final Flight flight;
    final Round round = new Round();
    final QueueExcess excess = new QueueExcess();
    private long windowBytes;
    private long roundWindowBytes;
    private boolean lossTaken; // in the running round
    private boolean active;
    private long srttNs;
    private long baseRttNs;
    private long hotUntilNs = NEVER;
    private long lastMarkNs = NEVER;
    private long lastCongestiveNs = NEVER;

    PathWindow(long packetBytes) {
        flight = new Flight(2 * packetBytes);
        windowBytes = 2 * packetBytes;
    }

    long windowBytes() {
        return windowBytes;
    }

    void windowBytes(long bytes) {
        windowBytes = bytes;
    }

    /** Window at the start of the running round. */
    long roundWindowBytes() {
        return roundWindowBytes;
    }

    void beginRound(long nowNs) {
        roundWindowBytes = windowBytes;
        lossTaken = false;
        excess.turn(nowNs);
    }

    /** Whether this is the first loss of the running round; from now on there was one. */
    boolean takeLoss() {
        boolean first = !lossTaken;
        lossTaken = true;
        return first;
    }

    boolean isActive() {
        return active;
    }

    void active(boolean value) {
        active = value;
    }

    long srttNs() {
        return srttNs;
    }

    void srttNs(long ns) {
        srttNs = ns;
    }

    /** Smallest round-trip time, in ns; 0 when unknown. */
    long baseRttNs() {
        return baseRttNs;
    }

    void baseRttNs(long ns) {
        baseRttNs = ns;
    }

    boolean isHot(long nowNs) {
        return nowNs < hotUntilNs;
    }

    long hotUntilNs() {
        return hotUntilNs;
    }

    void hotUntilNs(long ns) {
        hotUntilNs = ns;
    }

    long lastMarkNs() {
        return lastMarkNs;
    }

    void lastMarkNs(long ns) {
        lastMarkNs = ns;
    }

    long lastCongestiveNs() {
        return lastCongestiveNs;
    }

    void lastCongestiveNs(long ns) {
        lastCongestiveNs = ns;
    }

    /** Forgets what was learnt of the route the path has left. */
    void forgetRoute() {
        excess.forget();
        hotUntilNs = NEVER;
        lastMarkNs = NEVER;
        lastCongestiveNs = NEVER;
    }
}

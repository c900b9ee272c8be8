package io.metaroce.compliance.lt;

/** What the tester has sent on one of its own paths, and the route it takes. */
final class Outbound {
    private int nextPsn;
    private int lastStamp;
    private int epoch;
    private int port;
    private final int plane;

    Outbound(int first, int port, int plane) {
        nextPsn = first;
        this.port = port;
        this.plane = plane;
    }

    int nextPsn() {
        return nextPsn;
    }

    /** Takes the next slot. */
    int take() {
        return nextPsn++;
    }

    void skip(int slots) {
        nextPsn += slots;
    }

    /** A stamp after the last one, at the clock if that has gone on. */
    int stamp(int now) {
        lastStamp = Math.max(now - lastStamp, 1) + lastStamp;
        return lastStamp;
    }

    void rebind(int toPort) {
        epoch = (epoch + 1) & 0xFF;
        port = toPort;
    }

    int epoch() {
        return epoch;
    }

    int port() {
        return port;
    }

    int plane() {
        return plane;
    }
}

package io.metaroce.connection;

/**
 * How long a packet of the handshake waited for its answer. A packet that was repeated leaves open which of its copies
 * has been answered, so the round trip lies between two bounds.
 */
final class AnswerTime {
    private long firstNs;
    private long lastNs;
    private boolean asked;

    /** The packet leaves, for the first time or again. */
    void asked(long nowNs) {
        if (!asked) {
            firstNs = nowNs;
        }
        lastNs = nowNs;
        asked = true;
    }

    /** Another packet is to be answered next. */
    void restart() {
        asked = false;
    }

    /** The time since the last copy: no more than a round trip, and one exactly when nothing was repeated. */
    long leastNs(long nowNs) {
        return nowNs - lastNs;
    }

    /** The time since the first copy: no less than a round trip. */
    long mostNs(long nowNs) {
        return nowNs - firstNs;
    }
}

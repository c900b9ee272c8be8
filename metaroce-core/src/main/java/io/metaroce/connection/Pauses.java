package io.metaroce.connection;

/**
 * When this endpoint stood still. A connection asks when it is touched next, by a packet, a timer or its turn to send;
 * so a pause costs nothing for those that rest, and many connections do not make one pause the cause of the next.
 */
public final class Pauses {
    private long count;
    private long endedNs;
    private long totalNs;

    /** The endpoint goes on at {@code nowNs} after it stood still for {@code lengthNs}. */
    public void add(long nowNs, long lengthNs) {
        count++;
        endedNs = nowNs;
        totalNs += lengthNs;
    }

    /** How many there were. */
    long count() {
        return count;
    }

    /** When the last one ended. */
    long endedNs() {
        return endedNs;
    }

    /** How long all of them lasted together. */
    long totalNs() {
        return totalNs;
    }
}

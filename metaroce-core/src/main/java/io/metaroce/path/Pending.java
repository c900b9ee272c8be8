package io.metaroce.path;

/**
 * How much is unacknowledged, how much waits to be sent again, and how many probes are wanted, over all paths of a
 * connection: the question that is asked before every packet, answered without looking at every path.
 */
public final class Pending {
    private int unackedSlots;
    private int queuedSlots;
    private int wantedProbes;

    /** Whether any path has an unacknowledged slot. */
    public boolean hasUnacked() {
        return unackedSlots > 0;
    }

    /** Whether any path has a slot waiting to be sent again. */
    public boolean hasQueued() {
        return queuedSlots > 0;
    }

    /** Whether any path wants a probe. */
    public boolean hasProbes() {
        return wantedProbes > 0;
    }

    void unacked(int change) {
        unackedSlots += change;
    }

    void queued(int change) {
        queuedSlots += change;
    }

    void probes(int change) {
        wantedProbes += change;
    }
}

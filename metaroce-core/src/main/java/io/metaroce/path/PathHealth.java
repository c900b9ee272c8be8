package io.metaroce.path;

/** The state of one path, and what is needed to tell a failed path from a quiet one. */
public final class PathHealth {
    private PathState state = PathState.ACTIVE;
    private long suspectedAtNs;
    private long lastEvidenceNs;

    /** Applies an event; a pair the table does not list changes nothing. Returns whether the state changed. */
    public boolean on(PathEvent event, long nowNs) {
        PathState next = PathStates.TABLE.nextOrSame(state, event);
        if (next == state) {
            return false;
        }
        if (next == PathState.SUSPECT) {
            suspectedAtNs = nowNs;
        }
        state = next;
        return true;
    }

    /** State of the path. */
    public PathState state() {
        return state;
    }

    /** When it became suspect; meaningful while it is. */
    public long suspectedAtNs() {
        return suspectedAtNs;
    }

    /** When it last delivered something; 0 if never. */
    public long lastEvidenceNs() {
        return lastEvidenceNs;
    }

    /** Whether new slots may be opened on it. */
    public boolean carriesNewSlots() {
        // R-HEALTH-001: a silent path gets no new slots.
        return state == PathState.ACTIVE;
    }

    /** Whether slots found lost are sent again on it. */
    boolean resends() {
        return state == PathState.ACTIVE || state == PathState.DRAINING;
    }

    void onEvidence(long nowNs) {
        lastEvidenceNs = nowNs;
    }
}

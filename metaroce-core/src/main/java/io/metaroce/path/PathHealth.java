package io.metaroce.path;

import io.metaroce.num.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The state of one path, and what is needed to tell a failed path from a quiet one: a suspect path is asked several
 * times before its failure is confirmed, so that random loss alone seldom looks like failure.
 */
public final class PathHealth {
    private static final int PROBES = 8;
    private static final int PROBES_PER_TIMEOUT = 4;
    private static final int TIMEOUTS_TO_CONFIRM = 2;

    private PathState state = PathState.ACTIVE;
    private long suspectedAtNs;
    private long lastEvidenceNs;
    private int probes;
    private @Nullable PathDeadlines deadlines;
    private int path; // number by which it is known there

    /** Changes of state are told to {@code shared} from now on, in the name of path {@code id}. */
    void tellTo(PathDeadlines shared, int id) {
        deadlines = shared;
        path = id;
    }

    /** Nothing may be sent on it until the address of its plane is validated; before anything was sent. */
    public void beginUnvalidated() {
        enter(PathState.VALIDATING);
    }

    /** Applies an event; a pair the table does not list changes nothing. Returns whether the state changed. */
    public boolean on(PathEvent event, long nowNs) {
        PathState next = PathStates.TABLE.nextOrSame(state, event);
        if (next == state) {
            return false;
        }
        if (next == PathState.SUSPECT) {
            suspectedAtNs = nowNs;
            probes = 1; // the one that goes with the suspicion
        }
        enter(next);
        return true;
    }

    private void enter(PathState next) {
        if (deadlines != null) {
            deadlines.changed(path);
            deadlines.suspects((next == PathState.SUSPECT ? 1 : 0) - (state == PathState.SUSPECT ? 1 : 0));
        }
        state = next;
    }

    /** The suspicion begins anew: what was silent until now was silent for another reason. */
    public void suspectAgain(long nowNs) {
        suspectedAtNs = nowNs;
        probes = 1;
    }

    /** State of the path. */
    public PathState state() {
        return state;
    }

    /** When it became suspect; meaningful while it is. */
    public long suspectedAtNs() {
        return suspectedAtNs;
    }

    /** When the suspicion is confirmed if nothing is heard, given the probe timeout of the path. */
    public long confirmAtNs(long timeoutNs) {
        return suspectedAtNs + TIMEOUTS_TO_CONFIRM * timeoutNs;
    }

    /** When a suspect path is to be asked again, or never once it has been asked often enough. */
    public long askAtNs(long timeoutNs) {
        return state == PathState.SUSPECT && probes < PROBES
                ? suspectedAtNs + probes * timeoutNs / PROBES_PER_TIMEOUT
                : Deadline.NEVER;
    }

    /** A suspect path is being asked again. */
    public void asked() {
        probes++;
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

package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import java.util.Arrays;

/**
 * The state of each path, and what is needed to tell a failed path from a quiet one: a suspect path is asked several
 * times before its failure is confirmed, so that random loss alone seldom looks like failure.
 */
final class PathHealth {
    private static final int PROBES = 8;
    private static final int PROBES_PER_TIMEOUT = 4;
    private static final int TIMEOUTS_TO_CONFIRM = 2;
    private static final PathState[] STATES = PathState.values();
    private static final int ACTIVE = PathState.ACTIVE.number();
    private static final int DRAINING = PathState.DRAINING.number();
    private static final long[] NO_TIMES = {};
    private static final byte[] NO_COUNTS = {};

    private final PathDeadlines deadlines;
    private final @Bits(3) byte[] state; // by number
    private final long[] lastEvidenceNs;
    private long newestEvidenceNs;
    private long[] suspectedAtNs = NO_TIMES; // as soon as a path is suspect
    private @Bits(4) byte[] probes = NO_COUNTS; // the same

    /** Of {@code paths} active paths; changes of state are told to {@code deadlines}. */
    PathHealth(int paths, PathDeadlines deadlines) {
        this.deadlines = deadlines;
        state = new byte[paths];
        lastEvidenceNs = new long[paths];
        Arrays.fill(state, (byte) PathState.ACTIVE.number());
    }

    /** Nothing may be sent on it until the address of its plane is validated; before anything was sent. */
    void beginUnvalidated(int path) {
        enter(path, PathState.VALIDATING);
    }

    /** Applies an event; a pair the table does not list changes nothing. Returns whether the state changed. */
    boolean on(long nowNs, int path, PathEvent event) {
        PathState next = PathStates.TABLE.nextOrSame(state(path), event);
        if (next == state(path)) {
            return false;
        }
        if (next == PathState.SUSPECT) {
            suspectAgain(nowNs, path);
        }
        enter(path, next);
        return true;
    }

    private void enter(int path, PathState next) {
        PathState before = state(path);
        deadlines.changed(path);
        deadlines.suspects((next == PathState.SUSPECT ? 1 : 0) - (before == PathState.SUSPECT ? 1 : 0));
        deadlines.failed((next == PathState.FAILED ? 1 : 0) - (before == PathState.FAILED ? 1 : 0));
        state[path] = (byte) next.number();
    }

    /** A suspicion begins anew: what was silent until now was silent for another reason. */
    void onPaused(long nowNs, int path) {
        if (state(path) == PathState.SUSPECT) {
            suspectAgain(nowNs, path);
        }
    }

    private void suspectAgain(long nowNs, int path) {
        if (suspectedAtNs.length == 0) {
            suspectedAtNs = new long[state.length];
            probes = new byte[state.length];
        }
        suspectedAtNs[path] = nowNs;
        probes[path] = 1; // the one that goes with the suspicion
    }

    /** State of the path. */
    PathState state(int path) {
        return STATES[state[path]];
    }

    /** When it became suspect; meaningful while it is. */
    long suspectedAtNs(int path) {
        return path < suspectedAtNs.length ? suspectedAtNs[path] : 0;
    }

    /** When the suspicion is confirmed if nothing is heard, given the probe timeout of the path. */
    long confirmAtNs(int path, long timeoutNs) {
        return suspectedAtNs(path) + TIMEOUTS_TO_CONFIRM * timeoutNs;
    }

    /** When a suspect path is to be asked again, or never once it has been asked often enough. */
    long askAtNs(int path, long timeoutNs) {
        return state(path) == PathState.SUSPECT && probes[path] < PROBES
                ? suspectedAtNs[path] + probes[path] * timeoutNs / PROBES_PER_TIMEOUT
                : Deadline.NEVER;
    }

    /** A suspect path is being asked again. */
    void asked(int path) {
        probes[path]++;
    }

    /** When it last delivered something; 0 if never. */
    long lastEvidenceNs(int path) {
        return lastEvidenceNs[path];
    }

    /** When any path last delivered something; 0 if never. */
    long lastEvidenceNs() {
        return newestEvidenceNs;
    }

    /** Whether new slots may be opened on it. */
    boolean carriesNewSlots(int path) {
        // R-HEALTH-001: a silent path gets no new slots.
        return state[path] == ACTIVE;
    }

    /** Whether slots found lost are sent again on it. */
    boolean resends(int path) {
        return state[path] == ACTIVE || state[path] == DRAINING;
    }

    void onEvidence(long nowNs, int path) {
        lastEvidenceNs[path] = nowNs;
        newestEvidenceNs = nowNs;
    }
}

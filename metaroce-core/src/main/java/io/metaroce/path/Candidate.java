package io.metaroce.path;

import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A route under test that a path would like to have for its own: asked by a challenge, asked again on another route
 * while nothing comes back, relied on for a moment once it has answered. The path goes on meanwhile as if nothing were.
 */
public final class Candidate {
    /** No route has been tested yet; every path has it until it asks for one, so nobody writes to it. */
    static final Candidate NOBODY = new Candidate();

    private static final int BACKOFF_MAX = 20; // a microsecond becomes the longest
    private static final long RETRY_MAX_NS = 1_000_000_000;
    private static final int VALID_ROUND_TRIPS = 8;
    private static final long VALID_MIN_NS = 10_000_000;

    private final Deadline due = new Deadline(); // while probing: ask again; while valid: expired
    private CandidateState state = CandidateState.NONE;
    private @Nullable Route route;
    private long challenge;
    private boolean unsent;
    private long sentAtNs;
    private long sampleNs;
    private int misses;

    /** Puts {@code to} to the test, under a challenge that nobody can guess. */
    void test(Route to, long number) {
        assert this != NOBODY : "one candidate per path";
        on(CandidateEvent.WANTED);
        route = to;
        challenge = number;
        unsent = true;
        due.cancel();
    }

    /** The challenge has left; without an answer the next one is due after {@code timeoutNs} and its back-off. */
    public void sent(long nowNs, long timeoutNs) {
        unsent = false;
        sentAtNs = nowNs;
        // R-HEALTH-004: tried again after 1, 2, 4, 8 .. probe timeouts, at most a second.
        due.arm(nowNs + Math.min(timeoutNs << misses, RETRY_MAX_NS));
        misses = Math.min(misses + 1, BACKOFF_MAX);
    }

    /** Takes an echo; false when it answers something else, or an older challenge. */
    public boolean onEcho(long nowNs, long number, long rttNs) {
        // R-HEALTH-004: an echo of an earlier challenge says nothing about this route.
        if (state != CandidateState.PROBING || unsent || number != challenge) {
            return false;
        }
        on(CandidateEvent.ECHOED);
        sampleNs = Math.max(nowNs - sentAtNs, 1);
        misses = 0;
        due.arm(nowNs + Math.max(VALID_ROUND_TRIPS * rttNs, VALID_MIN_NS));
        return true;
    }

    /** Whether no answer came in time: another route should be tested. */
    public boolean isMissed(long nowNs) {
        return state == CandidateState.PROBING && due.isDue(nowNs);
    }

    /** Whether the answer is too old; the same route is to be challenged again with {@code number}. */
    public boolean expire(long nowNs, long number) {
        Route same = route;
        if (state != CandidateState.VALID || !due.isDue(nowNs) || same == null) {
            return false;
        }
        on(CandidateEvent.EXPIRED);
        test(same, number);
        return true;
    }

    /** The path has moved, or wants no other route any more. */
    public void done() {
        if (state == CandidateState.NONE) {
            return;
        }
        on(CandidateEvent.DONE);
        route = null;
        unsent = false;
        misses = 0;
        due.cancel();
    }

    /** State of the test. */
    public CandidateState state() {
        return state;
    }

    /** The route under test, or null when there is none. */
    public @Nullable Route route() {
        return route;
    }

    /** The number that proves an answer. */
    public long challenge() {
        return challenge;
    }

    /** Whether a challenge waits to be sent. */
    public boolean isUnsent() {
        return unsent;
    }

    /** Round trip of the challenge, in ns; meaningful once it was echoed. */
    public long sampleNs() {
        return sampleNs;
    }

    /** When there is something to do, or never. */
    public long deadlineNs() {
        return due.atNs();
    }

    private void on(CandidateEvent event) {
        state = CandidateStates.TABLE.nextOrSame(state, event);
    }
}

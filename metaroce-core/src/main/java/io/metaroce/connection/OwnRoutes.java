package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.path.Candidate;
import io.metaroce.path.CandidateState;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import org.jspecify.annotations.Nullable;

/**
 * Finds a route of its own for every path that needs one: tests a candidate by a challenge, lets the path drain, moves
 * it. A failed path does not drain; a parked one waits for the operator.
 */
final class OwnRoutes {
    private static final byte REDRAW = 1; // another entropy is wanted on the same plane
    private static final byte PARK = 2; // by the operator
    private static final byte PIN = 4; // likewise: no redraw
    private static final byte[] NOTHING_WISHED = new byte[0];
    private static final int MOVING_SHARE = 8; // at most an eighth of the paths
    private static final int TESTED_SHARE = 16;

    private final PathSet paths;
    private final Agreement agreement;
    private final RouteMoves moves;
    private final FreshRoutes fresh;
    private final UsablePlanes planes;
    private final RouteNeeds needs;
    private final StallWatch stall;
    private byte[] wishes = NOTHING_WISHED; // of each path, once there is any
    private boolean busy;
    private short unsent;
    private int moved; // how often routes had changed when paths were looked at last
    private @Nullable PerRound moving; // voluntary moves, once there was any
    private @Nullable PerRound tested; // routes that nobody needs at once, likewise
    private long deadlineNs = Deadline.NEVER;

    OwnRoutes(
            PathSet paths,
            Agreement agreement,
            RouteMoves moves,
            FreshRoutes fresh,
            UsablePlanes planes,
            RouteNeeds needs,
            StallWatch stall) {
        this.paths = paths;
        this.agreement = agreement;
        this.moves = moves;
        this.fresh = fresh;
        this.planes = planes;
        this.needs = needs;
        this.stall = stall;
    }

    // ---- wishes

    /** The path should leave its entropy, which is marked or lossy as no other. */
    void redraw(long nowNs, Path path) {
        boolean unused = redraw(nowNs, path.id());
    }

    /** The same by the operator; false when the path is pinned. */
    boolean redraw(long nowNs, int id) {
        if (wants(id, PIN)) {
            return false;
        }
        wish(id, REDRAW);
        step(nowNs);
        return true;
    }

    /** The operator wants the path to keep the route it has, or to be free again. */
    void pin(int id, boolean isPinned) {
        if (isPinned) {
            wish(id, PIN);
            settle(id, REDRAW);
        } else {
            settle(id, PIN);
        }
    }

    /** The operator takes a path out; false when it is the last one. */
    boolean park(long nowNs, int id) {
        int left = 0;
        for (int i = 0; i < paths.count(); i++) {
            left += wants(i, PARK) || i == id ? 0 : 1;
        }
        if (left > 0) {
            wish(id, PARK);
            step(nowNs);
        }
        return left > 0;
    }

    /** The operator lets a path return. */
    void unpark(long nowNs, int id) {
        settle(id, PARK);
        step(nowNs);
    }

    // ---- inputs

    /** A challenge came back; false when it was none of a route under test. */
    boolean onEcho(long nowNs, long challenge) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.candidate().onEcho(nowNs, challenge, path.smoothedRttNs())) {
                step(nowNs);
                return true;
            }
        }
        return false;
    }

    /** After a report: what drains may be empty now. */
    void onReport(long nowNs) {
        if (busy) {
            step(nowNs);
        }
    }

    /** Whenever the connection looks at its timers. While every path has what it wants, none is looked at. */
    void onDeadline(long nowNs) {
        if (busy || moved != moves.count() || needs.isUnmet || stall.doubtsRoutes()) {
            step(nowNs);
        }
        assert busy || !doesAnyWant() : "a path wants a route, and nobody looks for one";
    }

    private boolean doesAnyWant() {
        for (int i = 0; i < paths.count(); i++) {
            if (wantsRoute(paths.outbound(i)) && !wants(i, PARK)) {
                return true;
            }
        }
        return false;
    }

    /** Looks at every path: what it wants, and how far it has come. */
    void step(long nowNs) {
        busy = false;
        moved = moves.count();
        unsent = 0;
        deadlineNs = Deadline.NEVER;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (wants(i, PARK)) {
                parkWhenDrained(nowNs, path);
            } else if (wantsRoute(path)) {
                busy = true;
                look(nowNs, path);
            } else {
                settle(i, REDRAW);
                path.candidate().done();
                path.on(PathEvent.CANDIDATE_EXPIRED, nowNs);
            }
            if (path.candidate().isUnsent()) {
                unsent++;
            }
            deadlineNs = Math.min(deadlineNs, path.candidate().deadlineNs());
        }
    }

    /** When {@link #step} has something to do. */
    long deadlineNs() {
        return deadlineNs;
    }

    // ---- outputs

    boolean isChallengeWanted() {
        return unsent > 0;
    }

    /** Writes the next challenge whose plane has room; false when there is none. */
    boolean write(long nowNs, int planesWithRoom, SlotSender sender, Transmit out) {
        for (int i = 0; unsent > 0 && i < paths.count(); i++) {
            Path path = paths.outbound(i);
            Candidate candidate = path.candidate();
            Route route = candidate.route();
            if (candidate.isUnsent() && route != null && ((planesWithRoom >>> route.plane()) & 1) != 0) {
                sender.challengePadded(nowNs, path, route, candidate.challenge(), needs.payloadBytes(), out);
                candidate.sent(nowNs, path.timeoutNs(agreement.peerAckDelayNs()));
                deadlineNs = Math.min(deadlineNs, candidate.deadlineNs());
                unsent--;
                return true;
            }
        }
        return false;
    }

    // ---- one path

    private boolean wants(int path, byte wish) {
        return wishes.length > 0 && (wishes[path] & wish) != 0;
    }

    private void wish(int path, byte what) {
        if (wishes.length == 0) {
            wishes = new byte[paths.count()];
        }
        wishes[path] |= what;
    }

    private void settle(int path, byte what) {
        if (wishes.length > 0) {
            wishes[path] &= (byte) ~what;
        }
    }

    private void look(long nowNs, Path path) {
        Candidate candidate = path.candidate();
        Route route = candidate.route();
        if (candidate.state() == CandidateState.NONE ? mayTest(nowNs, path) : candidate.isMissed(nowNs)) {
            testAnother(path);
        } else if (candidate.expire(nowNs, fresh.challenge())) {
            path.on(PathEvent.CANDIDATE_EXPIRED, nowNs);
        } else if (candidate.state() == CandidateState.VALID && route != null) {
            advance(nowNs, path, route);
        }
    }

    private void testAnother(Path path) {
        // R-HEALTH-004: a failed path is tried again and again, each time on a fresh entropy.
        path.test(fresh.draw(path, wantedPlane(path)), fresh.challenge());
        if (path.state() == PathState.FAILED) {
            path.wantProbe(); // its old route may be back as well
        }
    }

    /** Whether a first route may be tested now; always when the path cannot do without. */
    private boolean mayTest(long nowNs, Path path) {
        if (path.state() == PathState.FAILED || isStuck(path)) {
            return true;
        }
        // R-PATH-025: first it is heard on the route it has, with everything that was lost on the one before.
        if (path.queued() > 0 || (path.unacked() > 0 && !path.isEchoed())) {
            return false;
        }
        // R-PATH-026: few at a time, for a challenge is as long as the longest packet.
        PerRound begun = tested == null ? new PerRound(Math.max(1, paths.count() / TESTED_SHARE)) : tested;
        tested = begun;
        return begins(nowNs, path, begun, true);
    }

    // R-HEALTH-005: only a route whose challenge was echoed a moment ago comes here.
    private void advance(long nowNs, Path path, Route route) {
        switch (path.state()) {
            case FAILED, ADMIN_DOWN -> moves.own(nowNs, path, route, PathEvent.CANDIDATE_ECHOED);
            case ACTIVE, SUSPECT -> {
                if (isStalled(path)) {
                    moveAll(nowNs, path, route);
                } else if (isStuck(path)) {
                    // Nothing is delivered in such packets, and this route answers: now the old one has failed.
                    moves.fail(nowNs, path);
                    moves.own(nowNs, path, route, PathEvent.CANDIDATE_ECHOED);
                } else if (path.state() == PathState.ACTIVE && mayLeave(nowNs, path)) {
                    // R-PATH-015: from here on no new slots, until nothing is unacknowledged.
                    path.on(PathEvent.LEAVE_WANTED, nowNs);
                    moveWhenDrained(nowNs, path, route);
                }
            }
            case DRAINING -> moveWhenDrained(nowNs, path, route);
            case VALIDATING -> path.candidate().done();
        }
    }

    /** Nothing is delivered anywhere, and this route answers: now the old ones have failed. */
    private void moveAll(long nowNs, Path first, Route route) {
        moves.fail(nowNs, first);
        moves.own(nowNs, first, route, PathEvent.CANDIDATE_ECHOED);
        // R-HEALTH-013: whoever waits moves along.
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path != first && path.unacked() > 0) {
                moves.borrow(nowNs, path, first);
            }
        }
        stall.onMoved(nowNs, first.timeoutNs(agreement.peerAckDelayNs()));
    }

    private void moveWhenDrained(long nowNs, Path path, Route route) {
        if (path.unacked() == 0) {
            // R-PATH-018: validated and drained: the path has a route of its own again.
            settle(path.id(), REDRAW);
            moves.own(nowNs, path, route, PathEvent.DRAINED);
        }
    }

    private void parkWhenDrained(long nowNs, Path path) {
        path.candidate().done();
        path.on(PathEvent.LEAVE_WANTED, nowNs);
        if (path.state() == PathState.DRAINING && path.unacked() == 0) {
            path.on(PathEvent.PARKED, nowNs);
        }
        busy |= path.state() != PathState.ADMIN_DOWN;
    }

    private boolean wantsRoute(Path path) {
        int home = paths.homePlane(path.id());
        return switch (path.state()) {
            case VALIDATING -> false;
            case FAILED, ADMIN_DOWN -> true;
            case ACTIVE, SUSPECT, DRAINING ->
                path.isBorrowed()
                        || wants(path.id(), REDRAW)
                        || (planes.has(home) && path.plane() != home)
                        || (isStuck(path) && isFirstStuckOfItsPlane(path));
        };
    }

    private int wantedPlane(Path path) {
        int home = paths.homePlane(path.id());
        int plane = wants(path.id(), REDRAW) || !planes.has(home) ? path.plane() : home;
        return planes.has(plane) ? plane : Integer.numberOfTrailingZeros(planes.bits());
    }

    /** Whether one more path may stop taking new data now. */
    private boolean mayLeave(long nowNs, Path path) {
        int most = Math.max(1, paths.count() / MOVING_SHARE);
        int draining = 0;
        for (int i = 0; i < paths.count(); i++) {
            draining += paths.outbound(i).state() == PathState.DRAINING ? 1 : 0;
        }
        PerRound begun = moving == null ? new PerRound(most) : moving;
        moving = begun;
        return begins(nowNs, path, begun, draining < most);
    }

    /** Whether one more begins; if none may, the end of the round trip is waited for. */
    private boolean begins(long nowNs, Path path, PerRound begun, boolean isAllowed) {
        if (!begun.mayBegin(nowNs, path.smoothedRttNs()) || !isAllowed) {
            deadlineNs = Math.min(deadlineNs, begun.endsNs());
            return false;
        }
        begun.begin();
        return true;
    }

    private boolean isStuck(Path path) {
        return needs.isUnmet ? path.unacked() > 0 : isStalled(path);
    }

    private boolean isStalled(Path path) {
        return path.unacked() > 0 && stall.doubtsRoutes();
    }

    private boolean isFirstStuckOfItsPlane(Path path) {
        for (int i = 0; i < path.id(); i++) {
            Path other = paths.outbound(i);
            if (other.unacked() > 0 && other.plane() == path.plane()) {
                return false;
            }
        }
        return true;
    }
}

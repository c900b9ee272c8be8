package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.Counter;
import org.jspecify.annotations.Nullable;

/** Looks after the health of paths: timers, suspicion, confirmation, and the move to a borrowed route. */
final class PathCare {
    private final PathSet paths;
    private final SilenceTest silence;
    private final CongestionControl congestion;
    private final RouteMoves moves;
    private final Donors donors;
    private final PlaneWatch planes;
    private final OwnRoutes routes;
    private final BadLuck luck;
    private final Agreement agreement;
    private final Shared shared;
    private final StallWatch stall;
    private final Witness witness;
    private @Nullable LateLosses late; // most paths keep their order

    PathCare(
            PathSet paths,
            SilenceTest silence,
            StallWatch stall,
            CongestionControl congestion,
            RouteMoves moves,
            Donors donors,
            PlaneWatch planes,
            OwnRoutes routes,
            BadLuck luck,
            Agreement agreement,
            Shared shared) {
        this.paths = paths;
        this.silence = silence;
        this.stall = stall;
        this.witness = new Witness(paths, silence);
        this.congestion = congestion;
        this.moves = moves;
        this.donors = donors;
        this.planes = planes;
        this.routes = routes;
        this.luck = luck;
        this.agreement = agreement;
        this.shared = shared;
    }

    /** After a report: paths that stayed silent while others delivered become suspect. */
    void onReport(long nowNs) {
        if (paths.lastEvidenceNs() == nowNs && stall.endsWith(nowNs, stall.isTotal() ? timeoutNs() : 0)) {
            beginAnew(nowNs);
        }
        Path newest = paths.newestEchoed(nowNs);
        if (newest != null && isLookNeeded(nowNs, newest)) {
            look(nowNs, newest);
        }
        luck.onReport(nowNs);
        routes.onReport(nowNs);
    }

    /** Whether any path may be silent, failed or hopeless: nearly always none is, and none need be looked at. */
    private boolean isLookNeeded(long nowNs, Path newest) {
        // Who waits for nothing is not silent, and the report after a rest often leaves nothing under way.
        return (paths.hasUnacked() && silence.mayBeAny(nowNs, newest)) || isAnyGone();
    }

    /** Whether any path has failed, or may be hopeless. */
    private boolean isAnyGone() {
        return paths.hasFailed() || paths.losses().isAnyAboveLimit();
    }

    private void look(long nowNs, Path newest) {
        boolean grace = stall.isGrace(nowNs);
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (!grace && isWatched(path) && silence.isSilent(nowNs, path, newest)) {
                suspect(nowNs, path);
            }
            if (isAnyGone() && (path.state() == PathState.FAILED || isHopeless(path))) {
                // R-HEALTH-008: a path that loses nearly everything is left as if it were silent.
                borrowIfAnybodyLends(nowNs, path);
            }
        }
        silence.looked(nowNs);
    }

    /** Whether every path is silent, so that it is not the paths. */
    boolean isStalled() {
        return stall.isTotal();
    }

    /** This side was paused: its timers say nothing. */
    void onPaused(long nowNs) {
        stall.onPaused(nowNs, timeoutNs());
        for (int i = 0; i < paths.count(); i++) {
            paths.outbound(i).onPaused(nowNs, agreement.peerAckDelayNs());
        }
    }

    private void beginAnew(long nowNs) {
        // R-HEALTH-003: whoever has not spoken yet when all were silent is asked, and given one probe timeout.
        for (int i = 0; i < paths.count(); i++) {
            paths.outbound(i).beginAnew(nowNs, agreement.peerAckDelayNs());
        }
    }

    /** The largest probe timeout of the paths in use. */
    private long timeoutNs() {
        long longest = 0;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.isInUse() || longest == 0) {
                longest = Math.max(longest, path.timeoutNs(agreement.peerAckDelayNs()));
            }
        }
        return longest;
    }

    /** Runs the timers that are due, and confirms suspicions that have lasted. */
    void onDeadline(long nowNs) {
        boolean suspects = paths.hasSuspects();
        long earliest = paths.deadlineNs();
        for (int i = 0; (suspects || nowNs >= earliest) && i < paths.count(); i++) {
            if (!suspects && !paths.isDue(nowNs, i)) {
                continue;
            }
            Path path = paths.outbound(i);
            if (path.isLateDue(nowNs)) {
                late().loseOn(nowNs, path);
            }
            if (stall.restsPaths()) {
                // R-HEALTH-012: the timeouts of single paths rest.
                path.onDeadlineAtRest(nowNs);
            } else {
                int timeouts = path.onDeadline(nowNs, agreement.peerAckDelayNs(), moves.leavingFlight(path));
                if (timeouts > 0) {
                    onTimeout(nowNs, path, timeouts);
                }
            }
            if (nowNs >= askAtNs(path)) {
                path.ask();
                witness.ask(path, path.suspectedAtNs());
            }
            if (path.state() == PathState.SUSPECT && nowNs >= confirmAtNs(path)) {
                confirm(nowNs, path);
            }
        }
        if (nowNs >= stall.stepAtNs()) {
            boolean isTheirTurn = !stall.restsPaths();
            int step = stall.step(nowNs, timeoutNs());
            if (!isTheirTurn) {
                askOnePerPlane(nowNs, step);
            }
        }
        routes.onDeadline(nowNs);
    }

    private LateLosses late() {
        LateLosses made = late;
        if (made == null) {
            made = new LateLosses(
                    congestion, shared.slab(), shared.scratch().signal, shared.counters(), agreement, shared.events());
            late = made;
        }
        return made;
    }

    long deadlineNs() {
        long earliest = Math.min(paths.deadlineNs(), stall.stepAtNs());
        for (int i = 0; paths.hasSuspects() && i < paths.count(); i++) {
            Path path = paths.outbound(i);
            earliest = Math.min(earliest, askAtNs(path));
            if (isSilentAlone(path) && !stall.isTotal()) {
                earliest = Math.min(earliest, confirmAtNs(path));
            }
        }
        return Math.min(earliest, routes.deadlineNs());
    }

    private void onTimeout(long nowNs, Path path, int inARow) {
        countTimeout(nowNs, path, inARow);
        // R-HEALTH-003: only a path that is silent while others deliver is suspect; a silent peer is not a path fault.
        if (isWatched(path) && !stall.isGrace(nowNs) && silence.othersDeliveredSince(path, path.lastEvidenceNs())) {
            suspect(nowNs, path);
        }
        if (!isSilentAlone(path)) {
            stall.onTimeout(nowNs, timeoutNs());
        }
        witness.ask(path, path.lastEvidenceNs());
    }

    /** Whether others have delivered since it became suspect; they need not have anything under way now. */
    private boolean isSilentAlone(Path path) {
        return path.state() == PathState.SUSPECT && silence.othersDeliveredSince(path, path.suspectedAtNs());
    }

    private void countTimeout(long nowNs, Path path, int inARow) {
        shared.counters().increment(Counter.PTO_EXPIRED);
        if (inARow >= Path.TIMEOUTS_TO_RESEND) {
            congestion.onTimeout(nowNs, path.id());
            shared.counters().increment(Counter.RETRANSMIT_PTO);
            shared.events().timedOut(nowNs, agreement.localId(), path.id());
        }
    }

    /** Everything is silent: on each plane a path that waits is asked, each time another. */
    private void askOnePerPlane(long nowNs, int step) {
        Path last = null;
        int asked = 0;
        for (int i = 0; i < paths.count(); i++) {
            // Nothing has been heard of the others either.
            if (paths.outbound(i).unacked() > 0) {
                congestion.onTimeout(nowNs, i);
            }
        }
        for (int k = 0; k < agreement.planes().width(); k++) {
            Path path = paths.waitingOn(k, step);
            if (path != null) {
                // R-HEALTH-012: one question per plane and step.
                path.askAgain(step, moves.leavingFlight(path));
                countTimeout(nowNs, path, step);
                last = path;
                asked++;
            }
        }
        if (asked == 1 && last != null) {
            witness.ask(last, paths.lastEvidenceNs());
        }
    }

    /** The network says that a route does not reach the peer. Anybody can say so: a probe finds out. */
    void onUnreachable(long nowNs, int plane, int entropy) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            Route route = path.route();
            if (isWatched(path) && route.plane() == plane && route.entropy() == entropy) {
                // R-HEALTH-009: suspect, and no more; only silence can confirm it.
                suspect(nowNs, path);
            }
        }
    }

    /**
     * A path that carries nothing was asked and has not answered.
     *
     * @return whether it is suspect now, because others have answered since {@code askedAtNs}
     */
    boolean onUnanswered(long nowNs, Path path, long askedAtNs) {
        // R-HEALTH-003: while nobody answers it is not the path.
        if (!isWatched(path) || stall.isGrace(nowNs) || !silence.othersDeliveredSince(path, askedAtNs)) {
            return false;
        }
        suspect(nowNs, path);
        return true;
    }

    private void suspect(long nowNs, Path path) {
        // R-HEALTH-001: it gets no new slots from here on; a probe asks at once.
        if (path.on(PathEvent.SILENT, nowNs)) {
            path.wantProbe();
            witness.ask(path, nowNs);
            shared.counters().increment(Counter.PATHS_SUSPECTED);
            shared.events().pathState(nowNs, agreement.localId(), path.id(), PathState.SUSPECT.number());
            planes.onSuspect(nowNs, path.plane());
        }
    }

    private void confirm(long nowNs, Path path) {
        // R-HEALTH-002: evidence would have ended the suspicion; without anybody delivering nothing is confirmed.
        if (stall.isTotal() || stall.isGrace(nowNs) || !isSilentAlone(path)) {
            return;
        }
        planes.onConfirmed(nowNs, path.plane());
        if (path.state() == PathState.SUSPECT && !borrowIfAnybodyLends(nowNs, path)) {
            // Confirmed, and nothing to borrow: its slots wait for a route that answers.
            moves.fail(nowNs, path);
        }
    }

    private boolean borrowIfAnybodyLends(long nowNs, Path path) {
        Path donor = donors.of(path);
        if (donor != null) {
            moves.borrow(nowNs, path, donor);
        }
        return donor != null;
    }

    /** The route of a path does not carry what its slots need, and others do: it is left at once. */
    void leaveRoute(long nowNs, Path path) {
        if (isWatched(path) && !borrowIfAnybodyLends(nowNs, path)) {
            moves.fail(nowNs, path);
        }
    }

    private boolean isHopeless(Path path) {
        return isWatched(path) && luck.isHopeless(path);
    }

    /** Whether it carries slots of its own accord, so that silence says something. */
    private static boolean isWatched(Path path) {
        return path.state() == PathState.ACTIVE || path.state() == PathState.DRAINING;
    }

    private long confirmAtNs(Path path) {
        return Math.max(path.confirmAtNs(agreement.peerAckDelayNs()), stall.graceUntilNs());
    }

    private long askAtNs(Path path) {
        return path.askAtNs(agreement.peerAckDelayNs());
    }
}

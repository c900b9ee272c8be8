package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;

/**
 * The planes of one connection: which may be used, given the endpoint's own ports, what the peer tells, what the paths
 * find out, and which addresses have proved themselves. Moves the paths when that changes.
 */
final class PlaneWatch implements ReportTold {
    private static final int TIMEOUTS_TO_VALIDATE = 3;
    private static final int RTTS_IN_USE = 4;

    private final PathSet paths;
    private final PlaneTable table;
    private final PeerPlanes peer;
    private final PlaneProbes probes;
    private final Agreement agreement;
    private final PlaneMoves moves;
    private final UsablePlanes usable; // what the paths were moved by last
    private final Runnable wake;
    private final PlaneTally tally;
    private final PlaneNews news;
    private long validateAtNs = Deadline.NEVER;
    private long judgeAgainAtNs = Deadline.NEVER;
    private int validated;
    private int told; // what the peer can receive on
    private int tries;

    PlaneWatch(
            long nowNs,
            PathSet paths,
            Agreement agreement,
            PlaneTable table,
            PlaneProbes probes,
            PlaneNews news,
            PlaneMoves moves,
            UsablePlanes usable,
            PlaneTally tally,
            int provenPlanes,
            Runnable wake) {
        this.paths = paths;
        this.agreement = agreement;
        this.table = table;
        this.probes = probes;
        this.news = news;
        this.moves = moves;
        this.usable = usable;
        this.tally = tally;
        this.wake = wake;
        this.told = all();
        this.validated = provenPlanes & all();
        // R-PLANE-006: until its address is validated a plane carries no slots.
        for (int i = 0; i < paths.count(); i++) {
            if (!isValidated(paths.homePlane(i))) {
                paths.outbound(i).beginUnvalidated();
            }
        }
        if (validated != all()) {
            validateAtNs = nowNs;
        }
        this.peer = table.join(agreement.planes().get(0), this);
        usable.set(usableNow());
        for (int k = 0; k < agreement.planes().width(); k++) {
            if (isValidated(k) && !usable.has(k)) {
                moves.leave(nowNs, k);
            }
        }
    }

    // ---- looking

    /** Bit k: packets to the peer may take plane k. Never empty. */
    int usable() {
        return usable.bits();
    }

    /** Bit k: this side can receive on plane k. */
    int receiving() {
        return table.carrier();
    }

    // ---- inputs

    @Override
    public void onPlanes(long nowNs, int planeUp) {
        // R-PLANE-003: a plane the peer cannot receive on is left at once.
        int says = planeUp & all();
        peer.heard(nowNs);
        if (says != told) {
            told = says;
            update(nowNs);
        }
    }

    /** An own port changed: the peer must know, and paths move. */
    void onCarrier(long nowNs, int planes) {
        news.tell(nowNs, planes, smoothedNs());
        update(nowNs);
        wake.run();
    }

    /** A path has fallen silent. */
    void onSuspect(long nowNs, int plane) {
        // Whoever falls silent just after the plane was judged counts a little later.
        long judgeAtNs = peer.judgeAgainAtNs(plane, smoothedNs());
        judge(nowNs, plane);
        if (!peer.isDown(plane)) {
            judgeAgainAtNs = Math.min(judgeAgainAtNs, nowNs < judgeAtNs ? judgeAtNs : nowNs + timeoutNs());
        }
    }

    /** The silence of a path on this plane has lasted. */
    void onConfirmed(long nowNs, int plane) {
        judge(nowNs, plane);
    }

    @Override
    public void onEcho(long nowNs, long challenge) {
        int plane = probes.onEcho(challenge);
        if (plane != PlaneProbes.NONE) {
            onAnswer(nowNs, plane);
        }
    }

    private void onAnswer(long nowNs, int plane) {
        if (!isValidated(plane)) {
            validated |= 1 << plane;
            for (int i = 0; i < paths.count(); i++) {
                Path path = paths.outbound(i);
                if (path.state() == PathState.VALIDATING && path.plane() == plane) {
                    path.on(PathEvent.CANDIDATE_ECHOED, nowNs);
                }
            }
        }
        peer.onEcho(nowNs, plane);
        update(nowNs);
    }

    void onDeadline(long nowNs) {
        if (nowNs >= validateAtNs) {
            validateNext(nowNs);
        }
        if (nowNs >= judgeAgainAtNs) {
            judgeAgainAtNs = Deadline.NEVER;
            for (int k = 0; k < agreement.planes().width(); k++) {
                judge(nowNs, k);
                if (!peer.isDown(k) && silentSinceNs(nowNs, k) != Deadline.NEVER) {
                    judgeAgainAtNs = nowNs + timeoutNs();
                }
            }
        }
        if (peer.isElected(this)) {
            for (int k = 0; k < agreement.planes().width(); k++) {
                if (agreement.planes().has(k) && peer.takeProbe(nowNs, k, smoothedNs())) {
                    probes.want(k);
                }
            }
        }
    }

    long deadlineNs() {
        long earliest = Math.min(validateAtNs, judgeAgainAtNs);
        return peer.isElected(this) ? Math.min(earliest, peer.probeAtNs(all())) : earliest;
    }

    /** This connection asks for a lost plane from now on. */
    void isToAsk() {
        wake.run();
    }

    /** The connection is gone. */
    void leave() {
        table.leave(peer, this);
    }

    // ---- what the table asks

    /** Something has changed: paths leave planes that are lost, and may return to those that are back. */
    void update(long nowNs) {
        int now = usableNow();
        int lost = usable.bits() & ~now;
        int back = now & ~usable.bits();
        usable.set(now);
        if ((lost | back) == 0) {
            return;
        }
        for (int k = 0; k < agreement.planes().width(); k++) {
            if (((lost >>> k) & 1) != 0) {
                moves.leave(nowNs, k);
            } else if (((back >>> k) & 1) != 0) {
                moves.isBack(nowNs, k);
            }
        }
        wake.run();
    }

    /** When the first of the paths that are silent on a plane fell silent. */
    long silentSinceNs(long nowNs, int plane) {
        long first = Deadline.NEVER;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.plane() == plane && isVoting(nowNs, path)) {
                first = Math.min(first, path.suspectedAtNs());
            }
        }
        return first;
    }

    private boolean isVoting(long nowNs, Path path) {
        return path.state() == PathState.SUSPECT && nowNs <= path.confirmAtNs(agreement.peerAckDelayNs());
    }

    /** Counts the paths on a plane that have fallen silent or have delivered lately. */
    void count(long nowNs, int plane, PlaneTally votes) {
        // R-HEALTH-011: while nearly everything is silent nobody votes before the silence has lasted.
        if (NearlyAllSilent.isSilentNow(nowNs, paths, agreement)) {
            return;
        }
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            long rttNs = path.smoothedRttNs();
            if (path.plane() != plane) {
                votes.onOtherPlane(path.lastEvidenceNs());
            } else if (isVoting(nowNs, path)) {
                votes.countSilent();
            } else if (path.isEchoed()) {
                votes.countHeard(path.lastEvidenceNs(), RTTS_IN_USE * rttNs);
            }
        }
    }

    private void validateNext(long nowNs) {
        int missing = all() & ~validated;
        if (missing == 0) {
            validateAtNs = Deadline.NEVER;
            return;
        }
        for (int k = 0; k < agreement.planes().width(); k++) {
            if (((missing >>> k) & 1) != 0) {
                probes.want(k);
                if (tries == TIMEOUTS_TO_VALIDATE) {
                    // Its paths work elsewhere until it answers.
                    moves.leave(nowNs, k);
                }
            }
        }
        tries++;
        int late = tries - TIMEOUTS_TO_VALIDATE;
        validateAtNs = nowNs + (late <= 0 ? timeoutNs() : peer.everyNs(smoothedNs(), late - 1));
    }

    private void judge(long nowNs, int plane) {
        peer.judge(nowNs, plane, smoothedNs(), timeoutNs(), tally);
    }

    private int usableNow() {
        // Down everywhere is down nowhere: something must carry the questions.
        int reachable = table.carrier() & validated;
        int up = reachable & told & peer.up();
        if (up != 0) {
            return up;
        }
        if ((reachable & told) != 0) {
            return reachable & told;
        }
        return reachable != 0 ? reachable : all();
    }

    /** Bit k: there is a plane k. */
    int all() {
        return agreement.planes().bits();
    }

    private boolean isValidated(int plane) {
        return ((validated >>> plane) & 1) != 0;
    }

    private long timeoutNs() {
        return paths.outbound(0).timeoutNs(agreement.peerAckDelayNs());
    }

    private long smoothedNs() {
        return paths.outbound(0).smoothedRttNs();
    }
}

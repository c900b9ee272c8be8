package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathRoute;
import io.metaroce.path.PathState;
import io.metaroce.path.Rebind;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import org.jspecify.annotations.Nullable;

/** Looks after the health of paths: timers, suspicion, confirmation, and the move to a borrowed route. */
final class PathCare implements PlaneMoves {
    private final PathSet paths;
    private final SilenceTest silence;
    private final CongestionControl congestion;
    private final SlotSlab slab;
    private final Agreement agreement;
    private final Counters counters;
    private final TransportEvents events;
    private final int[] borrowers;
    private final HomeComing homeComing;
    private final LeavesFlight leaving = new LeavesFlight();
    private final LateLosses late;
    private @Nullable PlaneWatch planes;
    private int witness; // path asked last on behalf of a silent one

    PathCare(
            PathSet paths,
            SilenceTest silence,
            CongestionControl congestion,
            SlotSlab slab,
            PlaneProbes probes,
            Agreement agreement,
            Counters counters,
            TransportEvents events) {
        this.paths = paths;
        this.silence = silence;
        this.congestion = congestion;
        this.slab = slab;
        this.agreement = agreement;
        this.counters = counters;
        this.events = events;
        this.borrowers = new int[paths.count()];
        this.late = new LateLosses(congestion, slab, counters);
        this.homeComing = new HomeComing(paths, probes, agreement, this::isHome);
    }

    /** {@code watch} hears of every path that falls silent, and says which planes to borrow on. */
    void tell(PlaneWatch watch) {
        planes = watch;
    }

    /** After a report: paths that stayed silent while others delivered become suspect. */
    void onReport(long nowNs) {
        homeComing.onReport(nowNs);
        Path newest = silence.newest(nowNs);
        for (int i = 0; newest != null && i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (isCarrying(path) && silence.isSilent(path, newest)) {
                suspect(nowNs, path);
            }
        }
    }

    private static boolean isCarrying(Path path) {
        return path.state() == PathState.ACTIVE || path.state() == PathState.DRAINING;
    }

    /** Runs the timers that are due, and confirms suspicions that have lasted. */
    void onDeadline(long nowNs) {
        homeComing.onDeadline(nowNs);
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            leaving.path = i;
            if (path.isLateDue(nowNs)) {
                late.loseOn(nowNs, path);
            }
            int timeouts = path.onDeadline(nowNs, agreement.peerAckDelayNs(), leaving);
            if (timeouts > 0) {
                onTimeout(nowNs, path, timeouts);
            }
            if (nowNs >= askAtNs(path)) {
                path.health().asked();
                path.wantProbe();
                askWitness(path, path.health().suspectedAtNs());
            }
            if (path.state() == PathState.SUSPECT && nowNs >= confirmAtNs(path)) {
                confirm(nowNs, path);
            }
        }
    }

    long deadlineNs() {
        long earliest = Math.min(paths.deadlineNs(), homeComing.deadlineNs());
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            earliest = Math.min(earliest, askAtNs(path));
            if (path.state() == PathState.SUSPECT
                    && silence.othersDeliveredSince(path, path.health().suspectedAtNs())
                    && donor(path) != null) {
                earliest = Math.min(earliest, confirmAtNs(path));
            }
        }
        return earliest;
    }

    private void onTimeout(long nowNs, Path path, int inARow) {
        counters.increment(Counter.PTO_EXPIRED);
        if (inARow >= Path.TIMEOUTS_TO_RESEND) {
            congestion.onTimeout(nowNs, path.id());
            counters.increment(Counter.RETRANSMIT_PTO);
        }
        askWitness(path, path.health().lastEvidenceNs());
        // R-HEALTH-003: only a path that is silent while others deliver is suspect; a silent peer is not a path fault.
        if (isCarrying(path)
                && silence.othersDeliveredSince(path, path.health().lastEvidenceNs())) {
            suspect(nowNs, path);
        }
    }

    private void suspect(long nowNs, Path path) {
        // R-HEALTH-001: it gets no new slots from here on; a probe asks at once.
        if (path.health().on(PathEvent.SILENT, nowNs)) {
            path.wantProbe();
            askWitness(path, nowNs);
            counters.increment(Counter.PATHS_SUSPECTED);
            events.pathState(nowNs, agreement.localId(), path.id(), PathState.SUSPECT.number());
            if (planes != null) {
                planes.onSuspect(nowNs, path.way().route().plane());
            }
        }
    }

    /**
     * A path is silent, and it can only be compared with others that were used since. When none was, because nothing
     * else is under way, one of them is asked, each time another.
     */
    private void askWitness(Path silent, long sinceNs) {
        if (silence.othersDeliveredSince(silent, sinceNs)) {
            return;
        }
        for (int i = 0; i < paths.count(); i++) {
            witness = (witness + 1) % paths.count();
            Path path = paths.outbound(witness);
            if (path != silent
                    && path.state() == PathState.ACTIVE
                    && !path.way().route().equals(silent.way().route())) {
                path.wantProbe();
                return;
            }
        }
    }

    private void confirm(long nowNs, Path path) {
        // R-HEALTH-002: evidence would have ended the suspicion; without anybody delivering nothing is confirmed.
        if (!silence.othersDeliveredSince(path, path.health().suspectedAtNs())) {
            return;
        }
        Path donor = donor(path);
        if (donor != null) {
            borrow(nowNs, path, donor);
        }
    }

    private void borrow(long nowNs, Path path, Path donor) {
        leaving.path = path.id();
        Rebind.borrow(nowNs, path, donor, leaving);
        borrowers[donor.id()]++;
        congestion.onRebound(nowNs, path.id(), donor.id());
        counters.add(Counter.RETRANSMIT_REBIND, path.queued());
        moved(nowNs, path);
    }

    private void isHome(long nowNs, Path path) {
        congestion.onRebound(nowNs, path.id(), path.id());
        moved(nowNs, path);
    }

    private void moved(long nowNs, Path path) {
        counters.increment(Counter.PATHS_REBOUND);
        events.pathRebound(
                nowNs,
                agreement.localId(),
                path.id(),
                path.way().epoch(),
                path.way().route().entropy());
    }

    @Override
    public void leave(long nowNs, int plane) {
        homeComing.stop(nowNs, plane);
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.way().route().plane() == plane) {
                Path donor = donorElsewhere(plane);
                if (donor != null) {
                    borrow(nowNs, path, donor);
                }
            }
        }
    }

    @Override
    public void isBack(long nowNs, int plane) {
        homeComing.begin(nowNs, plane);
    }

    @Override
    public void onProven(long nowNs, Route route, long rttNs) {
        homeComing.onProven(nowNs, route, rttNs);
    }

    /** A path that lends its route to one whose plane is lost: on a plane that is up, with fewest borrowers. */
    private @Nullable Path donorElsewhere(int lostPlane) {
        int usable = planes == null ? ~(1 << lostPlane) : planes.usable() & ~(1 << lostPlane);
        Path best = null;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (!path.isOn(usable) || path.state() != PathState.ACTIVE) {
                continue;
            }
            if (best == null || isBetterDonor(path, best)) {
                best = path;
            }
        }
        return best;
    }

    /** A healthy path that lends its route: on its own route if possible, then the one with fewest borrowers. */
    private @Nullable Path donor(Path needy) {
        Path best = null;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path == needy
                    || path.state() != PathState.ACTIVE
                    // R-PATH-010: the epoch moves with the route, so the route must be another one.
                    || path.way().route().equals(needy.way().route())
                    || path.health().lastEvidenceNs() <= needy.health().suspectedAtNs()) {
                continue;
            }
            if (best == null || isBetterDonor(path, best)) {
                best = path;
            }
        }
        return best;
    }

    private boolean isBetterDonor(Path a, Path b) {
        boolean ownA = a.way().ownership() == PathRoute.Ownership.OWN;
        boolean ownB = b.way().ownership() == PathRoute.Ownership.OWN;
        if (ownA != ownB) {
            return ownA;
        }
        return borrowers[a.id()] < borrowers[b.id()];
    }

    private long confirmAtNs(Path path) {
        return path.health().confirmAtNs(path.timeoutNs(agreement.peerAckDelayNs()));
    }

    private long askAtNs(Path path) {
        return path.health().askAtNs(path.timeoutNs(agreement.peerAckDelayNs()));
    }

    /** Slots that leave flight by a timer or a rebind: the windows forget them, nobody else cares. */
    private final class LeavesFlight implements TxSlots.Outcome {
        private int path;

        @Override
        public void acked(int slot) {
            throw new IllegalStateException("a timer acknowledges nothing");
        }

        @Override
        public void lost(int slot) {
            congestion.onLeft(path, slab.costBytes(slot));
        }
    }
}

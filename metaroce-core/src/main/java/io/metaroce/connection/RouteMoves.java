package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.PathState;
import io.metaroce.path.Rebind;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import java.util.Arrays;

/**
 * Moves a path to another route, and tells windows, counters and listeners; knows who borrows from whom. Slots that
 * leave flight by a timer or a move are forgotten by the windows; nobody else cares.
 */
final class RouteMoves implements TxSlots.Outcome {
    private static final int NOBODY = -1;
    private static final int[] NOBODY_YET = new int[0];

    private final CongestionControl congestion;
    private final SlotSlab slab;
    private final Agreement agreement;
    private final Counters counters;
    private final TransportEvents events;
    private final int paths;
    private int[] borrowers = NOBODY_YET; // of every path, once one of them borrows
    private int[] lender = NOBODY_YET;
    private RouteNews news = RouteNews.NOBODY;
    private int count; // of changes
    private int leaving; // path whose slots leave flight

    RouteMoves(
            int paths,
            CongestionControl congestion,
            SlotSlab slab,
            Agreement agreement,
            Counters counters,
            TransportEvents events) {
        this.congestion = congestion;
        this.slab = slab;
        this.agreement = agreement;
        this.counters = counters;
        this.events = events;
        this.paths = paths;
    }

    /** Who hears of paths that lose their route or have one again. */
    void news(RouteNews value) {
        news = value;
    }

    private static boolean isWithoutOwn(Path path) {
        return path.isBorrowed() || path.state() == PathState.FAILED;
    }

    /** How often a path has got another route, or lost its own; wraps around. */
    int count() {
        return count;
    }

    /** Paths that use a copy of this one's route. */
    int borrowers(Path path) {
        return borrowers.length == 0 ? 0 : borrowers[path.id()];
    }

    /** What a timer of {@code path} takes out of flight, the windows forget. */
    TxSlots.Outcome leavingFlight(Path path) {
        leaving = path.id();
        return this;
    }

    /** To a copy of the donor's route, at once. */
    void borrow(long nowNs, Path path, Path donor) {
        boolean known = isWithoutOwn(path);
        Rebind.borrow(nowNs, path, donor, leavingFlight(path));
        giveBack(path);
        makeRoom();
        borrowers[donor.id()]++;
        lender[path.id()] = donor.id();
        moved(nowNs, path, donor.id());
        if (!known) {
            news.moved(nowNs, path.id(), false);
        }
    }

    /** To its candidate, a route of its own that has answered. */
    void own(long nowNs, Path path, Route route, PathEvent how) {
        boolean isNews = isWithoutOwn(path);
        Rebind.own(nowNs, path, route, path.candidate().sampleNs(), how, leavingFlight(path));
        path.candidate().done();
        giveBack(path);
        moved(nowNs, path, NOBODY);
        events.pathState(nowNs, agreement.localId(), path.id(), path.state().number());
        if (isNews) {
            news.moved(nowNs, path.id(), true);
        }
    }

    /** Nowhere: it has failed, and there is nobody to borrow from. */
    void fail(long nowNs, Path path) {
        count++;
        boolean known = isWithoutOwn(path);
        Rebind.fail(nowNs, path, leavingFlight(path));
        events.pathState(nowNs, agreement.localId(), path.id(), path.state().number());
        if (!known) {
            news.moved(nowNs, path.id(), false);
        }
    }

    private void makeRoom() {
        if (lender.length == 0) {
            borrowers = new int[paths];
            lender = new int[paths];
            Arrays.fill(lender, NOBODY);
        }
    }

    private void giveBack(Path path) {
        if (lender.length == 0) {
            return;
        }
        int from = lender[path.id()];
        if (from != NOBODY) {
            borrowers[from]--;
            lender[path.id()] = NOBODY;
        }
    }

    private void moved(long nowNs, Path path, int donor) {
        count++;
        congestion.onRebound(nowNs, path.id(), donor);
        counters.increment(Counter.PATHS_REBOUND);
        counters.add(Counter.RETRANSMIT_REBIND, path.queued());
        events.pathRebound(
                nowNs,
                agreement.localId(),
                path.id(),
                path.epoch(),
                path.route().entropy());
    }

    @Override
    public void acked(int slot) {
        throw new IllegalStateException("a timer acknowledges nothing");
    }

    @Override
    public void lost(int slot) {
        congestion.onLeft(leaving, slab.costBytes(slot));
    }
}

package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.num.Entropy;
import io.metaroce.param.PathConfig;
import io.metaroce.path.InboundPath;
import io.metaroce.path.LossTest;
import io.metaroce.path.MarkRounds;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;
import io.metaroce.path.PathTable;
import io.metaroce.path.Pending;
import io.metaroce.path.ReceivePasses;
import io.metaroce.path.SlotSlab;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The paths of a connection: those it sends on, and those it has received on. */
final class PathSet {
    private static final int NO_REPORT = -1;

    private final WaysBack waysBack = new WaysBack();
    private final Path[] outbound;
    private final int inboundMax;
    private @Nullable InboundPath[] inbound; // as wide as the highest number met asks for
    private final Agreement agreement;
    private final PathConfig config;
    private final PathTable table;
    private final ReceivePasses passes;
    private int reportCursor;
    private int lastReport = NO_REPORT; // number of the route the last report took

    PathSet(
            Agreement agreement,
            PathConfig config,
            int inboundMax,
            int sourcePorts,
            SlotSlab slab,
            Entropy entropy,
            ReceivePasses passes) {
        this.agreement = agreement;
        this.config = config;
        this.outbound = new Path[agreement.paths()];
        this.inboundMax = inboundMax;
        this.passes = passes;
        this.inbound = new InboundPath[outbound.length];
        this.table = new PathTable(
                outbound.length, config, slab, agreement.sendWindowPackets(), agreement.handshakeWaitNs());
        int[] ports = shuffledPorts(sourcePorts, entropy);
        CommonPlanes planes = agreement.planes();
        if (planes.count() > 1) {
            table.hasPlanes();
        }
        for (int i = 0; i < outbound.length; i++) {
            int plane = planes.inTurn(i);
            Route route = new Route(plane, ports[(i / planes.count()) % ports.length], planes.get(plane));
            outbound[i] = new Path(i, table, agreement.firstSendPsn(i), route);
        }
    }

    /** Every path begins in this epoch; before anything is sent. */
    void beginIn(int epoch) {
        for (Path path : outbound) {
            path.beginIn(epoch);
        }
    }

    int count() {
        return outbound.length;
    }

    Path outbound(int i) {
        return outbound[i];
    }

    int inboundMax() {
        return inboundMax;
    }

    /** No path that the peer has sent on has a number as high as this. */
    int inboundWidth() {
        return inbound.length;
    }

    /** The path the peer numbers {@code id}; made when its first packet comes. {@code id < inboundMax()}. */
    InboundPath inbound(int id) {
        InboundPath path = inboundOrNull(id);
        if (path == null) {
            if (id >= inbound.length) {
                inbound = Arrays.copyOf(inbound, Math.min(Integer.highestOneBit(id) * 2, inboundMax));
            }
            path = InboundPath.of(
                    id, agreement.firstReceivePsn(id), config.trackWindowPackets(), agreement.sackWords(), passes);
            inbound[id] = path;
        }
        return path;
    }

    /** The path the peer numbers {@code id}, or null if it has sent nothing on it. */
    @Nullable
    InboundPath inboundOrNull(int id) {
        return id < inbound.length ? inbound[id] : null;
    }

    /** The plane a path belongs to when all work, so that all planes carry alike. */
    int homePlane(int path) {
        return agreement.planes().inTurn(path);
    }

    /** Whether any path takes one of {@code planes}. */
    boolean hasRouteOn(int planes) {
        for (Path path : outbound) {
            if (path.isOn(planes)) {
                return true;
            }
        }
        return false;
    }

    /** The route the next report takes: another one each time, over healthy paths on {@code planes}. */
    Route nextReportRoute(int planes) {
        reportCursor = nextReporter(planes);
        lastReport = outbound[reportCursor].routeNumber();
        return outbound[reportCursor].route();
    }

    /** The path whose route the next report would take; one must have a route on {@code planes}. */
    int nextReporter(int planes) {
        // R-ACK-009: consecutive reports take different routes, so a bad reverse path never looks like a bad forward
        // one.
        for (int tries = 1; tries <= outbound.length; tries++) {
            int i = (reportCursor + tries) % outbound.length;
            Path path = outbound[i];
            // A borrowed route counts once.
            if (path.state() == PathState.ACTIVE && path.isOn(planes) && path.routeNumber() != lastReport) {
                return i;
            }
        }
        int only = reportCursor;
        while (!outbound[only].isOn(planes)) {
            only = (only + 1) % outbound.length;
        }
        return only;
    }

    long deadlineNs() {
        long earliest = table.deadlines().earliestNs(outbound);
        assert earliest == askAll() : "a path has changed its deadline and told nobody";
        return earliest;
    }

    /** Whether the timers of a path are due, as of the last {@link #deadlineNs}. */
    boolean isDue(long nowNs, int path) {
        return nowNs >= table.deadlines().atNs(path);
    }

    /** A path on a plane that waits for an answer, each {@code turn} another one, or null when none does. */
    @Nullable
    Path waitingOn(int plane, int turn) {
        int waiting = 0;
        for (Path path : outbound) {
            waiting += path.plane() == plane && path.unacked() > 0 ? 1 : 0;
        }
        int left = waiting == 0 ? 0 : turn % waiting;
        for (Path path : outbound) {
            if (path.plane() == plane && path.unacked() > 0 && left-- == 0) {
                return path;
            }
        }
        return null;
    }

    /** Whether any path has failed and found nobody to borrow from. */
    boolean hasFailed() {
        return table.deadlines().hasFailed();
    }

    /** When any path last delivered something; 0 if never. */
    long lastEvidenceNs() {
        return table.lastEvidenceNs();
    }

    /** The path whose echo is the newest of all that have delivered lately, or null when none has. */
    @Nullable
    Path newestEchoed(long nowNs) {
        int path = table.newestEchoed(nowNs);
        return path == PathTable.NO_PATH ? null : outbound[path];
    }

    /** Whether any path is suspect. */
    boolean hasSuspects() {
        return table.deadlines().hasSuspects();
    }

    private long askAll() {
        long earliest = Deadline.NEVER;
        for (Path path : outbound) {
            earliest = Math.min(earliest, path.deadlineNs());
        }
        return earliest;
    }

    boolean hasUnacked() {
        return table.pending().hasUnacked();
    }

    /** What waits on any of the outbound paths. */
    Pending pending() {
        return table.pending();
    }

    /** Which outbound paths lose more than bad luck explains. */
    LossTest losses() {
        return table.losses();
    }

    /** Marks of the outbound paths, round by round. */
    MarkRounds markRounds() {
        return table.markRounds();
    }

    void discard() {
        for (Path path : outbound) {
            path.discard();
        }
    }

    private static int[] shuffledPorts(int n, Entropy entropy) {
        int[] ports = new int[n];
        for (int i = 0; i < n; i++) {
            int j = entropy.nextInt(i + 1);
            ports[i] = ports[j];
            ports[j] = i;
        }
        return ports;
    }

    /** How much the ways of reports to this side differ. */
    WaysBack waysBack() {
        return waysBack;
    }
}

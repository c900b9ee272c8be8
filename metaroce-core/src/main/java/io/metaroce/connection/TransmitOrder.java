package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.path.Path;
import io.metaroce.path.SlotSlab;
import io.metaroce.rate.CongestionControl;

/** What leaves next: reports, control, probes, resends, new data, in this order. Each source fills one packet. */
final class TransmitOrder {
    /** What came of asking for a packet. */
    enum Poll {
        /** A packet was written. */
        SENT,
        /** Nothing to send, or no window for it: the next input or deadline may change that. */
        NOTHING,
        /** Only the pacer holds data back. */
        PACED,
        /** Only planes without room hold data back. */
        BLOCKED
    }

    private final Reports reports;
    private final PathSet paths;
    private final PacketSource source;
    private final CongestionControl congestion;
    private final SlotSender sender;
    private final PlaneWatch planes;
    private final PlaneProbes planeProbes;
    private final OwnRoutes routes;
    private final PayloadSearch payload;
    private int resendCursor;
    private int probeCursor;

    TransmitOrder(
            Reports reports,
            PathSet paths,
            PacketSource source,
            CongestionControl congestion,
            SlotSender sender,
            PlaneWatch planes,
            PlaneProbes planeProbes,
            OwnRoutes routes,
            PayloadSearch payload) {
        this.reports = reports;
        this.paths = paths;
        this.source = source;
        this.congestion = congestion;
        this.sender = sender;
        this.planes = planes;
        this.planeProbes = planeProbes;
        this.routes = routes;
        this.payload = payload;
    }

    Poll poll(long nowNs, int planesWithRoom, Transmit out) {
        if (reports.write(nowNs, planesWithRoom, out)
                || probe(nowNs, planesWithRoom, out)
                || planeProbes.write(nowNs, planesWithRoom, sender, out)
                || routes.write(nowNs, planesWithRoom, sender, out)
                || payload.write(nowNs, planesWithRoom, sender, out)) {
            return Poll.SENT;
        }
        Poll resend = resend(nowNs, planesWithRoom, out);
        if (resend == Poll.SENT || resend == Poll.PACED) {
            return resend;
        }
        // What waits for one plane holds nothing back on another, and is looked at again when its plane has room.
        Poll fresh = fresh(nowNs, planesWithRoom, out);
        return fresh == Poll.NOTHING && (resend == Poll.BLOCKED || isWaitingForPlane()) ? Poll.BLOCKED : fresh;
    }

    /**
     * Until when nothing will go before new data, unless something changes meanwhile; {@link Long#MIN_VALUE} while
     * something may.
     */
    long quietUntilNs(long nowNs) {
        boolean isSomethingWanted = reports.isDue(nowNs) || paths.pending().hasQueued() || isWaitingForPlane();
        return isSomethingWanted ? Long.MIN_VALUE : reports.deadlineNs();
    }

    private boolean isWaitingForPlane() {
        return paths.pending().hasProbes()
                || planeProbes.isWanted()
                || routes.isChallengeWanted()
                || payload.isChallengeWanted()
                || reports.isWaitingForPlane();
    }

    private boolean probe(long nowNs, int planesWithRoom, Transmit out) {
        if (!paths.pending().hasProbes()) {
            return false;
        }
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound((probeCursor + i) % paths.count());
            if (path.isProbeWanted() && hasPlane(path, planesWithRoom)) {
                probeCursor = path.id() + 1;
                sender.probe(nowNs, path, out);
                return true;
            }
        }
        return false;
    }

    private Poll resend(long nowNs, int planesWithRoom, Transmit out) {
        Poll result = Poll.NOTHING;
        if (!paths.pending().hasQueued()) {
            return result;
        }
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound((resendCursor + i) % paths.count());
            for (int slot = path.nextResend(); slot != SlotSlab.NONE; slot = path.nextResend()) {
                Poll verdict = mayResend(nowNs, path, planesWithRoom);
                if (verdict != Poll.SENT) {
                    result = verdict == Poll.NOTHING ? result : verdict;
                    break;
                }
                if (sender.resend(nowNs, path, slot, out)) {
                    resendCursor = path.id() + 1;
                    return Poll.SENT;
                }
            }
        }
        return result;
    }

    private Poll mayResend(long nowNs, Path path, int planesWithRoom) {
        if (!hasPlane(path, planesWithRoom)) {
            return Poll.BLOCKED;
        }
        if (path.isResendForced() && !congestion.isPaused(nowNs)) {
            return Poll.SENT;
        }
        // R-CC-003: resends stay within the windows, too.
        // R-HINT-009: the receiver's wish for silence holds for them, also for what a timeout brings along.
        int cost = path.nextResendCost();
        if (!congestion.pathHasRoom(path.id(), cost) || !congestion.connectionHasRoom(nowNs, cost)) {
            return Poll.NOTHING;
        }
        return congestion.paceAllows(nowNs) ? Poll.SENT : Poll.PACED;
    }

    /** Looks for new data alone: right while nothing goes before it. */
    Poll fresh(long nowNs, int planesWithRoom, Transmit out) {
        int length = source.peekLength(nowNs);
        // R-CC-003: in flight stays within the windows of connection and path.
        if (length == 0 || !congestion.connectionHasRoom(nowNs, length + CongestionControl.FRAME_OVERHEAD_BYTES)) {
            return Poll.NOTHING;
        }
        if (!congestion.paceAllows(nowNs)) {
            return Poll.PACED;
        }
        int usable = planes.usable();
        if (sender.sendNew(nowNs, length, planesWithRoom & usable, out)) {
            return Poll.SENT;
        }
        return (planesWithRoom & usable) == usable ? Poll.NOTHING : Poll.BLOCKED;
    }

    private static boolean hasPlane(Path path, int planesWithRoom) {
        return ((planesWithRoom >>> path.plane()) & 1) != 0;
    }
}

package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.rate.FairShare;
import io.metaroce.rate.InboundShare;

/** Everything this side reports to the peer: when, and in which packet. */
final class Reports {
    private final AckPolicy policy;
    private final AckWriter acks;
    private final ControlQueue queue;
    private final ControlWriter control;
    private final StreamPorts streams;
    private final InboundShare share;
    private final FairShare shares;
    private final SlotReceiver received;
    private final PlaneWatch planes;
    private final PlaneNews planeNews;
    private final Reporting reporting;
    private final Agreement agreement;
    private long againAtNs = Deadline.NEVER;
    private boolean newsWanted;
    private boolean waitsForPlane;

    Reports(
            AckPolicy policy,
            AckWriter acks,
            ControlQueue queue,
            ControlWriter control,
            StreamPorts streams,
            InboundShare share,
            FairShare shares,
            SlotReceiver received,
            PlaneWatch planes,
            PlaneNews planeNews,
            Reporting reporting,
            Agreement agreement) {
        this.policy = policy;
        this.acks = acks;
        this.queue = queue;
        this.control = control;
        this.streams = streams;
        this.share = share;
        this.shares = shares;
        this.received = received;
        this.planes = planes;
        this.planeNews = planeNews;
        this.reporting = reporting;
        this.agreement = agreement;
    }

    /** Streams have news that should travel soon. */
    void wantNews() {
        newsWanted = true;
    }

    /** The share of the peer has grown: it is told, unless an acknowledgement falls due by itself. */
    boolean wantHint() {
        if (policy.deadlineNs() != Deadline.NEVER) {
            return false;
        }
        // R-HINT-010: a report of its own, without blocks unless there is news of paths as well.
        policy.wantAtOnce();
        return true;
    }

    /** This side was paused; for {@code ns} its acknowledgements say so. */
    void onPaused(long nowNs, long ns) {
        acks.onPaused(nowNs, ns);
    }

    /** Writes the next report that is due; false when none is. */
    boolean write(long nowNs, int planesWithRoom, Transmit out) {
        // R-ACK-009, R-ACK-015: reports take the planes that are up in turn, and wait a little for one without room.
        int up = planes.usable();
        waitsForPlane = isDue(nowNs) && !reporting.mayLeave(nowNs, up, planesWithRoom & up);
        return !waitsForPlane && writeDue(nowNs, out);
    }

    /** Whether a report is due and only planes without room hold it back. */
    boolean isWaitingForPlane() {
        return waitsForPlane;
    }

    /** Whether a report should leave now. */
    boolean isDue(long nowNs) {
        return policy.isDue(nowNs) || !queue.isEmpty() || newsWanted || nowNs >= againAtNs || planeNews.isDue(nowNs);
    }

    private boolean writeDue(long nowNs, Transmit out) {
        if (planeNews.isDue(nowNs)) {
            control.writePlaneStatus(nowNs, out, planes.receiving(), planeNews.changed());
            planeNews.told(nowNs);
            return true;
        }
        if (policy.isDue(nowNs)) {
            policy.reported();
            newsWanted = false;
            againAtNs = Deadline.NEVER;
            int hint = share.hint(nowNs, agreement.handshakeRttNs());
            if (acks.write(nowNs, out, hint, planes.receiving(), received.payloadBytes())) {
                policy.wantAtOnce();
            }
            shares.tellNews(nowNs);
            return true;
        }
        if (!queue.isEmpty() && control.write(nowNs, out)) {
            return true;
        }
        if (newsWanted || nowNs >= againAtNs) {
            newsWanted = false;
            againAtNs = Deadline.NEVER;
            return writeNews(nowNs, out);
        }
        return false;
    }

    /** A report that has waited long enough for its plane is written to another one when there is room. */
    void onDeadline(long nowNs) {
        waitsForPlane &= nowNs < reporting.waitsUntilNs();
    }

    /** When {@link #onDeadline} has something to do. */
    long waitsUntilNs() {
        return waitsForPlane ? reporting.waitsUntilNs() : Deadline.NEVER;
    }

    /** When a report falls due by itself. */
    long deadlineNs() {
        return Math.min(Math.min(policy.deadlineNs(), againAtNs), planeNews.deadlineNs());
    }

    /** Told twice, as all news is, but not at the same instant, at which both copies would be lost together. */
    private boolean writeNews(long nowNs, Transmit out) {
        boolean written = control.writeCredit(nowNs, out);
        if (written && streams.updates().hasNews()) {
            againAtNs = nowNs + agreement.handshakeRttNs();
        }
        return written;
    }
}

package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.rate.InboundShare;

/** Everything this side reports to the peer: when, and in which packet. */
final class Reports {
    private final AckPolicy policy;
    private final AckWriter acks;
    private final ControlQueue queue;
    private final ControlWriter control;
    private final InboundShare share;
    private final SlotReceiver received;
    private final int planesUp;
    private final long rttNs;
    private boolean newsWanted;

    Reports(
            AckPolicy policy,
            AckWriter acks,
            ControlQueue queue,
            ControlWriter control,
            InboundShare share,
            SlotReceiver received,
            int planes,
            long rttNs) {
        this.policy = policy;
        this.acks = acks;
        this.queue = queue;
        this.control = control;
        this.share = share;
        this.received = received;
        this.planesUp = (1 << planes) - 1;
        this.rttNs = rttNs;
    }

    /** Streams have news that should travel soon. */
    void wantNews() {
        newsWanted = true;
    }

    /** Writes the next report that is due; false when none is. */
    boolean write(long nowNs, Transmit out) {
        if (policy.isDue(nowNs)) {
            policy.reported();
            newsWanted = false;
            if (acks.write(nowNs, out, share.hint(nowNs, rttNs), planesUp, received.payloadBytes())) {
                policy.wantAtOnce();
            }
            return true;
        }
        if (!queue.isEmpty() && control.write(nowNs, out)) {
            return true;
        }
        if (newsWanted) {
            newsWanted = control.writeCredit(nowNs, out);
            return newsWanted;
        }
        return false;
    }

    long deadlineNs() {
        return policy.deadlineNs();
    }
}

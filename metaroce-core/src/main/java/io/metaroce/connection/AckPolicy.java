package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.param.AckConfig;
import io.metaroce.path.InboundPath;

/** When a report is due: at once when something is unusual, otherwise after some packets, some bytes, or some time. */
public final class AckPolicy {
    private final AckConfig config;
    private long latestNs = Deadline.NEVER;
    private boolean atOnce;

    /** A policy with nothing due. */
    public AckPolicy(AckConfig config) {
        this.config = config;
    }

    /** Something the sender should hear of without delay. */
    public void wantAtOnce() {
        atOnce = true;
    }

    /** An ordinary slot has been accepted on a path whose round trip is about {@code rttNs}. */
    public void onAccepted(long nowNs, InboundPath path, long rttNs) {
        // R-ACK-003: an acknowledgement follows after so many packets, so many bytes, or so long.
        if (path.packetsSinceReport() >= config.everyPackets() || path.bytesSinceReport() >= config.everyBytes()) {
            atOnce = true;
        } else {
            latestNs = Math.min(latestNs, nowNs + Math.min(rttNs / 8, config.delayMaxNs()));
        }
    }

    /** Whether a report should leave now. */
    public boolean isDue(long nowNs) {
        return atOnce || nowNs >= latestNs;
    }

    /** A report has left. */
    public void reported() {
        atOnce = false;
        latestNs = Deadline.NEVER;
    }

    /** When a report falls due by itself. */
    public long deadlineNs() {
        return latestNs;
    }
}

package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.param.AckConfig;
import io.metaroce.path.InboundPath;

/** When a report is due: at once when something is unusual, otherwise after some packets, some bytes, or some time. */
public final class AckPolicy {
    private final AckConfig config;
    private final Deadline delay = new Deadline();
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
            delay.armEarlier(nowNs + Math.min(rttNs / 8, config.delayMaxNs()));
        }
    }

    /** Whether a report should leave now. */
    public boolean isDue(long nowNs) {
        return atOnce || delay.isDue(nowNs);
    }

    /** A report has left. */
    public void reported() {
        atOnce = false;
        delay.cancel();
    }

    /** When a report falls due by itself. */
    public long deadlineNs() {
        return delay.atNs();
    }
}

package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.param.AckConfig;
import io.metaroce.param.Reception;
import io.metaroce.path.InboundPath;
import io.metaroce.path.ReceivePasses;

/** When a report is due: at once when something is unusual, otherwise after some packets, some bytes, or some time. */
public final class AckPolicy {
    private final AckConfig config;
    private final ReceivePasses passes;
    private long latestNs = Deadline.NEVER;
    private long heldNs = Deadline.NEVER; // looked at last while a report had to wait for a pass
    private boolean atOnce;
    private @Bits(32) int firstPass; // under way when a report was wanted at once
    private @Bits(32) int lastPass; // the same, when one was wanted last

    /** A policy with nothing due. */
    public AckPolicy(AckConfig config) {
        this(config, new ReceivePasses(Reception.USUAL));
    }

    /** The same where evidence has to be held back for a pass. */
    AckPolicy(AckConfig config, ReceivePasses passes) {
        this.config = config;
        this.passes = passes;
    }

    /** Something the sender should hear of without delay. */
    public void wantAtOnce() {
        lastPass = passes.mark();
        if (!atOnce) {
            firstPass = lastPass;
        }
        atOnce = true;
    }

    /** An ordinary slot has been accepted on a path whose round trip is about {@code rttNs}. */
    public void onAccepted(long nowNs, InboundPath path, long rttNs) {
        // R-ACK-003: an acknowledgement follows after so many packets, so many bytes, or so long.
        if (path.packetsSinceReport() >= config.everyPackets() || path.bytesSinceReport() >= config.everyBytes()) {
            wantAtOnce();
        } else {
            latestNs = Math.min(latestNs, nowNs + Math.min(rttNs / 8, config.delayMaxNs()));
        }
    }

    /** Whether a report should leave now. */
    public boolean isDue(long nowNs) {
        // R-ACK-013: one pass later the report can tell the stamp that it is sent for.
        boolean isHeld = atOnce && !passes.isMature(firstPass);
        heldNs = isHeld ? nowNs : Deadline.NEVER;
        return (atOnce && !isHeld) || nowNs >= latestNs;
    }

    /** A report has left. */
    public void reported() {
        // What was wanted since the last pass ended has not been told with its stamp.
        atOnce = atOnce && !passes.isMature(lastPass);
        firstPass = lastPass;
        latestNs = Deadline.NEVER;
        heldNs = Deadline.NEVER;
    }

    /** When a report falls due by itself; one that waits for a pass asks to be looked at without delay. */
    public long deadlineNs() {
        return Math.min(latestNs, heldNs);
    }
}

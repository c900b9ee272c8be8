package io.metaroce.connection;

import io.metaroce.datagram.Route;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.StampClock;
import io.metaroce.path.Path;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.Tail;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;

/** Puts packets on a path: a new slot, a slot once more, a probe. Stamp and epoch come last. */
final class SlotSender implements TxSlots.Outcome {
    private static final int KEEPALIVE_BYTES = 64;

    private final PathSet paths;
    private final PacketSource source;
    private final CongestionControl congestion;
    private final PathScheduler scheduler;
    private final Agreement agreement;
    private final Seal seal;
    private final Counters counters;
    private final SlotSlab slab;
    private final Scratch scratch;
    private long nowNs; // of the packet being sent
    private int keepalivePath = PathScheduler.NONE; // whose next probe says that it is one

    SlotSender(
            PathSet paths,
            StreamPorts streams,
            CongestionControl congestion,
            PathScheduler scheduler,
            Agreement agreement,
            SlotSlab slab,
            Seal seal,
            Scratch scratch,
            Counters counters) {
        this.paths = paths;
        this.source = streams.source();
        this.congestion = congestion;
        this.scheduler = scheduler;
        this.agreement = agreement;
        this.slab = slab;
        this.seal = seal;
        this.scratch = scratch;
        this.counters = counters;
    }

    /** Sends the next new packet of the source on a path that the scheduler chooses; false when none has room. */
    boolean sendNew(long now, int length, int planesWithRoom, Transmit out) {
        int cost = length + seal.overheadBytes() + CongestionControl.FRAME_OVERHEAD_BYTES;
        int chosen = scheduler.select(now, cost, planesWithRoom);
        if (chosen == PathScheduler.NONE) {
            return false;
        }
        Path path = paths.outbound(chosen);
        int slot = path.open();
        if (slot == SlotSlab.NONE) {
            return false;
        }
        source.fill(now, slot, out);
        assert out.length() == length : "announced " + length + " bytes, wrote " + out.length();
        // R-ACK-016: nothing follows before this burst is heard of, so its last packet asks.
        boolean asks = congestion.standsAfter(cost) && source.queuedBytes() > 0;
        finish(now, path, slot, asks ? BaseHeader.A : 0, out);
        scheduler.taken(chosen, cost);
        counters.increment(Counter.TX_SLOTS);
        return true;
    }

    /**
     * Sends a queued slot of {@code path} once more; false when it turned out to be settled, and nothing was written.
     */
    boolean resend(long now, Path path, int slot, Transmit out) {
        // R-LOSS-002: only unacknowledged slots are sent again, and only on the path that lost them.
        if (!source.refill(now, slot, out)) {
            // R-ACK-011: NextMSN has settled the message; its memory is not read again.
            nowNs = now;
            path.settle(slot, this);
            return false;
        }
        // R-PATH-007: same path and PSN, R set, new stamp, current epoch.
        finish(now, path, slot, BaseHeader.R, out);
        return true;
    }

    /** The next probe of a path is a keepalive. */
    void keepaliveOn(int path) {
        keepalivePath = path;
    }

    /** Sends an in-path probe. */
    void probe(long now, Path path, Transmit out) {
        boolean keepalive = path.id() == keepalivePath;
        // R-CONN-007: a keepalive is long enough to draw a RESET of a peer that has restarted.
        Seal.blank(out, keepalive ? KEEPALIVE_BYTES - Transmit.TRAILER_BYTES : ProbeHeader.LENGTH);
        keepalivePath = keepalive ? PathScheduler.NONE : keepalivePath;
        scratch.probe
                .wrap(out.header(), 0)
                .flags(keepalive ? ProbeHeader.IN_PATH | ProbeHeader.KEEPALIVE : ProbeHeader.IN_PATH)
                .plane(path.plane());
        seal.begin(out, Opcode.PROBE)
                .pathId(path.id())
                .pathEpoch(path.epoch())
                .dstConnId(agreement.peerId())
                .psn(path.nextPsn())
                .txStamp(path.takeStamp(now));
        leave(out, path);
        path.probed();
        counters.increment(Counter.PROBES_SENT);
    }

    /** Sends a challenge on {@code route}, in the name of a path whose state it leaves alone. */
    void challenge(long now, Path path, Route route, long challenge, Transmit out) {
        Seal.blank(out, ProbeHeader.LENGTH);
        challenge(now, path, route, challenge, ProbeHeader.CHALLENGE, out);
    }

    /**
     * The same as long as the longest packet with so much payload, so that a route too narrow for that does not answer.
     */
    void challengePadded(long now, Path path, Route route, long challenge, int payloadBytes, Transmit out) {
        Seal.blank(out, ProbeHeader.LENGTH);
        out.payload(scratch.padding(), 0, Scratch.paddingBytes(payloadBytes));
        challenge(now, path, route, challenge, ProbeHeader.CHALLENGE | ProbeHeader.PADDED, out);
    }

    private void challenge(long now, Path path, Route route, long challenge, int flags, Transmit out) {
        scratch.probe.wrap(out.header(), 0).flags(flags).plane(route.plane()).challenge(challenge);
        seal.begin(out, Opcode.PROBE)
                .pathId(path.id())
                .pathEpoch(path.epoch())
                .dstConnId(agreement.peerId())
                .txStamp(StampClock.at(now));
        out.trafficClass(TrafficClass.DATA);
        out.route(route);
        seal.close(out, agreement.sendSeed());
        counters.increment(Counter.PROBES_SENT);
    }

    private void finish(long now, Path path, int slot, int flags, Transmit out) {
        int stamp = path.takeStamp(now);
        int cost = out.length() + seal.overheadBytes() + CongestionControl.FRAME_OVERHEAD_BYTES;
        int allFlags = path.isFirstOfEpoch() ? flags | BaseHeader.A : flags;
        seal.begun(out).complete(allFlags, path.id(), path.epoch(), agreement.peerId(), slab.psn(slot), stamp);
        leave(out, path);
        Tail tail = source.queuedBytes() > 0 ? Tail.MORE_COMES : Tail.LAST;
        path.sent(now, slot, stamp, cost, agreement.peerAckDelayNs(), tail);
        congestion.onSent(now, path.id(), cost);
    }

    private void leave(Transmit out, Path path) {
        // R-HDR-013: slots and probes share one traffic class, so that a probe shares the queue it testifies about.
        out.trafficClass(TrafficClass.DATA);
        out.route(path.route());
        seal.close(out, agreement.sendSeed());
    }

    @Override
    public void acked(int slot) {
        source.acked(nowNs, slot);
    }

    @Override
    public void lost(int slot) {
        throw new IllegalStateException("sending loses nothing");
    }
}

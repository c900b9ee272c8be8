package io.metaroce.connection;

import io.metaroce.num.Minifloat;
import io.metaroce.path.Arrival;
import io.metaroce.path.InboundPath;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.InboundShare;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import org.jspecify.annotations.Nullable;

/** The receive pipeline of slot packets from the window on: echo, count, duplicate or not, hand over, acknowledge. */
final class SlotReceiver {
    private static final int BEYOND_WINDOW_MAX = 64;

    private final PathSet paths;
    private final PacketSink sink;
    private final AckPolicy policy;
    private final InboundShare share;
    private final AckReader reader;
    private final Counters counters;
    private final long rttNs;
    private final int overheadBytes; // of a packet on the link beyond its plain form
    private long payloadBytes;
    private int beyondWindow; // slots that came beyond the window of their path
    private int pathsWithHole;

    SlotReceiver(
            PathSet paths,
            PacketSink sink,
            AckPolicy policy,
            InboundShare share,
            AckReader reader,
            Counters counters,
            long rttNs,
            int encryptionBytes) {
        this.paths = paths;
        this.sink = sink;
        this.policy = policy;
        this.share = share;
        this.reader = reader;
        this.counters = counters;
        this.rttNs = rttNs;
        this.overheadBytes = CongestionControl.FRAME_OVERHEAD_BYTES + encryptionBytes;
    }

    /** Runs one slot packet to its end. Returns why it was dropped, or null when its slot was consumed or known. */
    @Nullable
    DropReason onSlot(long nowNs, PacketView packet) {
        BaseHeader base = packet.base();
        if (base.pathId() >= paths.inboundMax()) {
            return DropReason.PROTOCOL;
        }
        InboundPath path = paths.inbound(base.pathId());
        share.onArrival(
                nowNs,
                packet.datagram().length() + overheadBytes,
                packet.datagram().plane());
        boolean wasPoliced = share.isPoliced();
        boolean excess = share.isExcess(nowNs);
        if (share.isPoliced() && !wasPoliced) {
            counters.increment(Counter.SENDERS_POLICED);
        }
        if (excess) {
            return DropReason.POLICED;
        }
        boolean hadHole = path.hasHole();
        Arrival arrival = path.onSlot(base.psn());
        if (arrival == Arrival.ABOVE_WINDOW) {
            // R-PATH-004: dropped unplaced and reported; its stamp is no evidence.
            policy.wantAtOnce();
            beyondWindow++;
            return DropReason.WINDOW;
        }
        boolean urgent = path.onStamp(nowNs, base.txStamp(), base.pathEpoch(), packet.isMarked());
        if (packet.isMarked()) {
            counters.increment(Counter.RX_MARKED);
        }
        // R-ACK-002: these are acknowledged without delay.
        if (urgent || base.wantsAck()) {
            policy.wantAtOnce();
        }
        if (!arrival.isNew()) {
            // R-PATH-005: a duplicate is counted and acknowledged, and has no further effect.
            // R-MEM-001: whatever epoch or route it comes by.
            counters.increment(Counter.RX_DUPLICATES);
            policy.wantAtOnce();
            return null;
        }
        counters.increment(Counter.RX_SLOTS);
        if (arrival == Arrival.OUT_OF_ORDER || hadHole) {
            counters.increment(Counter.RX_OUT_OF_SEQUENCE);
        }
        pathsWithHole += (path.hasHole() ? 1 : 0) - (hadHole ? 1 : 0);
        // R-ACK-001: a new hole is reported without delay, also above another one.
        if (path.hasOpenedHole()) {
            policy.wantAtOnce();
        }
        accept(nowNs, packet, path);
        return null;
    }

    private void accept(long nowNs, PacketView packet, InboundPath path) {
        if (isRequest(packet.opcode())) {
            share.onDemand(
                    nowNs,
                    Minifloat.decodeDemand(packet.message().demand()),
                    packet.base().txStamp());
        }
        if (packet.opcode() == Opcode.READ_RESP) {
            share.onDemand(
                    nowNs,
                    Minifloat.decodeDemand(packet.readResponse().demand()),
                    packet.base().txStamp());
        }
        if (packet.opcode() == Opcode.READ_REQ) {
            reader.onReadHint(nowNs, packet.readRequest());
        }
        path.onAccepted(packet.datagram().length());
        payloadBytes += packet.payloadLength();
        // R-SACK-002: the slot counts as accepted once the sink has placed or dropped its payload for good.
        if (sink.accept(nowNs, packet) == PacketSink.Urgency.AT_ONCE) {
            policy.wantAtOnce();
            if (pathsWithHole == 0) {
                share.onDrained();
            }
        } else {
            policy.onAccepted(nowNs, path, rttNs);
        }
    }

    /** Whether so many slots came beyond the windows that the peer cannot be keeping to them. */
    boolean isWindowIgnored() {
        return beyondWindow >= BEYOND_WINDOW_MAX;
    }

    private static boolean isRequest(int opcode) {
        return opcode >= Opcode.WRITE && opcode <= Opcode.ATOMIC_REQ;
    }

    /** Payload bytes accepted so far. */
    long payloadBytes() {
        return payloadBytes;
    }
}

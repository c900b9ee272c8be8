package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Minifloat;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;
import io.metaroce.path.Path;
import io.metaroce.path.PathEvent;
import io.metaroce.path.SlotSlab;
import io.metaroce.path.TxSlots;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.RateSignal;
import io.metaroce.trace.Counter;
import io.metaroce.trace.Counters;
import io.metaroce.trace.DropReason;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.ReadRequestHeader;
import org.jspecify.annotations.Nullable;

/** Applies reports: first to the path, then to its window, then to the streams. */
final class AckReader implements TxSlots.Outcome {
    /** What a report carries. */
    enum Kind {
        /** Path blocks, a hint, and updates of streams. */
        ACK,
        /** Updates of streams only. */
        STREAMS_ONLY
    }

    private static final int STALE_DISTANCE = 1 << 20;
    private static final int WORD_BITS = 64;

    private final PathSet paths;
    private final StreamPorts streams;
    private final CongestionControl congestion;
    private final PathScheduler scheduler;
    private final SlotSlab slab;
    private final Agreement agreement;
    private final ReportTold told;
    private final Counters counters;
    private final TransportEvents events;
    private final RateSignal signal;
    private int hintCode = Minifloat.HINT_NONE; // what was told last
    private @Bits(32) int newestAckSeq;
    private @Bits(32) int hintAckSeq; // of the report whose hint rules
    private long nowNs; // of the report being applied
    private int current; // path of the block being applied
    private int cleanAcks;
    private int losses;
    private boolean ofThisRoute; // the block being applied is of the current epoch
    private @Bits(32) int resumedAt; // stamp of the end of this side's last pause
    private long distrustUntilNs;

    AckReader(
            PathSet paths,
            StreamPorts streams,
            CongestionControl congestion,
            PathScheduler scheduler,
            SlotSlab slab,
            RateSignal signal,
            Agreement agreement,
            ReportTold told,
            Counters counters,
            TransportEvents events) {
        this.paths = paths;
        this.streams = streams;
        this.congestion = congestion;
        this.scheduler = scheduler;
        this.slab = slab;
        this.agreement = agreement;
        this.told = told;
        this.signal = signal;
        this.counters = counters;
        this.events = events;
    }

    /** The peer numbers its reports from the one after {@code ackSeq} on; before the first. */
    void beginAfter(int ackSeq) {
        newestAckSeq = ackSeq;
        hintAckSeq = ackSeq;
    }

    /**
     * Applies one report packet (ACK, CREDIT, STREAM_STATUS).
     *
     * @return why it was dropped, or null; {@link DropReason#PROTOCOL} means that the peer broke the protocol
     */
    @Nullable
    DropReason onReport(long now, PacketView packet, Kind kind) {
        if (isStale(packet)) {
            return DropReason.STALE_REPORT;
        }
        int ackSeq = packet.base().psn();
        int ahead = Serial32.distance(newestAckSeq, ackSeq);
        boolean newest = ahead > 0;
        if (newest) {
            newestAckSeq = ackSeq;
        }
        if (kind == Kind.ACK) {
            if ((packet.ack().ackFlags() & AckHeader.PAUSED) == 0) {
                paths.waysBack()
                        .onReport(
                                now, packet.base().txStamp(), paths.outbound(0).smoothedRttNs());
            }
            DropReason fault = onAck(now, packet, newest);
            if (fault != null) {
                return fault;
            }
        }
        UpdateSink.Freshness freshness = freshness(ahead);
        for (int i = 0; i < packet.streamUpdateCount(); i++) {
            streams.updateSink().onUpdate(now, packet.streamUpdate(i), freshness);
        }
        streams.updateSink().onReportRead(now);
        return null;
    }

    /** Applies news of the peer's planes, unless a newer report has been heard. */
    void onPlaneStatus(long now, PacketView packet) {
        if (Serial32.distance(newestAckSeq, packet.base().psn()) > 0) {
            newestAckSeq = packet.base().psn();
            told.onPlanes(now, packet.planeStatus().planeUp());
        }
    }

    /** Applies a refusal; its number counts like that of any report. */
    void onNak(long now, PacketView packet) {
        int ahead = Serial32.distance(newestAckSeq, packet.base().psn());
        if (ahead > 0) {
            newestAckSeq = packet.base().psn();
        }
        streams.updateSink().onNak(now, packet.nak(), freshness(ahead));
    }

    /** Whether a report's number is so far from the newest that it is none: a blind forger does not know that one. */
    boolean isStale(PacketView packet) {
        int ahead = Serial32.distance(newestAckSeq, packet.base().psn());
        return ahead > STALE_DISTANCE || ahead < -STALE_DISTANCE;
    }

    private static UpdateSink.Freshness freshness(int ahead) {
        return ahead >= 0 ? UpdateSink.Freshness.NEWEST : UpdateSink.Freshness.OLDER;
    }

    private @Nullable DropReason onAck(long now, PacketView packet, boolean newest) {
        nowNs = now;
        counters.increment(Counter.ACKS_RECEIVED);
        int count = packet.pathBlockCount();
        for (int i = 0; i < count; i++) {
            PathBlock block = packet.pathBlock(i);
            if (!isCredible(block)) {
                return DropReason.PROTOCOL;
            }
            Path path = paths.outbound(block.pathId());
            boolean evidence = onFirstBlock(path, block, newest, isMeasure(packet, block));
            while (i + 1 < count && packet.pathBlock(i + 1).pathId() == path.id()) {
                i++;
                block = packet.pathBlock(i);
                if (!isCredible(block)) {
                    return DropReason.PROTOCOL;
                }
                onView(path, block, evidence);
            }
            onBlocksRead(path);
        }
        // R-ACK-006, R-HINT-007: only the newest report sets hint and planes.
        int ackSeq = packet.base().psn();
        if (newest && Serial32.isAfter(ackSeq, hintAckSeq)) {
            hintAckSeq = ackSeq;
            congestion.onReportedHint(now, packet.ack().rateHint());
            tell(now, packet.ack().rateHint());
        }
        if (newest) {
            told.onPlanes(now, packet.ack().planeUp());
        }
        for (int i = 0; i < packet.probeEchoCount(); i++) {
            told.onEcho(now, packet.probeEcho(i));
        }
        return null;
    }

    /** A Read brings the share that its answer may use: it counts unless a newer report has spoken. */
    void onReadHint(long now, ReadRequestHeader read) {
        // R-HINT-007: as new as the report it names, or newer, and it takes that place in the comparison.
        short ahead = (short) (read.hintSeq() - hintAckSeq);
        if (ahead >= 0 && read.rateHint() != 0) {
            hintAckSeq += ahead;
            congestion.onRequestedHint(now, read.rateHint(), Integer.toUnsignedLong(read.length()), agreement.peerId());
            tell(now, read.rateHint());
        }
    }

    private void tell(long now, int hint) {
        if (hint != hintCode && hint != Minifloat.HINT_NONE) {
            hintCode = hint;
            events.hintChanged(now, agreement.localId(), Minifloat.decodeHint(hint));
        }
    }

    private boolean isCredible(PathBlock block) {
        return block.pathId() < paths.count() && paths.outbound(block.pathId()).isCredible(block);
    }

    /** Whether the time from the echoed stamp to now is that of the way. */
    private boolean isMeasure(PacketView packet, PathBlock block) {
        // R-ACK-012: a pause at either side is no time on the way.
        boolean peerWasPaused = (packet.ack().ackFlags() & AckHeader.PAUSED) != 0;
        boolean sentBeforeOwnPause = nowNs < distrustUntilNs && !Serial32.isAfter(block.echoStamp(), resumedAt);
        return !peerWasPaused && !sentBeforeOwnPause;
    }

    /** This side was paused; for {@code ns} what was sent before is no measure of time. */
    void onPaused(long now, long ns) {
        resumedAt = StampClock.at(now);
        distrustUntilNs = now + ns;
    }

    /** Applies the first block of a path; answers whether it was evidence of the current epoch. */
    private boolean onFirstBlock(Path path, PathBlock block, boolean newest, boolean sampled) {
        current = path.id();
        cleanAcks = 0;
        losses = 0;
        ofThisRoute = block.epoch() == path.epoch();
        if (!ofThisRoute && path.isMoveRefutedBy(nowNs, block)) {
            counters.increment(Counter.REBIND_SPURIOUS);
        }
        signal.reset();
        path.merge(nowNs, block, this);
        // R-LOSS-007: a block of another epoch, or an old report, releases slots and is evidence of nothing.
        boolean isNews = path.isEvidence(block);
        boolean evidence = newest && isNews;
        if (evidence) {
            long rttNs = path.onEvidence(
                    nowNs, block, sampled, agreement.sackWords() * WORD_BITS, agreement.peerAckDelayNs(), this);
            signal.marks(path.rxDelta(), path.ceDelta());
            signal.rtt(rttNs, path.smoothedRttNs(), path.baseRttNs(), path.roundMinRttNs());
            counters.add(Counter.SPURIOUS_RETRANSMIT, path.duplicatesDelta());
            if (path.ceDelta() > 0) {
                counters.increment(Counter.TX_MARKS_SEEN);
            }
            path.on(PathEvent.DELIVERED, nowNs);
        } else if (isNews) {
            // Overtaken by a report on another route, it judges nothing, but what it acknowledges has arrived.
            path.onOvertakenEvidence(nowNs, agreement.peerAckDelayNs());
            path.on(PathEvent.DELIVERED, nowNs);
        }
        return evidence;
    }

    /** Applies a further block of the same path: another part of what has come, of the same instant. */
    private void onView(Path path, PathBlock block, boolean evidence) {
        path.merge(nowNs, block, this);
        if (evidence) {
            path.judge(nowNs, block, agreement.sackWords() * WORD_BITS, this);
        }
    }

    private void onBlocksRead(Path path) {
        // Only evidence tells of marks: what else is acknowledged is not called marked by the marks of a report before.
        boolean isMarked = signal.cePacketsDelta() > 0;
        if (ofThisRoute) {
            // R-HEALTH-007: marks and delay make a loss one of congestion.
            paths.losses().onReport(current, cleanAcks, losses, isMarked || path.isQueued());
        }
        congestion.onSignal(nowNs, current, signal);
        for (; cleanAcks > 0 && !isMarked; cleanAcks--) {
            scheduler.onClean(current);
        }
    }

    @Override
    public void acked(int slot) {
        if (slab.isInFlight(slot)) {
            congestion.onLeft(current, slab.costBytes(slot));
        }
        signal.acked(slab.costBytes(slot));
        cleanAcks++;
        streams.source().acked(nowNs, slot);
    }

    @Override
    public void lost(int slot) {
        congestion.onLeft(current, slab.costBytes(slot));
        signal.lost(slab.costBytes(slot));
        paths.outbound(current).countLost();
        losses++;
        counters.increment(Counter.RETRANSMIT_GAP);
        events.slotLost(nowNs, agreement.localId(), current, slab.psn(slot));
    }
}

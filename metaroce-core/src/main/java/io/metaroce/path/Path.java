package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;

import io.metaroce.datagram.Route;
import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;
import io.metaroce.param.PathConfig;
import io.metaroce.wire.PathBlock;
import org.jspecify.annotations.Nullable;

/**
 * One path as its sender sees it: may a slot be opened, what must be sent again, when to ask.
 *
 * <p>The number of a path and its PSN space live as long as the connection; its route may change.
 */
public final class Path {
    /** Probe timeouts in a row after which the lowest slot goes along with the probe. */
    public static final int TIMEOUTS_TO_RESEND = 4;

    private static final int WINDOW_SHARE = 4;
    private static final int PATIENCE_SHARE = 4;
    private static final int IDLE_PROBE_ROUNDS = 100;

    private final int id;
    private final int windowPackets;
    private final int inFlightPacketsMax;
    private final long idleProbeNs;
    private final SlotSlab slab;
    private final TxSlots slots;
    private final TxStamps stamps = new TxStamps();
    private final RttEstimator rtt;
    private final ProbeTimer timer;
    private final CounterEcho counters = new CounterEcho();
    private final PathStats stats = new PathStats();
    private final PathHealth health = new PathHealth();
    private final PathRoute way;
    private @Nullable ReorderTolerance reorder; // once it was needed
    private Candidate candidate = Candidate.NOBODY;
    private final LossTest losses = new LossTest();
    private final MarkRounds markRounds = new MarkRounds();
    private @Nullable Departure departure; // once it has left a route
    private @Bits(32) int newestEcho; // meaningful once echoed
    private boolean echoed;
    private boolean probeWanted;
    private Pending pending = new Pending();
    private boolean resendForced;
    private boolean firstOfEpoch;
    private @Nullable PathDeadlines deadlines;

    /**
     * A path that starts at {@code firstPsn} on {@code route}, with the round-trip time of the handshake.
     *
     * @param windowPackets slots that the receiver tells apart
     */
    public Path(
            int id,
            PathConfig config,
            SlotSlab slab,
            int firstPsn,
            int windowPackets,
            Route route,
            long handshakeRttNs) {
        this.id = id;
        this.slab = slab;
        this.windowPackets = windowPackets;
        this.idleProbeNs = config.idleProbeNs();
        this.inFlightPacketsMax = Math.min(config.inFlightPacketsMax(), windowPackets / WINDOW_SHARE);
        this.slots = new TxSlots(slab, firstPsn);
        this.rtt = new RttEstimator(handshakeRttNs);
        this.timer = new ProbeTimer(config);
        this.way = new PathRoute(route);
    }

    /** The epoch of its first route; before anything is sent. */
    public void beginIn(int epoch) {
        way.beginIn(epoch);
    }

    /** What waits on this path counts in {@code shared} from now on; before anything is sent. */
    public void countIn(Pending shared) {
        pending = shared;
        slots.countIn(shared);
    }

    /** Changes that may move its deadline are told to {@code shared} from now on. */
    public void tellTo(PathDeadlines shared) {
        deadlines = shared;
        health.tellTo(shared, id);
    }

    // ---- sending

    /** Whether a new slot may be opened: state, window and store allow it. */
    public boolean hasRoom() {
        // R-PATH-003: no slot is created at or beyond CumPSN + Wt.
        // R-PATH-009: and few enough are unacknowledged that a loss seldom fills the window.
        return health.carriesNewSlots()
                && slots.unacked() < inFlightPacketsMax
                && slots.span() < windowPackets
                && slab.available() > 0;
    }

    /** Opens a slot; {@link #hasRoom()} must hold. */
    public int open() {
        deadlineChanged();
        int slot = slots.open();
        stats.slots++;
        return slot;
    }

    /** The stamp of the next transmission, slot or in-path probe. */
    public int takeStamp(long nowNs) {
        deadlineChanged();
        if (stamps.isIdle(nowNs)) {
            // R-PATH-019: after 16 s both ends take the stamp unconditionally; what was echoed before is no measure.
            echoed = false;
        }
        return stamps.next(nowNs);
    }

    /** A slot has been sent with {@code stamp}. */
    public void sent(long nowNs, int slot, int stamp, int costBytes, long peerAckDelayNs, Tail tail) {
        deadlineChanged();
        slots.transmitted(slot, stamp, way.epoch(), costBytes);
        stats.transmissions++;
        resendForced = false;
        firstOfEpoch = false;
        timer.onSlotSent(nowNs, rtt, timer.timeoutNs(rtt, peerAckDelayNs), tail);
    }

    /** An in-path probe has been sent. */
    public void probed() {
        deadlineChanged();
        slots.probed(stamps.last());
        wantProbe(false);
        stats.probes++;
        timer.onProbeSent();
    }

    /** The slot to send again next, or NONE. A suspect path resends only what a probe timeout asks for. */
    public int nextResend() {
        return resendForced || health.resends() ? slots.firstQueued() : NONE;
    }

    /** Cost in bytes of the slot that {@link #nextResend} names, as it was last sent. */
    public int nextResendCost() {
        int slot = slots.firstQueued();
        return slot == NONE ? 0 : slab.costBytes[slot];
    }

    /** Whether the next packet is the first one on a new route; it asks to be acknowledged at once. */
    public boolean isFirstOfEpoch() {
        return firstOfEpoch;
    }

    /** Whether the next resend goes out although the window is full. */
    public boolean isResendForced() {
        return resendForced;
    }

    /** Whether an in-path probe should be sent. */
    public boolean isProbeWanted() {
        return probeWanted;
    }

    /** Asks for an in-path probe. */
    public void wantProbe() {
        wantProbe(true);
    }

    // ---- evidence

    /** Whether a block can be the truth: nothing in it was never sent. */
    public boolean isCredible(PathBlock block) {
        int cum = block.cumPsn();
        int highest = block.words() == 0 ? cum : cum + block.sackOffset() + highestBit(block) + 1;
        // R-ACK-007: a slot or a stamp that was never sent cannot be acknowledged.
        return !Serial32.isAfter(cum, slots.nextPsn())
                && !Serial32.isAfter(highest, slots.nextPsn())
                && stamps.isSent(block.echoStamp());
    }

    /** Releases what the block acknowledges; all that an old report or one of another epoch is good for. */
    public void merge(long nowNs, PathBlock block, TxSlots.Outcome outcome) {
        slots.merge(block, outcome);
        int spurious = slots.takeSpurious();
        if (spurious > 0) {
            stats.spurious += spurious;
            if (reorder == null) {
                reorder = new ReorderTolerance(nowNs + rtt.smoothedNs());
            }
            reorder.onSpurious();
        }
        restIfDone();
    }

    /** Whether the block brings delivery evidence: current epoch and a stamp not echoed before. */
    public boolean isEvidence(PathBlock block) {
        if (block.epoch() != way.epoch()) {
            return false;
        }
        // Before the first echo of a stretch the newest one belongs to another route, or to another turn of the clock.
        return echoed ? Serial32.isAfter(block.echoStamp(), newestEcho) : stamps.isOfThisStretch(block.echoStamp());
    }

    /**
     * Takes the evidence of a merged block: round-trip time, counters, losses, timers.
     *
     * @return the round-trip sample in ns, or 0 when the block gives none
     */
    public long onEvidence(
            long nowNs,
            PathBlock block,
            boolean sampled,
            int coveredPackets,
            long peerAckDelayNs,
            TxSlots.Outcome outcome) {
        deadlineChanged();
        newestEcho = block.echoStamp();
        echoed = true;
        counters.onBlock(block);
        stats.marks += counters.ceDelta();
        markRounds.onBlock(counters.rxDelta(), counters.ceDelta());
        stats.duplicates += counters.duplicatesDelta();
        long rttNs = sampled ? sampleNs(nowNs, block) : 0;
        if (rttNs > 0) {
            rtt.onSample(nowNs, rttNs);
        }
        if (reorder != null) {
            reorder.onEvidence(nowNs, rtt.smoothedNs());
        }
        judge(nowNs, block, coveredPackets, outcome);
        timer.onEvidence(nowNs, timer.plainTimeoutNs(rtt, peerAckDelayNs));
        health.onEvidence(nowNs);
        restIfDone();
        return rttNs;
    }

    /** A report that another one has overtaken shows that the path delivers. */
    public void onOvertakenEvidence(long nowNs, long peerAckDelayNs) {
        deadlineChanged();
        timer.onEvidence(nowNs, timer.plainTimeoutNs(rtt, peerAckDelayNs));
        health.onEvidence(nowNs);
        restIfDone();
    }

    /** Judges by another block of the report whose first block about this path was evidence. */
    public void judgeView(long nowNs, PathBlock block, int coveredPackets, TxSlots.Outcome outcome) {
        judge(nowNs, block, coveredPackets, outcome);
    }

    private void judge(long nowNs, PathBlock block, int coveredPackets, TxSlots.Outcome outcome) {
        deadlineChanged();
        ReorderTolerance tolerance = reorder;
        if (tolerance == null || tolerance.packets() == 0) {
            LossRule.judge(slots, slab, block, way.epoch(), coveredPackets, outcome);
        } else {
            LossRule.judgePatiently(
                    nowNs, slots, slab, block, way.epoch(), coveredPackets, tolerance, patienceNs(), outcome);
        }
    }

    private long patienceNs() {
        return rtt.baseNs() / PATIENCE_SHARE;
    }

    /** Whether {@link #loseLate} has something to do. */
    public boolean isLateDue(long nowNs) {
        return nowNs >= lateAtNs();
    }

    /** Takes for lost what later transmissions passed a while ago and has not come since. */
    public void loseLate(long nowNs, TxSlots.Outcome outcome) {
        deadlineChanged();
        if (reorder != null) {
            LossRule.judgeLate(nowNs, slots, slab, reorder, patienceNs(), outcome);
        }
    }

    /** Later transmissions that may pass a slot before it is lost; 0 while the path keeps its order. */
    public int reorderPackets() {
        return reorder == null ? 0 : reorder.packets();
    }

    private long lateAtNs() {
        return reorder == null ? Deadline.NEVER : reorder.late().atNs();
    }

    /** Its timers begin anew: what was silent until now was silent for another reason. */
    public void beginAnew(long nowNs, long peerAckDelayNs) {
        deadlineChanged();
        if (slots.unacked() > 0) {
            timer.onEvidence(nowNs, timer.plainTimeoutNs(rtt, peerAckDelayNs));
            wantProbe(true);
        }
        if (health.state() == PathState.SUSPECT) {
            health.suspectAgain(nowNs);
            wantProbe(true);
        }
    }

    /** Counts a slot found lost by {@link LossRule}. */
    public void countLost() {
        stats.lost++;
    }

    /** A slot turned out to be settled when it should have been sent again. */
    public void settle(int slot, TxSlots.Outcome outcome) {
        slots.release(slot, outcome);
        restIfDone();
    }

    // ---- time

    /** The earliest instant at which {@link #onDeadline} has something to do, or never. */
    public long deadlineNs() {
        return Math.min(Math.min(timer.deadlineNs(), lateAtNs()), idleProbeAtNs());
    }

    /** Runs the timers. Returns how many probe timeouts have expired in a row if one expired now, else 0. */
    public int onDeadline(long nowNs, long peerAckDelayNs, TxSlots.Outcome outcome) {
        deadlineChanged();
        if (nowNs >= idleProbeAtNs()) {
            // R-PATH-024: a resting path is asked now and then, so that its stamps and what is known of it stay young.
            wantProbe(true);
        }
        switch (timer.take(nowNs)) {
            case NOTHING -> {
                return 0;
            }
            case FLUSH -> {
                int youngest = slots.youngestInFlight();
                // R-LOSS-004: only a slot that nothing follows needs a probe behind it.
                if (youngest != NONE && slab.stamp[youngest] == stamps.last()) {
                    wantProbe(true);
                }
                return 0;
            }
            case TIMEOUT -> {
                return onTimeout(nowNs, peerAckDelayNs, outcome);
            }
        }
        return 0;
    }

    private long idleProbeAtNs() {
        boolean rests = slots.unacked() == 0 && !probeWanted && health.carriesNewSlots();
        return rests ? stamps.idleSinceNs(Math.max(idleProbeNs, IDLE_PROBE_ROUNDS * rtt.smoothedNs())) : Deadline.NEVER;
    }

    private int onTimeout(long nowNs, long peerAckDelayNs, TxSlots.Outcome outcome) {
        int inARow = timer.expired();
        timer.rearm(nowNs, timer.timeoutNs(rtt, peerAckDelayNs));
        // R-LOSS-005: a probe first; from the fourth timeout in a row also the lowest slot, on the same path.
        wantProbe(true);
        if (inARow >= TIMEOUTS_TO_RESEND) {
            int lowest = slots.lowest();
            if (lowest != NONE && slab.isInFlight(lowest)) {
                slots.lose(lowest, outcome);
                stats.resentTimeout++;
            }
            resendForced = true;
        }
        return inARow;
    }

    // ---- health and route

    /** State, suspicion, and since when. */
    public PathHealth health() {
        return health;
    }

    /** State of the path. */
    public PathState state() {
        return health.state();
    }

    /**
     * The instant since when the oldest slot in flight has been waiting, as a stamp; meaningful if anything is in
     * flight.
     */
    public int oldestStamp() {
        return slab.stamp[slots.oldestInFlight()];
    }

    /** Whether any slot is in flight. */
    public boolean isInUse() {
        return slots.oldestInFlight() != NONE;
    }

    /** Whether anything has been echoed since the path took its route, or woke from a long silence. */
    public boolean isEchoed() {
        return echoed;
    }

    /** The newest stamp the receiver has echoed; meaningful once {@link #isEchoed}. */
    public int newestEcho() {
        return newestEcho;
    }

    /** The route it would like to have for its own. */
    public Candidate candidate() {
        return candidate;
    }

    /** Puts {@code to} to the test, under a challenge that nobody can guess. */
    public void test(Route to, long challenge) {
        if (candidate == Candidate.NOBODY) {
            candidate = new Candidate();
        }
        candidate.test(to, challenge);
    }

    /** Whether it loses more than bad luck explains. */
    public LossTest losses() {
        return losses;
    }

    /** Marks, round by round. */
    public MarkRounds markRounds() {
        return markRounds;
    }

    /** Whether the best round trip of this round shows a queue. */
    public boolean isQueued() {
        return rtt.roundMinNs() - rtt.baseNs() >= Math.max(rtt.baseNs() / 4, 1);
    }

    /** Whether the block, of an older epoch, proves that the route left last was alive then. */
    public boolean isMoveRefutedBy(long nowNs, PathBlock block) {
        return departure != null && departure.isRefutedBy(nowNs, block, rtt.smoothedNs());
    }

    /** What silence is multiplied by before it is suspicious. */
    public int patience(long nowNs) {
        return departure == null ? 1 : departure.patienceAt(nowNs, rtt.smoothedNs());
    }

    void rememberDeparture(long nowNs) {
        if (departure == null) {
            departure = new Departure();
        }
        departure.onLeft(nowNs, way.epoch(), echoed, newestEcho, rtt.smoothedNs());
    }

    /** Nothing is in flight and nothing is resent until the path is well again. */
    void rest() {
        deadlineChanged();
        timer.restart();
        resendForced = false;
    }

    /** Moves the path to {@code route}; see {@link Rebind}. */
    void moveTo(Route route, PathRoute.Ownership ownership) {
        deadlineChanged();
        way.moveTo(route, ownership);
        counters.rebaseNext();
        if (reorder != null) {
            reorder.restart();
        }
        losses.restart();
        markRounds.restart();
        timer.restart();
        stats.rebinds++;
        wantProbe(false);
        resendForced = false;
        echoed = false; // what was echoed on the old route says nothing about the new one
        stamps.beginStretch();
        firstOfEpoch = true;
    }

    /** Route, epoch, and whether it is borrowed. */
    public PathRoute way() {
        return way;
    }

    /** Whether its route takes one of {@code planes}, bit k standing for plane k. */
    public boolean isOn(int planes) {
        return ((planes >>> way.route().plane()) & 1) != 0;
    }

    /** The unacknowledged slots. */
    TxSlots slots() {
        return slots;
    }

    void countRebindResends() {
        stats.resentRebind += slots.queued();
    }

    /** Frees every slot; the connection is gone. */
    public void discard() {
        deadlineChanged();
        slots.discardAll();
        timer.restart();
    }

    // ---- looking

    /** Path number, 0..253. */
    public int id() {
        return id;
    }

    /** Round-trip times. */
    public RttEstimator rtt() {
        return rtt;
    }

    /** What has happened so far. */
    public PathStats stats() {
        return stats;
    }

    /** Slots that are not acknowledged. */
    public int unacked() {
        return slots.unacked();
    }

    /** Slots waiting to be sent again. */
    public int queued() {
        return slots.queued();
    }

    /** PSN of the next new slot. */
    public int nextPsn() {
        return slots.nextPsn();
    }

    /** Packets the receiver reports by the last block more than by the one before. */
    public int rxDelta() {
        return counters.rxDelta();
    }

    /** Marked packets the receiver reports by the last block more than by the one before. */
    public int ceDelta() {
        return counters.ceDelta();
    }

    /** Duplicates the receiver reports by the last block more than by the one before. */
    public int duplicatesDelta() {
        return counters.duplicatesDelta();
    }

    /** Probe timeouts in a row since something was last heard of the path. */
    public int timeoutsInARow() {
        return timer.inARow();
    }

    /** The probe timeout without back-off, in ns. */
    public long timeoutNs(long peerAckDelayNs) {
        return timer.plainTimeoutNs(rtt, peerAckDelayNs);
    }

    private void wantProbe(boolean wanted) {
        if (wanted != probeWanted) {
            deadlineChanged();
            probeWanted = wanted;
            pending.probes(wanted ? 1 : -1);
        }
    }

    private void deadlineChanged() {
        if (deadlines != null) {
            deadlines.changed(id);
        }
    }

    private void restIfDone() {
        deadlineChanged();
        if (slots.unacked() == 0) {
            timer.onNothingInFlight();
            resendForced = false;
        }
    }

    private static long sampleNs(long nowNs, PathBlock block) {
        if (block.ackDelay() == 0xFFFF) {
            // R-ACK-012: the receiver cannot say how long it held the report.
            return 0;
        }
        long flightNs = (long) Serial32.distance(block.echoStamp(), TxStamps.clock(nowNs)) << TxStamps.UNIT_SHIFT;
        return Math.max(flightNs - block.ackDelay() * 64L, 1);
    }

    private static int highestBit(PathBlock block) {
        for (int w = block.words() - 1; w >= 0; w--) {
            long word = block.bitmapWord(w);
            if (word != 0) {
                return w * 64 + 63 - Long.numberOfLeadingZeros(word);
            }
        }
        return -1;
    }
}

package io.metaroce.path;

import static io.metaroce.path.SlotSlab.NONE;

import io.metaroce.datagram.Route;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;
import io.metaroce.wire.PathBlock;

/**
 * One path as its sender sees it: may a slot be opened, what must be sent again, when to ask. It holds nothing itself;
 * everything about the path stands in its row and in the columns of its connection.
 *
 * <p>The number of a path and its PSN space live as long as the connection; its route may change.
 */
public final class Path {
    /** Probe timeouts in a row after which the lowest slot goes along with the probe. */
    public static final int TIMEOUTS_TO_RESEND = 4;

    private final int id;
    private final PathTable table;
    private final PathRow row;

    /** The path with number {@code id} of a connection, which starts at {@code firstPsn} on {@code route}. */
    public Path(int id, PathTable table, int firstPsn, Route route) {
        this.id = id;
        this.table = table;
        this.row = new PathRow(id, route);
        table.slots.begin(row, firstPsn);
        RttEstimator.restart(row, table.handshakeRttNs);
        PathRoute.begin(row, route);
    }

    /** The epoch of its first route; before anything is sent. */
    public void beginIn(int epoch) {
        PathRoute.beginIn(row, epoch);
    }

    // ---- sending

    /** Whether a new slot may be opened: state, window and store allow it. */
    public boolean hasRoom() {
        // R-PATH-003: no slot is created at or beyond CumPSN + Wt.
        // R-PATH-009: and few enough are unacknowledged that a loss seldom fills the window.
        return table.health.carriesNewSlots(id)
                && table.slots.unacked(row) < table.inFlightPacketsMax
                && table.slots.span(row) < table.windowPackets
                && table.slab.available() > 0;
    }

    /** Opens a slot; {@link #hasRoom()} must hold. */
    public int open() {
        deadlineChanged();
        PathCounts.onOpened(row);
        return table.slots.open(row);
    }

    /** The stamp of the next transmission, slot or in-path probe. */
    public int takeStamp(long nowNs) {
        deadlineChanged();
        return table.stamps.next(nowNs, row);
    }

    /** A slot has been sent with {@code stamp}. */
    public void sent(long nowNs, int slot, int stamp, int costBytes, long peerAckDelayNs, Tail tail) {
        deadlineChanged();
        table.slots.transmitted(row, slot, stamp, PathRoute.epoch(row), costBytes);
        PathCounts.onSent(row);
        row.resendForced = false;
        row.firstOfEpoch = false;
        table.timer.onSlotSent(nowNs, row, peerAckDelayNs, tail);
    }

    /** An in-path probe has been sent. */
    public void probed() {
        deadlineChanged();
        table.slots.probed(row, table.stamps.last(row));
        wantProbe(false);
        PathCounts.onProbe(row);
        table.timer.onProbeSent(row);
    }

    /** The slot to send again next, or NONE. A suspect path resends only what a probe timeout asks for. */
    public int nextResend() {
        return row.resendForced || table.health.resends(id) ? table.slots.firstQueued(row) : NONE;
    }

    /** Cost in bytes of the slot that {@link #nextResend} names, as it was last sent. */
    public int nextResendCost() {
        int slot = table.slots.firstQueued(row);
        return slot == NONE ? 0 : table.slab.costBytes(slot);
    }

    /** Whether the next packet is the first one on a new route; it asks to be acknowledged at once. */
    public boolean isFirstOfEpoch() {
        return row.firstOfEpoch;
    }

    /** Whether the next resend goes out although the window is full. */
    public boolean isResendForced() {
        return row.resendForced;
    }

    /** Whether an in-path probe should be sent. */
    public boolean isProbeWanted() {
        return row.probeWanted;
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
        return !Serial32.isAfter(cum, table.slots.nextPsn(row))
                && !Serial32.isAfter(highest, table.slots.nextPsn(row))
                && table.stamps.isSent(row, block.echoStamp());
    }

    /** Releases what the block acknowledges; all that an old report or one of another epoch is good for. */
    public void merge(long nowNs, PathBlock block, TxSlots.Outcome outcome) {
        table.slots.merge(row, block, outcome);
        int spurious = table.slots.takeSpurious();
        if (spurious > 0) {
            PathCounts.onSpurious(row, spurious);
            table.judge.onSpurious(nowNs, row);
        }
        restIfDone();
    }

    /** Whether the block brings delivery evidence: current epoch and a stamp not echoed before. */
    public boolean isEvidence(PathBlock block) {
        return block.epoch() == PathRoute.epoch(row) && table.stamps.isNews(row, block.echoStamp());
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
        table.stamps.onEcho(row, block.echoStamp());
        table.counters.onBlock(row, block);
        table.markRounds.onBlock(id, rxDelta(), ceDelta());
        PathCounts.onReport(row, ceDelta(), duplicatesDelta());
        long rttNs = sampled ? sampleNs(nowNs, block) : 0;
        if (rttNs > 0) {
            RttEstimator.onSample(nowNs, row, rttNs);
        }
        table.judge.onEvidence(nowNs, row);
        judge(nowNs, block, coveredPackets, outcome);
        table.timer.onEvidence(nowNs, row, peerAckDelayNs);
        delivered(nowNs);
        return rttNs;
    }

    /** A report that another one has overtaken shows that the path delivers. */
    public void onOvertakenEvidence(long nowNs, long peerAckDelayNs) {
        table.timer.onEvidence(nowNs, row, peerAckDelayNs);
        delivered(nowNs);
    }

    private void delivered(long nowNs) {
        deadlineChanged();
        table.health.onEvidence(nowNs, id);
        table.newestEcho.onEvidence(id);
        restIfDone();
    }

    /**
     * Judges the slots in flight by a merged block of a report that was evidence; {@link #onEvidence} has done so by
     * the first one about this path.
     */
    public void judge(long nowNs, PathBlock block, int coveredPackets, TxSlots.Outcome outcome) {
        deadlineChanged();
        table.judge.judge(nowNs, row, block, PathRoute.epoch(row), coveredPackets, outcome);
    }

    /** Whether {@link #loseLate} has something to do. */
    public boolean isLateDue(long nowNs) {
        return nowNs >= table.judge.lateAtNs(row);
    }

    /** Takes for lost what later transmissions passed a while ago and has not come since. */
    public void loseLate(long nowNs, TxSlots.Outcome outcome) {
        deadlineChanged();
        table.judge.loseLate(nowNs, row, outcome);
    }

    /** Later transmissions that may pass a slot before it is lost; 0 while the path keeps its order. */
    public int reorderPackets() {
        return table.judge.reorderPackets(row);
    }

    /** Its timers begin anew: what was silent until now was silent for another reason. */
    public void beginAnew(long nowNs, long peerAckDelayNs) {
        deadlineChanged();
        if (unacked() > 0) {
            table.timer.onEvidence(nowNs, row, peerAckDelayNs);
        }
        table.health.onPaused(nowNs, id);
        wantProbe(isProbeWanted() || unacked() > 0 || state() == PathState.SUSPECT);
    }

    /** This side was paused, an answer may lie unread: whoever owes one is asked, and given longer each time. */
    public void onPaused(long nowNs, long peerAckDelayNs) {
        deadlineChanged();
        wantProbe(isProbeWanted() || (unacked() > 0 && table.timer.onPaused(nowNs, row, peerAckDelayNs)));
        table.health.onPaused(nowNs, id);
    }

    /** Counts a slot found lost by {@link LossRule}. */
    public void countLost() {
        PathCounts.onLost(row);
        table.timer.onTrouble();
    }

    /** A slot turned out to be settled when it should have been sent again. */
    public void settle(int slot, TxSlots.Outcome outcome) {
        table.slots.release(row, slot, outcome);
        restIfDone();
    }

    // ---- time

    /** The earliest instant at which {@link #onDeadline} has something to do, or never. */
    public long deadlineNs() {
        return Math.min(Math.min(table.timer.deadlineNs(row), table.judge.lateAtNs(row)), idleProbeAtNs());
    }

    /** Runs the timers. Returns how many probe timeouts have expired in a row if one expired now, else 0. */
    public int onDeadline(long nowNs, long peerAckDelayNs, TxSlots.Outcome outcome) {
        if (!isTimedOut(nowNs)) {
            return 0;
        }
        int inARow = table.timer.expired(nowNs, row, peerAckDelayNs);
        askAgain(inARow, outcome);
        return inARow;
    }

    /** Runs the timers but for the probe timeout, which rests until it is armed again. */
    public void onDeadlineAtRest(long nowNs) {
        if (isTimedOut(nowNs)) {
            table.timer.rest(row);
        }
    }

    private boolean isTimedOut(long nowNs) {
        deadlineChanged();
        if (nowNs >= idleProbeAtNs()) {
            // R-PATH-024: a resting path is asked now and then, so that its stamps and what is known of it stay young.
            wantProbe(true);
        }
        return switch (table.timer.take(nowNs, row)) {
            case NOTHING -> false;
            case FLUSH -> {
                int youngest = table.slots.youngestInFlight(row);
                // R-LOSS-004: only a slot that nothing follows needs a probe behind it.
                if (youngest != NONE && table.slab.stamp(youngest) == table.stamps.last(row)) {
                    wantProbe(true);
                }
                yield false;
            }
            case TIMEOUT -> true;
        };
    }

    private long idleProbeAtNs() {
        boolean rests = unacked() == 0 && !isProbeWanted() && table.health.carriesNewSlots(id);
        long heardNs = table.health.lastEvidenceNs(id);
        return rests ? RestProbe.atNs(row, table.stamps, table.idleProbeNs, heardNs) : Deadline.NEVER;
    }

    /** Nothing has been heard so many times in a row: it is asked again. */
    public void askAgain(int inARow, TxSlots.Outcome outcome) {
        deadlineChanged();
        // R-LOSS-005: a probe first; from the fourth timeout in a row also the lowest slot, on the same path.
        wantProbe(true);
        if (inARow >= TIMEOUTS_TO_RESEND) {
            int lowest = table.slots.lowest(row);
            if (lowest != NONE && table.slab.isInFlight(lowest)) {
                table.slots.lose(row, lowest, outcome);
                PathCounts.onResent(row, 1);
            }
            row.resendForced = true;
        }
    }

    // ---- health

    /** State of the path. */
    public PathState state() {
        return table.health.state(id);
    }

    /** Applies an event to the state. Returns whether it changed. */
    public boolean on(PathEvent event, long nowNs) {
        boolean changed = table.health.on(nowNs, id, event);
        if (changed && state() == PathState.SUSPECT) {
            table.timer.onTrouble(); // what it carries is lost, as far as is known
        }
        return changed;
    }

    /** Nothing may be sent on it until the address of its plane is validated; before anything was sent. */
    public void beginUnvalidated() {
        table.health.beginUnvalidated(id);
    }

    /** When it last delivered something; 0 if never. */
    public long lastEvidenceNs() {
        return table.health.lastEvidenceNs(id);
    }

    /** When it became suspect; meaningful while it is. */
    public long suspectedAtNs() {
        return table.health.suspectedAtNs(id);
    }

    /** When the suspicion is confirmed if nothing is heard. */
    public long confirmAtNs(long peerAckDelayNs) {
        return table.health.confirmAtNs(id, timeoutNs(peerAckDelayNs));
    }

    /** When it is to be asked again as a suspect, or never. */
    public long askAtNs(long peerAckDelayNs) {
        return table.health.askAtNs(id, timeoutNs(peerAckDelayNs));
    }

    /** As a suspect it is asked again. */
    public void ask() {
        table.health.asked(id);
        wantProbe(true);
    }

    /**
     * The instant since when the oldest slot in flight has been waiting, as a stamp; meaningful if anything is in
     * flight.
     */
    public int oldestStamp() {
        return table.slab.stamp(table.slots.oldestInFlight(row));
    }

    /** Whether any slot is in flight. */
    public boolean isInUse() {
        return table.slots.oldestInFlight(row) != NONE;
    }

    /** Whether anything has been echoed since the path took its route, or woke from a long silence. */
    public boolean isEchoed() {
        return table.stamps.isEchoed(id);
    }

    /** The newest stamp the receiver has echoed; meaningful once {@link #isEchoed}. */
    public int newestEcho() {
        return table.stamps.newestEcho(id);
    }

    /** Whether this is the first time on its route that it is to draw another one because of its losses. */
    public boolean takeRedraw() {
        return LossTest.takeRedraw(row);
    }

    /** Whether the best round trip of this round shows a queue. */
    public boolean isQueued() {
        return roundMinRttNs() - baseRttNs() >= Math.max(baseRttNs() / 4, 1);
    }

    // ---- route

    /** The route it takes. */
    public Route route() {
        return PathRoute.route(row);
    }

    /** A number that two paths of a connection have in common only while their routes are equal; never negative. */
    public int routeNumber() {
        return PathRoute.number(row);
    }

    /** The plane of its route. */
    public int plane() {
        return PathRoute.plane(row);
    }

    /** The epoch of its route, 0..255; compared for equality only. */
    public int epoch() {
        return PathRoute.epoch(row);
    }

    /** Whether its route is a copy of another path's. */
    public boolean isBorrowed() {
        return PathRoute.isBorrowed(row);
    }

    /** Whether its route takes one of {@code planes}, bit k standing for plane k. */
    public boolean isOn(int planes) {
        return ((planes >>> plane()) & 1) != 0;
    }

    /** The route it would like to have for its own. */
    public Candidate candidate() {
        return table.candidate(id);
    }

    /** Puts {@code to} to the test, under a challenge that nobody can guess. */
    public void test(Route to, long challenge) {
        table.ownCandidate(id).test(to, challenge);
    }

    /** Whether the block, of an older epoch, proves that the route left last was alive then. */
    public boolean isMoveRefutedBy(long nowNs, PathBlock block) {
        Departure departure = table.departure(id);
        return departure != null && departure.isRefutedBy(nowNs, block, smoothedRttNs());
    }

    /** What silence is multiplied by before it is suspicious. */
    public int patience(long nowNs) {
        Departure departure = table.departure(id);
        return departure == null ? 1 : departure.patienceAt(nowNs, smoothedRttNs());
    }

    void rememberDeparture(long nowNs) {
        table.ownDeparture(id).onLeft(nowNs, epoch(), isEchoed(), newestEcho(), smoothedRttNs());
    }

    /** Nothing is in flight and nothing is resent until the path is well again. */
    void rest() {
        deadlineChanged();
        table.timer.restart(row);
        row.resendForced = false;
    }

    /** Moves the path to {@code route}; see {@link Rebind}. */
    void moveTo(Route route, PathRoute.Ownership ownership) {
        rest();
        PathRoute.moveTo(row, route, ownership);
        CounterEcho.rebaseNext(row);
        table.judge.restart(row);
        table.losses.restart(row);
        table.markRounds.restart(id);
        PathCounts.onResent(row, queued());
        table.stamps.beginStretch(row);
        row.firstOfEpoch = true;
        wantProbe(false);
    }

    /** Queues every unacknowledged slot for resend. */
    void loseAll(TxSlots.Outcome outcome) {
        // R-PATH-014: what was queued for an older epoch counts as sent once on the route that is left.
        table.slots.loseAll(row, epoch(), outcome);
    }

    /** Takes over the round-trip times of another path of the connection. */
    void takeTimesOf(Path other) {
        RttEstimator.copy(row, other.row);
    }

    /** Its round-trip times start anew from {@code sampleNs}. */
    void beginTimes(long sampleNs) {
        RttEstimator.restart(row, sampleNs);
    }

    /** Frees every slot; the connection is gone. */
    public void discard() {
        deadlineChanged();
        table.slots.discardAll(row);
        table.timer.restart(row);
    }

    // ---- looking

    /** Path number, 0..253. */
    public int id() {
        return id;
    }

    /** What has happened so far. */
    public PathStats stats() {
        return PathStats.of(row);
    }

    /** Smoothed round-trip time. */
    public long smoothedRttNs() {
        return RttEstimator.smoothedNs(row);
    }

    /** Mean deviation from the smoothed round-trip time. */
    public long rttVariationNs() {
        return RttEstimator.variationNs(row);
    }

    /** Least round-trip time of the last 5 to 10 seconds; the smoothed one while there is no sample. */
    public long baseRttNs() {
        return RttEstimator.baseNs(row);
    }

    /** Least round-trip time of the running round; the smoothed one while there is no sample. */
    public long roundMinRttNs() {
        return RttEstimator.roundMinNs(row);
    }

    /** Slots that are not acknowledged. */
    public int unacked() {
        return table.slots.unacked(row);
    }

    /** Slots waiting to be sent again. */
    public int queued() {
        return table.slots.queued(row);
    }

    /** PSN of the next new slot. */
    public int nextPsn() {
        return table.slots.nextPsn(row);
    }

    /** The unacknowledged slot with the lowest PSN, or NONE. */
    int lowest() {
        return table.slots.lowest(row);
    }

    /** Packets the receiver reports more than before, by the block taken last; until another path takes one. */
    public int rxDelta() {
        return table.counters.rxDelta();
    }

    /** Marked packets the receiver reports more than before, by the block taken last; until another path takes one. */
    public int ceDelta() {
        return table.counters.ceDelta();
    }

    /** Duplicates the receiver reports more than before, by the block taken last; until another path takes one. */
    public int duplicatesDelta() {
        return table.counters.duplicatesDelta();
    }

    /** Probe timeouts in a row since something was last heard of the path. */
    public int timeoutsInARow() {
        return table.timer.inARow(row);
    }

    /** The probe timeout without back-off, in ns. */
    public long timeoutNs(long peerAckDelayNs) {
        return table.timer.plainTimeoutNs(row, peerAckDelayNs);
    }

    private void wantProbe(boolean wanted) {
        if (wanted != isProbeWanted()) {
            deadlineChanged();
            row.probeWanted = wanted;
            table.pending.probes(wanted ? 1 : -1);
        }
    }

    private void deadlineChanged() {
        table.deadlines.changed(id);
    }

    private void restIfDone() {
        deadlineChanged();
        if (unacked() == 0) {
            table.timer.onNothingInFlight(row);
            row.resendForced = false;
        }
    }

    private static long sampleNs(long nowNs, PathBlock block) {
        if (block.ackDelay() == 0xFFFF) {
            // R-ACK-012: the receiver cannot say how long it held the report.
            return 0;
        }
        return Math.max(StampClock.sinceNs(block.echoStamp(), nowNs) - block.ackDelay() * 64L, 1);
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

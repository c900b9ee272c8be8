package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.param.RateConfig;
import org.jspecify.annotations.Nullable;

/**
 * The sender's congestion control of one connection: a window per path, a window for all, pacing by the receiver's
 * share. It wires the parts and delegates.
 *
 * <p>What the caller owes: {@link #startWith} before the first packet; {@link #onSent} for every slot packet, resends
 * too; {@link #onLeft} exactly once for each of them, when it is acknowledged, declared lost or queued again; then
 * {@link #onSignal} once per path block that gives evidence. {@link #onHint} comes after the blocks of its report.
 * Costs are UDP payload + 66 bytes.
 */
public final class CongestionControl {
    /** What a largest packet costs beyond its payload: headers, trailer, and everything below UDP. */
    public static final int PACKET_OVERHEAD_BYTES = 122;
    /** What any packet costs beyond its UDP payload. */
    public static final int FRAME_OVERHEAD_BYTES = 66;

    private static final int GOLDEN_Q32 = 0x9E3779B1; // numbers in a row are spread evenly by it

    private final SenderState state;
    private final MarkSense marks;
    private final RateRule byMarks;
    private @Nullable RateRule byDelay; // made when it is needed first
    private final Pacer pacer;
    private long lastSentNs;

    /**
     * A control that knows nothing yet.
     *
     * @param paths path ids are {@code 0..paths-1}; all are inactive
     * @param payloadBytesMax negotiated payload of a full packet
     */
    public CongestionControl(RateConfig config, int paths, int payloadBytesMax) {
        int packetBytes = payloadBytesMax + PACKET_OVERHEAD_BYTES;
        state = new SenderState(config, paths, packetBytes);
        marks = new MarkSense(!state.line.isFinelyTimed());
        byMarks = new EcnRule(state);
        long burst = config.pacingBurstBytes() == 0 ? 2L * packetBytes : config.pacingBurstBytes();
        pacer = new Pacer(burst, packetBytes, config.outboundBytesPerSecond());
        refresh(0);
    }

    /**
     * Starts cold once the handshake has given a first round-trip time.
     *
     * @param rttNs round-trip time of the handshake, in ns
     * @param initBudgetBytes most the peer takes before its first hint
     */
    public void startWith(long rttNs, long initBudgetBytes) {
        state.line.rtt0Ns(Math.max(rttNs, 1));
        state.srttNs(rttNs);
        state.coldStart.budgetBytes(initBudgetBytes);
        beginCold(0);
    }

    /** Says how many planes carry the connection; the first window may be 64 KiB for each. */
    public void planes(int count) {
        state.coldStart.planes(count);
    }

    /** Says whether the peer can read marks and will report them; until it is said, it is believed. */
    public void peerReadsMarks(boolean value) {
        marks.peerReadsMarks(value);
    }

    /** Whether delay and loss steer the windows, because marks do not come. */
    public boolean isSteeredByDelay() {
        return marks.isBlind();
    }

    /** The path may carry data from now on. */
    public void activate(int path) {
        PathWindows windows = state.windows;
        if (windows.isActive(path)) {
            return;
        }
        if (state.coldStart.isCold()) {
            windows.activate(path);
            windows.resizeAll(firstPathWindow());
        } else {
            windows.resize(path, Math.max(packetsBytes(2), windows.medianBytes(path)));
            windows.activate(path);
        }
        state.ways.onActivated(path);
    }

    /** The path carries no new data: it is parked, suspect or failed. Its window is kept. */
    public void deactivate(int path) {
        if (state.windows.isActive(path)) {
            state.windows.deactivate(path);
            state.ways.onDeactivated(path);
        }
    }

    /** Whether the path may carry new data. */
    public boolean isActive(int path) {
        return state.windows.isActive(path);
    }

    /** A slot packet of {@code costBytes} has left on the path. */
    public void onSent(long nowNs, int path, int costBytes) {
        state.flights.onSent(path, costBytes);
        state.connection.flight.onSent(costBytes);
        pacer.onSent(nowNs, costBytes);
        lastSentNs = nowNs;
    }

    /** A packet is no longer in flight: acknowledged, declared lost, or queued again by a rebind. */
    public void onLeft(int path, int costBytes) {
        int flying = state.flights.bytes(path);
        assert costBytes <= flying : "path " + path + ": left " + costBytes + " of " + flying;
        int left = Math.min(costBytes, flying);
        state.flights.onLeft(path, left);
        state.connection.flight.onLeft(left);
    }

    /** Applies what one path block said, after {@link #onLeft} of the packets it settled. */
    public void onSignal(long nowNs, int path, RateSignal signal) {
        forgetIfDue(nowNs);
        takeRoundTrip(nowNs, path, signal);
        boolean roundBegins = state.rounds.turns(nowNs, path);
        if (roundBegins) {
            state.windows.beginRound(path);
            state.excess.turn(path);
            compareWays(path);
        }
        if (signal.sampleExcessNs() >= 0) {
            state.excess.onSample(path, signal.sampleExcessNs());
            state.ways.onSample(nowNs, signal.rttNs(), state.srttNs());
        }
        refresh(nowNs);
        state.flights.onSignal(nowNs, path, state.windows.windowBytes(path));
        state.connection.flight.onSignal(nowNs, inFlightBytesMax());
        state.connection.onDelivery(nowNs, signal.ackedBytes(), state.srttNs());
        if (signal.ackedBytes() > 0) {
            state.coldStart.onSignal();
        }
        marks.onSignal(signal);
        rule().step(nowNs, path, roundBegins, signal);
        refresh(nowNs);
    }

    // R-CC-015: delay and loss steer where no mark will ever come.
    private RateRule rule() {
        if (!marks.isBlind()) {
            return byMarks;
        }
        if (byDelay == null) {
            byDelay = new DelayRule(state);
        }
        return byDelay;
    }

    /** The probe timeout of the path has passed. */
    public void onTimeout(long nowNs, int path) {
        state.windows.resize(path, packetsBytes(1));
    }

    /** The path loses far more than the others: it keeps a quarter of its window. */
    public void quarter(int path) {
        state.windows.resize(path, state.windows.windowBytes(path) / 4);
    }

    /** The newest rate hint, in the code of the wire. */
    public void onHint(long nowNs, int hintCode) {
        forgetIfDue(nowNs);
        state.hint.onHint(nowNs, hintCode, state.srttNs());
        refresh(nowNs);
        if (state.hint.isRate()) {
            learnShare(nowNs, state.hintBytesPerSecond());
            refresh(nowNs);
        }
    }

    /**
     * The same when a READ_REQ brings it.
     *
     * @param answerBytes payload that it asks for
     * @param lot any number, as different from those of the receiver's other senders as can be
     */
    public void onRequestedHint(long nowNs, int hintCode, long answerBytes, int lot) {
        onHint(nowNs, hintCode);
        int cost = (int) Math.min(answerBytes + PACKET_OVERHEAD_BYTES, state.line.packetBytes());
        // R-HINT-017: packets of more than a round trip's share begin spread over the time that each lasts at its
        // share.
        if (state.connection.flight.bytes() == 0
                && state.hint.isRate()
                && cost > state.line.onEmptyLineBytes(state.hintBytesPerSecond())) {
            pacer.defer(nowNs, cost, (lot * GOLDEN_Q32) >>> 16);
        }
    }

    /** The same when a report brings it. */
    public void onReportedHint(long nowNs, int hintCode) {
        if (!state.coldStart.isCold() || state.coldStart.hasPlanes()) {
            onHint(nowNs, hintCode);
            return;
        }
        forgetIfDue(nowNs);
        state.hint.onHint(nowNs, hintCode, state.srttNs());
        // R-CC-012: every sender that has not begun is told what it could have alone, so no window becomes larger.
        long most = state.hint.isRate() ? state.coldStart.windowBytes(state.line, state.hintBytesPerSecond()) : 0;
        if (most > 0 && most < state.connection.windowBytes()) {
            state.connection.restart(most);
            state.windows.resizeAll(firstPathWindow());
        }
        refresh(nowNs);
    }

    /**
     * The path has taken another route.
     *
     * @param donor the path whose route it borrows, or -1 when it has a route of its own
     */
    public void onRebound(long nowNs, int path, int donor) {
        PathWindows windows = state.windows;
        state.excess.forget(path);
        state.ways.forget(path);
        state.signs.forget(path);
        if (donor >= 0) {
            long smaller = Math.min(windows.windowBytes(path), windows.windowBytes(donor));
            windows.resize(path, Math.max(smaller, packetsBytes(2)));
            windows.baseRtt(path, windows.baseRttNs(donor));
            state.rounds.srttNs(path, state.rounds.srttNs(donor));
        } else {
            windows.resize(path, Math.max(packetsBytes(4), windows.medianBytes(path) / 2));
            windows.baseRtt(path, 0);
        }
        takeBase();
        refresh(nowNs);
    }

    /** Whether the connection's window, and the receiver's share, have room for a packet of {@code costBytes}. */
    public boolean connectionHasRoom(long nowNs, int costBytes) {
        age(nowNs);
        if (state.hint.isPaused(nowNs)) {
            return false;
        }
        long flying = state.connection.flight.bytes();
        // R-CC-003: within both windows; with nothing in flight one packet may always go.
        return flying == 0 || flying + costBytes <= inFlightBytesMax();
    }

    /** What the connection may have in flight: its window, or what the receiver's share keeps under way. */
    private long inFlightBytesMax() {
        return Math.min(state.connection.windowBytes(), state.capBytes());
    }

    /**
     * Whether after a packet of {@code costBytes} there is no room for another, and nothing has been heard since
     * nothing was in flight: the connection stands until it hears of this burst.
     */
    public boolean standsAfter(int costBytes) {
        Flight flight = state.connection.flight;
        return flight.isUnheard() && flight.bytes() + 2L * costBytes > inFlightBytesMax();
    }

    /** Whether the path's window has room for a packet of {@code costBytes}. */
    public boolean pathHasRoom(int path, int costBytes) {
        long flying = state.flights.bytes(path);
        return flying == 0 || flying + costBytes <= state.windows.windowBytes(path);
    }

    /** Whether pacing lets a packet leave now. */
    public boolean paceAllows(long nowNs) {
        age(nowNs);
        return pacer.allows(nowNs);
    }

    /** The instant from which pacing lets the next packet leave, in ns; may lie in the past. */
    public long nextDepartureNs() {
        return pacer.nextDepartureNs();
    }

    /** Whether the receiver asks for silence. */
    public boolean isPaused(long nowNs) {
        return state.hint.isPaused(nowNs);
    }

    /**
     * When the receiver's wish for silence is forgotten if it is not repeated, in ns; in the past when there is none.
     */
    public long pausedUntilNs() {
        return state.hint.pausedUntilNs();
    }

    /** Whether the path was marked within its last round trip: new data goes elsewhere while there is room. */
    public boolean isHot(long nowNs, int path) {
        return state.signs.isHot(nowNs, path);
    }

    /** Until when the path is hot, in ns. */
    public long hotUntilNs(int path) {
        return state.signs.hotUntilNs(path);
    }

    /** Window of the path, in bytes of cost. */
    public long windowBytes(int path) {
        return state.windows.windowBytes(path);
    }

    /** In flight on the path, in bytes of cost. */
    public long inFlightBytes(int path) {
        return state.flights.bytes(path);
    }

    /** Window of the connection, in bytes of cost. */
    public long windowBytes() {
        return state.connection.windowBytes();
    }

    /** In flight on all paths, in bytes of cost. */
    public long inFlightBytes() {
        return state.connection.flight.bytes();
    }

    /** The rate of pacing. */
    public long rateBytesPerSecond() {
        return pacer.bytesPerSecond();
    }

    /** The receiver's share, aged; the line rate when none is known; 0 for a pause. */
    public long hintBytesPerSecond() {
        return state.hintBytesPerSecond();
    }

    private void learnShare(long nowNs, long bytesPerSecond) {
        if (state.coldStart.isCold()) {
            // R-CC-012: a share known before the first acknowledgement replaces the blind first window, no more.
            state.connection.restart(state.coldStart.windowBytes(state.line, bytesPerSecond));
            state.windows.resizeAll(firstPathWindow());
        } else if (state.line.isLong()) {
            // R-CC-017: on a long path the window follows the share at once.
            if (state.first().onShare(nowNs, bytesPerSecond)) {
                state.windows.raiseAll(firstPathWindow());
            }
        } else if (state.coldStart.takeFirstHint()) {
            state.connection.raiseTo(state.line.windowBytes(bytesPerSecond) / 2);
            state.windows.raiseAll(firstPathWindow());
        }
    }

    private void takeRoundTrip(long nowNs, int path, RateSignal signal) {
        if (signal.rttNs() > 0) {
            state.onRttSample(nowNs, signal.rttNs(), marks.isBlind());
        }
        if (signal.srttNs() > 0) {
            state.rounds.srttNs(path, signal.srttNs());
        } else if (state.rounds.srttNs(path) == 0) {
            state.rounds.srttNs(path, state.srttNs());
        }
        if (signal.baseRttNs() > 0) {
            state.windows.baseRtt(path, signal.baseRttNs());
            takeBase();
        }
    }

    // R-CC-019: what may be under way is measured by ways of mean length, there and back.
    private void compareWays(int path) {
        int excess = state.excess.finishedNs(path);
        if (excess != QueueExcess.NONE) {
            state.ways.onRound(path, excess);
            state.line.longerNs(2 * state.ways.meanNs());
        }
    }

    private void takeBase() {
        long base = state.windows.baseRttNs();
        if (base > 0 && base != state.line.rtt0Ns()) {
            state.line.rtt0Ns(base);
        }
    }

    private long packetsBytes(int packets) {
        return (long) packets * state.line.packetBytes();
    }

    private long firstPathWindow() {
        long share = 3 * state.connection.windowBytes() / (2L * Math.max(state.windows.activeCount(), 1));
        return Math.max(packetsBytes(2), share);
    }

    private void beginCold(long nowNs) {
        state.beginCold();
        state.connection.restart(state.coldStart.windowBytes(state.line));
        state.windows.resizeAll(firstPathWindow());
        refresh(nowNs);
    }

    // R-HINT-005: what was heard so long ago is forgotten, and the connection starts cold.
    private void forgetIfDue(long nowNs) {
        if (state.hint.isForgotten(nowNs)) {
            state.hint.forget();
            beginCold(nowNs);
        }
    }

    private void age(long nowNs) {
        if (!state.hint.isStale(nowNs)) {
            return;
        }
        forgetIfDue(nowNs);
        warmIfIdle(nowNs);
        if (state.hint.isAgeing(nowNs)) {
            refresh(nowNs);
        }
    }

    // Idle until the hint went stale, but not so long that it is forgotten: the aged share says how to begin again.
    private void warmIfIdle(long nowNs) {
        boolean idle = state.connection.flight.bytes() == 0 && nowNs - lastSentNs > state.hint.freshNs();
        if (!idle || !state.hint.isAgeing(nowNs) || state.coldStart.isCold()) {
            return;
        }
        LineModel line = state.line;
        long share = line.turnaroundBytes(state.hint.bytesPerSecond(nowNs));
        long most = Math.max(line.turnaroundBytes(line.lineBytesPerSecond()), packetsBytes(1));
        state.connection.restart(FixedPoint.clamp(share, packetsBytes(1), most));
    }

    private void refresh(long nowNs) {
        pacer.rate(nowNs, state.refresh(nowNs));
    }
}

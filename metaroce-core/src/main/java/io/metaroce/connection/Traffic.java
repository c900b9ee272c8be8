package io.metaroce.connection;

import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.num.Entropy;
import io.metaroce.param.EndpointConfig;
import io.metaroce.path.InboundPath;
import io.metaroce.path.Path;
import io.metaroce.rate.CongestionControl;
import io.metaroce.rate.InboundShare;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.StreamQuery;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Everything a connection needs once both sides agree: wires paths, windows, reports and streams, and computes nothing.
 */
final class Traffic implements ConnectionPort.Reads {
    private static final long PAUSE_PROBE_NS = 100_000;
    private static final long BYTES_PER_SECOND_PER_MBIT = 125_000;

    private final PathSet paths;
    private final CongestionControl congestion;
    private final StreamPorts streams;
    private final InboundShare share;
    private final AckPolicy policy;
    private final ProbeAnswers answers = new ProbeAnswers();
    private final ControlQueue control = new ControlQueue();
    private final SlotReceiver receiver;
    private final AckReader reader;
    private final Reporting reporting;
    private final Reports reports;
    private final PathCare care;
    private final RouteMoves moves;
    private final SlotSender sender;
    private final PlaneWatch planeWatch;
    private final OwnRoutes routes;
    private final @Nullable SilentWays silentWays; // where there are several planes
    private final PayloadSearch payload;
    private final TransmitOrder order;
    private final Agreement agreement;
    private final Patience patience;
    private final DeadTimer dead;
    private final Pauses pauses;
    private long pausesNoted;
    private long pausedNs; // in all pauses that were noted
    private boolean paced; // only the pacer holds data back
    private boolean paused; // the receiver asks for silence
    private long askAgainAtNs = Deadline.NEVER; // whether the silence is over
    private int asked; // path of the next such question

    Traffic(
            long nowNs,
            Shared shared,
            Agreement agreement,
            ConnectParameters peer,
            StreamPorts streams,
            Patience patience,
            int provenPlanes,
            Runnable wake) {
        this.patience = patience;
        this.agreement = agreement;
        this.streams = streams;
        EndpointConfig config = shared.config();
        dead = new DeadTimer(config.liveness(), patience, nowNs);
        pauses = shared.pauses();
        pausesNoted = pauses.count();
        pausedNs = pauses.totalNs();
        Entropy entropy = shared.entropyOf(agreement.localId());
        CommonPlanes planes = agreement.planes();
        long rttNs = agreement.handshakeRttNs();
        paths = new PathSet(
                agreement,
                config.path(),
                ConnectParameters.PATHS_MAX,
                config.limits().sourcePorts(),
                shared.slab(),
                entropy.split("sourcePort", 0),
                shared.passes());
        paths.beginIn(shared.first().epoch());
        congestion = new CongestionControl(config.rate(), paths.count(), agreement.payloadBytes());
        congestion.planes(planes.count());
        congestion.peerReadsMarks(peer.ecnMode() != ConnectParameters.ECN_NONE);
        congestion.startWith(rttNs, peer.initBudget());
        ActivePaths active = new ActivePaths(nowNs, paths, congestion, agreement.payloadBytes(), planes.count());
        share = shared.fairShare()
                .join(peer.weight(), peer.capacityMbit() * BYTES_PER_SECOND_PER_MBIT)
                .packets(agreement.payloadBytes() + CongestionControl.PACKET_OVERHEAD_BYTES);
        policy = new AckPolicy(config.ack(), shared.passes());
        PathScheduler scheduler = new SprayScheduler(
                paths, active, congestion, entropy.split("scheduler", 0), config.scheduler(), planes);
        PathKeeping keeping = new PathKeeping(nowNs, shared, agreement, paths, congestion, provenPlanes, () -> {
            policy.wantAtOnce();
            wake.run();
        });
        care = keeping.care;
        moves = keeping.moves;
        planeWatch = keeping.planes;
        routes = keeping.routes;
        silentWays = keeping.silentWays;
        payload = new PayloadSearch(paths, streams.source(), agreement, patience, care, keeping.routeNeeds, shared);
        ReportNews news = new ReportNews(planeWatch, routes, payload);
        reader = new AckReader(
                paths,
                streams,
                congestion,
                scheduler,
                shared.slab(),
                shared.scratch().signal,
                agreement,
                news,
                shared.counters(),
                shared.events());
        reader.beginAfter(shared.first().ackSeq());
        receiver = new SlotReceiver(
                paths,
                streams.sink(),
                policy,
                share,
                reader,
                shared.counters(),
                rttNs,
                shared.seal().overheadBytes());
        reporting = new Reporting(agreement, paths, shared.seal(), shared.counters());
        reporting.beginAfter(shared.first().ackSeq());
        reports = new Reports(
                policy,
                new AckWriter(paths, streams, reporting, answers, shared.scratch()),
                control,
                new ControlWriter(control, streams, reporting, shared.counters(), shared.scratch()),
                streams,
                share,
                shared.fairShare(),
                receiver,
                planeWatch,
                keeping.planeNews,
                reporting,
                agreement);
        share.news(() -> {
            if (reports.wantHint()) {
                wake.run();
            }
        });
        sender = new SlotSender(
                paths,
                streams,
                congestion,
                scheduler,
                agreement,
                shared.slab(),
                shared.seal(),
                shared.scratch(),
                shared.counters());
        order = new TransmitOrder(
                reports, paths, streams.source(), congestion, sender, planeWatch, keeping.planeProbes, routes, payload);
        payload.begin(nowNs);
        if (streams.updates().hasNews()) {
            reports.wantNews();
        }
    }

    // ---- inputs

    /** Takes a packet that ends nothing. */
    @Nullable
    DropReason onPacket(long nowNs, PacketView packet) {
        share.onStamp(nowNs, packet.base().txStamp(), packet.isMarked());
        if (Opcode.isSlot(packet.opcode())) {
            return onSlot(nowNs, packet);
        }
        return switch (packet.opcode()) {
            case Opcode.ACK -> onAck(nowNs, packet);
            case Opcode.CREDIT, Opcode.STREAM_STATUS -> onStreamNews(nowNs, packet);
            case Opcode.PROBE -> onProbe(nowNs, packet);
            case Opcode.STREAM_QUERY -> {
                onQuery(packet.streamQuery());
                yield null;
            }
            case Opcode.PLANE_STATUS -> onPlaneStatus(nowNs, packet);
            default -> DropReason.UNEXPECTED;
        };
    }

    /** A packet that fits has come: the peer is alive. */
    void onHeard(long nowNs) {
        dead.onHeard(nowNs, expectation());
    }

    private @Nullable DropReason onSlot(long nowNs, PacketView packet) {
        if (silentWays != null) {
            silentWays.onSlot(nowNs);
        }
        return receiver.onSlot(nowNs, packet);
    }

    /** Whether the peer keeps sending slots beyond the window. */
    boolean isWindowIgnored() {
        return receiver.isWindowIgnored();
    }

    private @Nullable DropReason onAck(long nowNs, PacketView packet) {
        if (care.isStalled()) {
            // Whoever stood still, what was sent before it is no measure of the way.
            reader.onPaused(nowNs, 2 * probeTimeoutNs());
        }
        DropReason fault = reader.onReport(nowNs, packet, AckReader.Kind.ACK);
        care.onReport(nowNs);
        payload.onReport(nowNs);
        return fault;
    }

    private @Nullable DropReason onStreamNews(long nowNs, PacketView packet) {
        return reader.onReport(nowNs, packet, AckReader.Kind.STREAMS_ONLY);
    }

    @Nullable
    DropReason onNak(long nowNs, PacketView packet) {
        if (reader.isStale(packet)) {
            return DropReason.STALE_REPORT;
        }
        reader.onNak(nowNs, packet);
        return null;
    }

    private @Nullable DropReason onPlaneStatus(long nowNs, PacketView packet) {
        if (reader.isStale(packet)) {
            return DropReason.STALE_REPORT;
        }
        reader.onPlaneStatus(nowNs, packet);
        return null;
    }

    private @Nullable DropReason onProbe(long nowNs, PacketView packet) {
        if (packet.base().pathId() >= paths.inboundMax()) {
            return DropReason.PROTOCOL;
        }
        if ((packet.probe().flags() & ProbeHeader.CHALLENGE) != 0) {
            // R-PATH-022: a challenge changes no path state.
            answers.onChallenge(packet.probe().challenge());
        } else {
            paths.inbound(packet.base().pathId())
                    .onStamp(nowNs, packet.base().txStamp(), packet.base().pathEpoch(), packet.isMarked());
            answers.onProbe();
        }
        // R-ACK-002: every probe is answered at once.
        policy.wantAtOnce();
        return null;
    }

    private void onQuery(StreamQuery query) {
        for (int i = 0; i < query.count(); i++) {
            control.answer(query.streamId(i));
        }
    }

    /** Before anything else: whether this side has stood still since it was last asked, which is noted now. */
    boolean notePauses() {
        if (pausesNoted == pauses.count()) {
            return false;
        }
        onPaused(pauses.endedNs(), pauses.totalNs() - pausedNs);
        pausesNoted = pauses.count();
        pausedNs = pauses.totalNs();
        return true;
    }

    /** This side stood still for {@code lengthNs}: what it waited for may have come long ago. */
    private void onPaused(long nowNs, long lengthNs) {
        dead.onPaused(nowNs, lengthNs);
        long timeoutNs = probeTimeoutNs();
        reader.onPaused(nowNs, 2 * timeoutNs);
        reports.onPaused(nowNs, timeoutNs);
        care.onPaused(nowNs);
    }

    void onDeadline(long nowNs) {
        if (patience.isWished()) {
            patience.probeTimeout(probeTimeoutNs());
        }
        int probe = dead.takeProbe(nowNs);
        if (probe > 0) {
            wantKeepalive(probe);
        }
        payload.onDeadline(nowNs);
        care.onDeadline(nowNs);
        planeWatch.onDeadline(nowNs);
        if (silentWays != null) {
            silentWays.onDeadline(nowNs);
        }
        reports.onDeadline(nowNs);
        askAgainWhenDue(nowNs);
        if (nowNs >= streams.source().deadlineNs()) {
            streams.source().onDeadline(nowNs);
        }
    }

    // ---- outputs

    TransmitOrder.Poll poll(long nowNs, int planesWithRoom, Transmit out) {
        return polled(nowNs, order.poll(nowNs, planesWithRoom, out));
    }

    /** The same before {@link #quietUntilNs}: nothing goes before new data. */
    TransmitOrder.Poll pollQuietly(long nowNs, int planesWithRoom, Transmit out) {
        return polled(nowNs, order.fresh(nowNs, planesWithRoom, out));
    }

    /** Until when nothing goes before new data, unless something changes; in the past while something may. */
    long quietUntilNs(long nowNs) {
        return order.quietUntilNs(nowNs);
    }

    private TransmitOrder.Poll polled(long nowNs, TransmitOrder.Poll poll) {
        if (poll == TransmitOrder.Poll.SENT && isAnswerOwed()) {
            dead.onAsked(nowNs);
        }
        paced = poll == TransmitOrder.Poll.PACED;
        paused = poll == TransmitOrder.Poll.NOTHING && congestion.isPaused(nowNs);
        if (paused && askAgainAtNs == Deadline.NEVER && hasSlotsToSend(nowNs)) {
            armAskAgain(nowNs);
        }
        return poll;
    }

    private boolean hasSlotsToSend(long nowNs) {
        return paths.pending().hasQueued() || streams.source().peekLength(nowNs) > 0;
    }

    private void armAskAgain(long nowNs) {
        long roundTripNs = paths.outbound(asked).smoothedRttNs();
        askAgainAtNs = nowNs + Math.max(roundTripNs, PAUSE_PROBE_NS);
    }

    private void askAgainWhenDue(long nowNs) {
        if (nowNs >= askAgainAtNs) {
            askAgainAtNs = Deadline.NEVER;
            // R-HINT-009: while silence is wanted and something waits, one probe after the other asks whether it is
            // over.
            if (congestion.isPaused(nowNs)) {
                paths.outbound(asked).wantProbe();
                asked = (asked + 1) % paths.count();
                armAskAgain(nowNs);
            }
        }
    }

    /** When {@link #onDeadline} has something to do. */
    long timersNs() {
        long paths = Math.min(care.deadlineNs(), planeWatch.deadlineNs());
        long waits = Math.min(Math.min(dead.deadlineNs(), askAgainAtNs), reports.waitsUntilNs());
        long ways = silentWays == null ? Deadline.NEVER : silentWays.deadlineNs();
        long asks = Math.min(ways, streams.source().deadlineNs());
        return Math.min(Math.min(paths, waits), Math.min(asks, payload.deadlineNs()));
    }

    /** When {@link #poll} will have something to send by the mere passing of time. */
    long departureNs() {
        long departure = paced ? congestion.nextDepartureNs() : Deadline.NEVER;
        if (paused) {
            departure = Math.min(departure, congestion.pausedUntilNs());
        }
        return Math.min(reports.deadlineNs(), departure);
    }

    // ---- what streams ask for

    void wantNews() {
        reports.wantNews();
    }

    void ask(int streamId) {
        control.ask(streamId);
    }

    void refuse(ConnectionPort.Refusal refusal) {
        control.refuse(refusal);
    }

    @Override
    public void outstanding(long nowNs, long bytes) {
        share.onReadOutstanding(nowNs, bytes);
    }

    @Override
    public int hint(long nowNs) {
        return share.requestHint(nowNs, agreement.handshakeRttNs());
    }

    @Override
    public int lastReport() {
        return reporting.lastAckSeq();
    }

    /** Asks for a keepalive on one path after the other: is anybody there? */
    private void wantKeepalive(int turn) {
        int path = turn % paths.count();
        sender.keepaliveOn(path);
        paths.outbound(path).wantProbe();
    }

    long probeTimeoutNs() {
        long longest = 0;
        for (int i = 0; i < paths.count(); i++) {
            longest = Math.max(longest, paths.outbound(i).timeoutNs(agreement.peerAckDelayNs()));
        }
        return longest;
    }

    // ---- looking

    boolean isToken(int peerId, byte[] token) {
        return agreement.peerId() == peerId && MessageDigest.isEqual(agreement.peerToken(), token);
    }

    /** Whether the peer has owed an answer for the dead time. */
    boolean isPeerDead(long nowNs) {
        return dead.isDead(nowNs);
    }

    long silentMs(long nowNs) {
        return (nowNs - dead.heardNs()) / 1_000_000;
    }

    /** What the peer owes. */
    private DeadTimer.Expectation expectation() {
        return isAnswerOwed() ? DeadTimer.Expectation.AN_ANSWER : DeadTimer.Expectation.NOTHING;
    }

    private boolean isAnswerOwed() {
        return paths.hasUnacked() || payload.isProving();
    }

    /** Who hears of paths that lose their route or have one again. */
    void routeNews(RouteNews news) {
        moves.news(news);
    }

    PathOrders pathOrders() {
        return new PathOrders(care, routes, paths.count());
    }

    /** Bit k: packets to the peer may take plane k. */
    int usablePlanes() {
        return planeWatch.usable();
    }

    int pathCount() {
        return paths.count();
    }

    Path path(int i) {
        return paths.outbound(i);
    }

    /** No path that the peer has sent on has a number as high as this. */
    int inboundWidth() {
        return paths.inboundWidth();
    }

    /** A path the peer sends on, or null if it has sent nothing on it. */
    @Nullable
    InboundPath inbound(int id) {
        return paths.inboundOrNull(id);
    }

    /** The peer's number of this connection. */
    int peerId() {
        return agreement.peerId();
    }

    /** Payload of the packets that new messages are cut into. */
    int payloadBytes() {
        return payload.usedBytes();
    }

    CongestionControl congestion() {
        return congestion;
    }

    StreamPorts streams() {
        return streams;
    }

    /** Lets go of everything; the connection is gone. */
    void discard() {
        planeWatch.leave();
        paths.discard();
        share.leave();
    }
}

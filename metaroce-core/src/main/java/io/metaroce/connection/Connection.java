package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Bits;
import io.metaroce.param.CloseReason;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.StreamError;
import io.metaroce.path.InboundPath;
import io.metaroce.path.Path;
import io.metaroce.rate.CongestionControl;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection: its state, and who does what in which state. Wires and computes nothing.
 *
 * <p>Feed it ({@code on…}), command it ({@link #accept}, {@link #reject}, {@link #close}, {@link #abort}), poll it
 * ({@link #poll}, {@link #deadlineNs}), look at it (the rest).
 */
public final class Connection implements ConnectionPort {
    private static final byte[] NOTHING = new byte[0];

    private final Shared shared;
    private final ConnectionOwner owner;
    private final StreamPorts streams;
    private final int localId;
    private final Handshaking handshaking;
    private final Arrivals arrivals;
    private final Parting parting;
    private final Patience patience;
    private ConnectionState state;
    private @Nullable Traffic traffic;
    private long quietUntilNs = Long.MIN_VALUE; // until then nothing goes before new data

    private Connection(
            Shared shared,
            ConnectionOwner owner,
            StreamsMaker streams,
            int localId,
            ConnectionState state,
            Handshaking handshaking) {
        this.shared = shared;
        this.owner = owner;
        this.localId = localId;
        this.state = state;
        this.handshaking = handshaking;
        this.streams = streams.make(this);
        this.patience = new Patience(liveness().deadNs());
        this.parting = new Parting(liveness(), this.streams.life(), shared.scratch());
        this.arrivals = new Arrivals(handshaking, parting);
    }

    /** Makes the streams of a connection, which need to know it. */
    public interface StreamsMaker {
        /** The streams that will ask {@code port} for what they need. */
        StreamPorts make(ConnectionPort port);
    }

    /** A connection that asks {@code remote} for {@code serviceId}. */
    public static Connection initiate(
            long nowNs,
            Shared shared,
            ConnectionOwner owner,
            StreamsMaker streams,
            HandshakePackets packets,
            int localId,
            Address remote,
            int serviceId) {
        InitiatorHandshake handshake = new InitiatorHandshake(nowNs, shared, packets, localId, remote, serviceId);
        return new Connection(shared, owner, streams, localId, ConnectionState.REQ_SENT, Handshaking.of(handshake));
    }

    /** A connection that a peer asks for and the application decides on. */
    public static Connection respond(
            Shared shared,
            ConnectionOwner owner,
            StreamsMaker streams,
            HandshakePackets packets,
            int localId,
            PacketView request,
            ConnectParameters peer,
            Address peerAddress) {
        ResponderHandshake handshake = new ResponderHandshake(shared, packets, localId, request, peer, peerAddress);
        return new Connection(shared, owner, streams, localId, ConnectionState.PENDING, Handshaking.of(handshake));
    }

    /** Something has changed: there may be something to send. */
    public void changed() {
        quietUntilNs = Long.MIN_VALUE;
        owner.changed(this);
    }

    // ---- commands

    /** Initiator: what to say in the request. Before the first poll. */
    public void say(byte[] privateData, List<ConnectParameters.StreamOpen> opened) {
        handshaking.say(privateData, opened);
    }

    /** Responder: the application accepts. Without effect unless it is still asked. */
    public void accept(long nowNs, byte[] privateData, List<ConnectParameters.StreamOpen> opened) {
        if (state == ConnectionState.PENDING && handshaking.accept(nowNs, privateData, opened)) {
            on(ConnectionEvent.ACCEPTED_BY_APPLICATION);
            changed();
        }
    }

    /** Responder: the application refuses. Without effect unless it is still asked. */
    public void reject(long nowNs, byte[] privateData) {
        if (state == ConnectionState.PENDING) {
            handshaking.reject(nowNs, ConnectReject.REFUSED, privateData);
            changed();
        }
    }

    /** Responder: the application accepts, and this side cannot. */
    public void refuseForWantOfMemory(long nowNs, String detail) {
        if (isUndecided()) {
            handshaking.reject(nowNs, ConnectReject.RESOURCES, NOTHING);
            end(nowNs, CloseReason.REJECTED_RESOURCES, detail, NOTHING);
        }
    }

    /** A queue pair asks for another dead time than that of the endpoint; the shortest counts. */
    public void deadTime(long ns) {
        patience.wish(ns);
        changed();
    }

    /** Closes gracefully: own work finishes, then both sides forget the connection. */
    public void close(long nowNs) {
        if (traffic == null) {
            tellOfTheEnd(nowNs);
            fail(nowNs, CloseReason.LOCAL_CLOSE, CloseHeader.APPLICATION_ABORT, "closed before it was established");
        } else if (state == ConnectionState.ESTABLISHED) {
            parting.wanted(nowNs, this);
        }
    }

    /** Gives the connection up at once and tells the peer. */
    public void abort(long nowNs) {
        tellOfTheEnd(nowNs);
        fail(nowNs, CloseReason.LOCAL_ABORT, CloseHeader.APPLICATION_ABORT, "");
    }

    private void tellOfTheEnd(long nowNs) {
        if (state == ConnectionState.ACCEPTED) {
            // R-CONN-010: a peer that may take the connection for established hears of its end as any other.
            handshaking.namePeer(nowNs, parting);
        } else if (isUndecided()) {
            // R-CONN-010: one that still waits for an answer gets a rejection.
            handshaking.reject(nowNs, ConnectReject.REFUSED, NOTHING);
        }
    }

    /** Somebody accepts what this side has given up. */
    void refuseAcceptance(long nowNs, Agreement agreement, Seal seal) {
        parting.peer(agreement, seal);
        parting.tell(nowNs, CloseHeader.APPLICATION_ABORT);
    }

    /** Takes orders about single paths, or null before the connection stands. */
    public @Nullable PathOrders pathOrders() {
        return traffic == null ? null : traffic.pathOrders();
    }

    // ---- inputs

    /**
     * Lays {@code inner} over the packet that {@code arrived} secures, decrypted into {@code plain}.
     *
     * @return why it was dropped, or null
     */
    public @Nullable DropReason open(long nowNs, Datagram arrived, ByteBuffer plain, Datagram inner) {
        SecureChannel channel = handshaking.channel();
        return channel == null ? DropReason.INTEGRITY : channel.open(nowNs, arrived, plain, inner);
    }

    /**
     * Takes a packet whose trailer has been checked and whose headers are laid out.
     *
     * @return why it was dropped, or null
     */
    public @Nullable DropReason onPacket(long nowNs, PacketView packet) {
        notePauses();
        DropReason fault = arrivals.onPacket(nowNs, packet, this);
        changed();
        return fault;
    }

    /**
     * A genuine packet asks for something this side does not know. Reports are never answered; nor are packets sealed
     * with seed 0, which anybody can send and which would end the connection.
     */
    public void refuseUnsupported(long nowNs, PacketView packet) {
        int opcode = packet.base().opcode();
        boolean genuine = !Opcode.usesSeedZero(opcode);
        if (state == ConnectionState.ESTABLISHED && genuine && !Opcode.isReport(opcode)) {
            BaseHeader base = packet.base();
            refuse(nowNs, new Refusal(StreamError.UNSUPPORTED, 0, 0, 0, 0, base.pathId(), base.psn(), 0));
        }
    }

    /**
     * Somebody says that {@code deadConnId} is unknown at the peer.
     *
     * @return whether it is this connection's peer that says so
     */
    public boolean onReset(long nowNs, int deadConnId, byte[] token) {
        Traffic t = traffic;
        // R-SEC-003: only who knows the token of the peer's number is believed.
        if (t == null || !t.isToken(deadConnId, token)) {
            return false;
        }
        end(nowNs, CloseReason.PEER_RESTARTED, "", NOTHING);
        return true;
    }

    /** Runs what is due. */
    public void onDeadline(long nowNs) {
        notePauses();
        Traffic t = traffic;
        if (t != null) {
            t.onDeadline(nowNs);
            if (t.isPeerDead(nowNs)) {
                // A peer that delivers nothing for the dead time while an answer is owed is gone.
                fail(nowNs, CloseReason.PEER_DEAD, CloseHeader.IDLE, "silent for " + t.silentMs(nowNs) + " ms");
                return;
            }
        }
        handshaking.giveUpWhenDue(nowNs, this);
        parting.progress(nowNs, this);
    }

    // ---- outputs

    /** What came of asking a connection for a packet. */
    public enum Poll {
        /** A packet was written. */
        SENT,
        /** Nothing to send now. */
        NOTHING,
        /** Something to send, but not to the planes that have room. */
        BLOCKED
    }

    /** Writes the next packet if there is one. */
    public Poll poll(long nowNs, int planesWithRoom, Transmit out) {
        notePauses();
        Traffic t = traffic;
        if (t != null && nowNs < quietUntilNs) {
            // Nobody has to be asked again before every packet whether something goes before it.
            assert isQuiet(nowNs, t) : "something goes before new data, and nobody has told";
            return result(t.pollQuietly(nowNs, planesWithRoom, out));
        }
        if (parting.isDue(nowNs)) {
            return parting.write(nowNs, planesWithRoom, traffic, out) ? Poll.SENT : Poll.BLOCKED;
        }
        if (state == ConnectionState.TOMBSTONE && !handshaking.isRefusal()) {
            return Poll.NOTHING;
        }
        if (handshaking.isDue(nowNs)) {
            return (planesWithRoom & Handshaking.PLANES) != 0 && handshaking.write(nowNs, out)
                    ? Poll.SENT
                    : Poll.BLOCKED;
        }
        if (t == null || state == ConnectionState.ACCEPTED) {
            return Poll.NOTHING;
        }
        quietUntilNs = quietUntilNs(nowNs, t);
        return result(t.poll(nowNs, planesWithRoom, out));
    }

    /** The endpoint stood still for a while; nobody else is to blame for what it did not hear. */
    private void notePauses() {
        if (traffic != null && traffic.notePauses()) {
            quietUntilNs = Long.MIN_VALUE;
        }
    }

    private long quietUntilNs(long nowNs, Traffic t) {
        return Math.min(t.quietUntilNs(nowNs), Math.min(handshaking.deadlineNs(), parting.resendNs()));
    }

    private boolean isQuiet(long nowNs, Traffic t) {
        return !parting.isDue(nowNs) && !handshaking.isDue(nowNs) && nowNs < quietUntilNs(nowNs, t);
    }

    private static Poll result(TransmitOrder.Poll poll) {
        return switch (poll) {
            case SENT -> Poll.SENT;
            case BLOCKED -> Poll.BLOCKED;
            case NOTHING, PACED -> Poll.NOTHING;
        };
    }

    /** When {@link #onDeadline} should be called at the latest although {@link #poll} is called anyway. */
    public long timersNs() {
        return traffic == null ? parting.timersNs() : Math.min(parting.timersNs(), traffic.timersNs());
    }

    /** When {@link #onDeadline} or {@link #poll} should be called at the latest. */
    public long deadlineNs() {
        long earliest = Math.min(timersNs(), parting.resendNs());
        if (state == ConnectionState.TOMBSTONE) {
            return earliest;
        }
        earliest = Math.min(earliest, handshaking.deadlineNs());
        if (traffic != null) {
            earliest = Math.min(earliest, traffic.departureNs());
        }
        return earliest;
    }

    // ---- what streams ask for

    @Override
    public void sendWanted() {
        changed();
    }

    @Override
    public void reportWanted() {
        if (traffic != null) {
            traffic.wantNews();
            changed();
        }
    }

    @Override
    public void queryStream(long nowNs, int streamId) {
        if (traffic != null) {
            traffic.ask(streamId);
            changed();
        }
    }

    @Override
    public void refuse(long nowNs, Refusal refusal) {
        if (traffic != null) {
            traffic.refuse(refusal);
            changed();
        }
    }

    @Override
    public void protocolError(long nowNs, StreamError error) {
        fail(nowNs, CloseReason.PROTOCOL_ERROR, CloseHeader.ERROR_BASE + error.code(), error.sentence());
    }

    @Override
    public @Nullable Reads reads() {
        return traffic;
    }

    @Override
    public long probeTimeoutNs() {
        return traffic == null ? liveness().handshakeRetryNs() : traffic.probeTimeoutNs();
    }

    // ---- looking

    @Nullable
    Traffic traffic() {
        return traffic;
    }

    /** Local number of the connection: DstConnId of packets to this side. */
    public int localId() {
        return localId;
    }

    /** State of the connection. */
    public ConnectionState state() {
        return state;
    }

    /** Seed of the trailer of packets to this side. */
    public @Bits(32) int receiveSeed() {
        return handshaking.receiveSeed();
    }

    /** Whether a connection request is the one this connection answers. */
    public boolean answers(int initConnId, long nonce) {
        return handshaking.answers(initConnId, nonce);
    }

    /** Responder: whether the application is still asked. */
    public boolean isUndecided() {
        return state == ConnectionState.PENDING && !handshaking.isRefusal();
    }

    /** The request that made this connection came once more. */
    public void onRepeatedRequest() {
        handshaking.onRepeatedRequest();
        changed();
    }

    /**
     * Whether a request that comes again is answered as before; one whose connection is over is not, unless by refusal.
     */
    public boolean answersAgain() {
        return state != ConnectionState.TOMBSTONE || handshaking.isRefusal();
    }

    /** Paths this side sends on; 0 before the connection stands. */
    public int pathCount() {
        return traffic == null ? 0 : traffic.pathCount();
    }

    /** The peer's number of this connection; only once the connection stands. */
    public int peerId() {
        return established().peerId();
    }

    /** Payload of the packets that new messages are cut into; only once the connection stands. */
    public int payloadBytes() {
        return established().payloadBytes();
    }

    /** One of the paths this side sends on. */
    public Path path(int i) {
        return established().path(i);
    }

    /** No path that the peer has sent on has a number as high as this; 0 before the connection stands. */
    public int inboundWidth() {
        return traffic == null ? 0 : traffic.inboundWidth();
    }

    /** A path the peer sends on, or null if it has sent nothing on it; only once the connection stands. */
    public @Nullable InboundPath inbound(int id) {
        return established().inbound(id);
    }

    /** Windows and rates; only once the connection stands. */
    public CongestionControl congestion() {
        return established().congestion();
    }

    // ---- inside

    /** Both sides agree: from here on there is traffic. */
    void establish(long nowNs, ConnectionEvent how, Agreement agreement, ConnectParameters peer, int provenPlanes) {
        on(how);
        owner.agreed(nowNs, this, agreement, peer);
        Shared sealed = shared.sealedBy(Objects.requireNonNull(handshaking.seal(), "nobody has agreed"));
        parting.peer(agreement, sealed.seal());
        traffic = new Traffic(nowNs, sealed, agreement, peer, streams, patience, provenPlanes, this::changed);
        traffic.routeNews((atNs, path, isOwn) -> owner.routeMoved(atNs, this, path, isOwn));
        streams.life().start(nowNs);
        owner.established(nowNs, this, peer.privateData());
        changed();
    }

    /** Ends the connection by force and tells the peer, as often as needed. */
    void fail(long nowNs, CloseReason reason, int code, String detail) {
        if (state == ConnectionState.TOMBSTONE) {
            return;
        }
        end(nowNs, reason, detail, NOTHING);
        parting.tell(nowNs, code);
    }

    /** Ends the connection for the application; called once. */
    void end(long nowNs, CloseReason reason, String detail, byte[] privateData) {
        if (state == ConnectionState.TOMBSTONE) {
            return;
        }
        on(ConnectionEvent.OVER);
        parting.over(nowNs, handshaking.isRemembered());
        owner.gone(nowNs, this, reason, detail.isEmpty() ? reason.sentence() : detail, privateData);
        Traffic t = traffic;
        traffic = null;
        if (t != null) {
            parting.reachable(t.usablePlanes());
            t.discard();
        }
        changed();
    }

    /** Forgets the connection; it has been over for long enough. */
    void forget() {
        owner.forget(this);
    }

    void on(ConnectionEvent event) {
        parting.on(event);
        state = ConnectionStates.TABLE.next(state, event);
    }

    private Traffic established() {
        Traffic t = traffic;
        if (t == null) {
            throw new IllegalStateException("connection " + Integer.toHexString(localId) + " is " + state);
        }
        return t;
    }

    private LivenessConfig liveness() {
        return shared.config().liveness();
    }
}

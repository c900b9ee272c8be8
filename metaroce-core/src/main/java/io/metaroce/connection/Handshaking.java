package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.CloseReason;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.PacketView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a connection comes to be: which side this is, and what each packet of the handshake means to it. */
final class Handshaking {
    /** Bit 0: the only plane whose address is known before there is traffic, and that the handshake proves. */
    static final int PLANES = 1;

    private static final byte[] NOTHING = new byte[0];

    // One of these three: they ask, they answer, or both sides have agreed.
    private @Nullable InitiatorHandshake initiator;
    private @Nullable ResponderHandshake responder;
    private @Nullable LastWord lastWord;

    // Of the connection that stands.
    private @Nullable SecureChannel channel;
    private @Nullable Seal seal;
    private int receiveSeed;

    private Handshaking(@Nullable InitiatorHandshake initiator, @Nullable ResponderHandshake responder) {
        this.initiator = initiator;
        this.responder = responder;
    }

    static Handshaking of(InitiatorHandshake initiator) {
        return new Handshaking(initiator, null);
    }

    static Handshaking of(ResponderHandshake responder) {
        return new Handshaking(null, responder);
    }

    // ---- commands

    void say(byte[] privateData, List<ConnectParameters.StreamOpen> opened) {
        if (initiator != null) {
            initiator.say(privateData, opened);
        }
    }

    /** Whether the application is still asked, and accepts. */
    boolean accept(long nowNs, byte[] privateData, List<ConnectParameters.StreamOpen> opened) {
        if (responder == null || responder.isRejected()) {
            return false;
        }
        responder.accept(nowNs, privateData, opened);
        return true;
    }

    void reject(long nowNs, int code, byte[] privateData) {
        if (responder != null) {
            responder.reject(nowNs, code, privateData);
        }
    }

    void onRepeatedRequest() {
        if (responder != null) {
            responder.onRepeatedRequest();
        } else if (lastWord != null) {
            lastWord.onRepeatedRequest();
        }
    }

    /**
     * Whether the connection is remembered for a while after its end: a request, to answer it the same way; a request
     * of one's own that nobody has answered, to tell whoever accepts it after all.
     */
    boolean isRemembered() {
        return lastWord instanceof Acceptance || responder != null || (initiator != null && initiator.isOpen());
    }

    /** Whether this side has refused. */
    boolean isRefusal() {
        return responder != null && responder.isRejected();
    }

    // ---- inputs

    @Nullable
    DropReason onPacket(long nowNs, PacketView packet, Connection connection) {
        if (lastWord != null) {
            return lastWord.onPacket(packet, connection.state());
        }
        return switch (packet.opcode()) {
            case Opcode.CONN_RETRY -> onRetry(nowNs, packet, connection);
            case Opcode.CONN_ACCEPT -> onAccept(nowNs, packet, connection);
            case Opcode.CONN_REJECT -> onReject(nowNs, packet, connection);
            case Opcode.CONN_CONFIRM -> onConfirm(nowNs, packet, connection);
            case Opcode.VERSION_NEG -> onVersions(nowNs, packet, connection);
            default -> DropReason.UNEXPECTED;
        };
    }

    // It is sealed with seed 0, so only the nonce shows that it comes from the initiator.
    private @Nullable DropReason onConfirm(long nowNs, PacketView packet, Connection connection) {
        if (responder == null || !responder.isAnswer(packet.connectConfirm().nonce())) {
            return DropReason.HANDSHAKE;
        }
        confirm(nowNs, connection);
        return null;
    }

    /** The initiator knows: by CONN_CONFIRM or by any valid packet. */
    void confirm(long nowNs, Connection connection) {
        if (responder != null && connection.state() == ConnectionState.ACCEPTED) {
            Agreement agreement = responder.agreement(nowNs);
            ConnectParameters peer = responder.peer();
            leave(responder.lastWord(agreement));
            // R-PLANE-006: whoever confirms was reached at the address of plane 0.
            connection.establish(nowNs, ConnectionEvent.CONFIRMED, agreement, peer, PLANES);
        }
    }

    /** Both sides have agreed: of the handshake nothing is left but the last word. */
    private void leave(LastWord left) {
        channel = channel();
        seal = seal();
        receiveSeed = receiveSeed();
        lastWord = left;
        initiator = null;
        responder = null;
    }

    /** Ends a handshake that nobody answers, or that this side has refused. */
    void giveUpWhenDue(long nowNs, Connection connection) {
        ConnectionState state = connection.state();
        if (initiator != null && state == ConnectionState.REQ_SENT && initiator.isExhausted(nowNs)) {
            String detail = initiator.remote() + " did not answer " + initiator.tries() + " requests";
            connection.end(nowNs, CloseReason.CONNECT_TIMEOUT, detail, NOTHING);
        } else if (responder != null && state == ConnectionState.ACCEPTED && responder.isExhausted(nowNs)) {
            String detail = responder.peerAddress() + " did not confirm the connection it asked for";
            connection.end(nowNs, CloseReason.CONNECT_TIMEOUT, detail, NOTHING);
        } else if (responder != null && state == ConnectionState.PENDING && responder.isAnswered()) {
            connection.end(nowNs, CloseReason.REJECTED_REFUSED, "refused by this side", NOTHING);
        }
    }

    // ---- outputs

    boolean isDue(long nowNs) {
        return (lastWord != null && lastWord.isDue())
                || (initiator != null && initiator.isDue(nowNs))
                || (responder != null && responder.isDue(nowNs));
    }

    boolean write(long nowNs, Transmit out) {
        if (lastWord != null && seal != null) {
            lastWord.write(out, seal);
            return true;
        }
        return (initiator != null && initiator.write(nowNs, out)) || (responder != null && responder.write(nowNs, out));
    }

    long deadlineNs() {
        if (initiator != null) {
            return initiator.deadlineNs();
        }
        return responder == null ? Deadline.NEVER : responder.deadlineNs();
    }

    // ---- looking

    /** Names the peer of a responder that has accepted to who ends it: it may take the connection for established. */
    void namePeer(long nowNs, Parting parting) {
        if (responder != null && responder.isAccepted()) {
            parting.peer(responder.agreement(nowNs), responder.seal());
        }
    }

    /** What closes the packets of the connection; null while nobody has answered. */
    @Nullable
    Seal seal() {
        if (initiator != null) {
            return initiator.seal();
        }
        return responder == null ? seal : responder.seal();
    }

    @Nullable
    SecureChannel channel() {
        if (initiator != null) {
            return initiator.channel();
        }
        return responder == null ? channel : responder.channel();
    }

    int receiveSeed() {
        if (initiator != null) {
            return initiator.receiveSeed();
        }
        return responder == null ? receiveSeed : responder.receiveSeed();
    }

    boolean answers(int initConnId, long nonce) {
        if (lastWord != null) {
            return lastWord.answers(initConnId, nonce);
        }
        return responder != null && responder.isSame(initConnId, nonce);
    }

    // ---- inside

    private @Nullable DropReason onRetry(long nowNs, PacketView packet, Connection connection) {
        if (initiator == null || connection.state() != ConnectionState.REQ_SENT) {
            return DropReason.STATE;
        }
        initiator.onRetry(nowNs, packet);
        return null;
    }

    private @Nullable DropReason onAccept(long nowNs, PacketView packet, Connection connection) {
        boolean over = connection.state() == ConnectionState.TOMBSTONE;
        if (initiator == null || (over && !initiator.isOpen())) {
            return DropReason.STATE;
        }
        ConnectParameters peer = initiator.onAccept(packet);
        if (peer == null) {
            return DropReason.HANDSHAKE;
        }
        Agreement agreement = initiator.agreement(nowNs, packet, peer);
        if (over) {
            // R-CONN-010: whoever accepts a request that has been given up hears of its end as of any other.
            connection.refuseAcceptance(nowNs, agreement, initiator.seal());
            return null;
        }
        // R-PLANE-006: the address that was asked has answered; any other one has to.
        boolean proven = agreement.planes().get(0).equals(initiator.remote());
        leave(initiator.lastWord(agreement));
        connection.establish(nowNs, ConnectionEvent.ACCEPT_RECEIVED, agreement, peer, proven ? PLANES : 0);
        return null;
    }

    private @Nullable DropReason onReject(long nowNs, PacketView packet, Connection connection) {
        InitiatorHandshake asked = waitingFor(packet.connectReject().nonce(), connection);
        if (asked == null) {
            return DropReason.STATE;
        }
        ConnectParameters said = new ConnectParameters().integrity(0);
        if (said.readOptional(packet.buffer(), packet.tlvOffset(), packet.tlvEnd()) != null) {
            return DropReason.HANDSHAKE;
        }
        CloseReason reason = CloseReason.ofRejectCode(packet.connectReject().reason());
        asked.refused();
        String detail = asked.remote() + ": " + reason.sentence() + Mismatch.describe(reason, asked.offer(), said);
        connection.end(nowNs, reason, detail, said.privateData());
        return null;
    }

    private @Nullable DropReason onVersions(long nowNs, PacketView packet, Connection connection) {
        InitiatorHandshake asked = waitingFor(packet.versionNegotiation().nonce(), connection);
        boolean speaksOurs = (packet.versionNegotiation().versions() & (1 << BaseHeader.VERSION_1)) != 0;
        // It is not authenticated: it counts only before any other reply, and only if it says that there is no way.
        if (asked == null || asked.isAnswered() || speaksOurs) {
            return DropReason.STATE;
        }
        asked.refused();
        Address remote = asked.remote();
        String spoken = Integer.toBinaryString(packet.versionNegotiation().versions());
        String detail = remote + " speaks versions " + spoken + " (bit v for version v), this side version 1";
        connection.end(nowNs, CloseReason.REJECTED_VERSION, detail, NOTHING);
        return null;
    }

    private @Nullable InitiatorHandshake waitingFor(long nonce, Connection connection) {
        boolean waiting = connection.state() == ConnectionState.REQ_SENT;
        return initiator != null && waiting && initiator.isAnswer(nonce) ? initiator : null;
    }
}

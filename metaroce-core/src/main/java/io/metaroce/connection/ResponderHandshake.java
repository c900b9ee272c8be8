package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.LivenessConfig;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.PacketView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The side that is asked: waits for the application, then accepts until it hears that the initiator knows. */
final class ResponderHandshake {
    private final HandshakePackets packets;
    private final Shared shared;
    private final LivenessConfig config;
    private final Transcript transcript = new Transcript();
    private final Terms terms;
    private final ConnectParameters peer;
    private final Address peerAddress;
    private final int localId;
    private final int initConnId;
    private final long nonce;
    private final Deadline resend = new Deadline();
    private int tries;
    private final AnswerTime time = new AnswerTime();
    private boolean rejected;
    private int rejection; // why, as a code of CONN_REJECT
    private boolean repeat;
    private byte[] privateData = new byte[0];
    private @Nullable SecureChannel channel;

    ResponderHandshake(
            Shared shared,
            HandshakePackets packets,
            int localId,
            PacketView request,
            ConnectParameters peer,
            Address peerAddress) {
        this.packets = packets;
        this.config = shared.config().liveness();
        this.terms = new Terms(shared, localId);
        this.peer = peer;
        this.peerAddress = peerAddress;
        this.localId = localId;
        this.initConnId = request.connectRequest().initConnId();
        this.nonce = request.connectRequest().nonce();
        this.shared = shared;
        if (shared.config().security().isEncrypted()) {
            transcript.request(request);
        }
        terms.choose(peer);
    }

    /** Whether a request is the one this handshake answers. */
    boolean isSame(int itsInitConnId, long itsNonce) {
        return initConnId == itsInitConnId && nonce == itsNonce;
    }

    /** Whether a packet repeats the nonce of the request. */
    boolean isAnswer(long itsNonce) {
        return nonce == itsNonce;
    }

    /** The application accepts. */
    void accept(long nowNs, byte[] say, List<ConnectParameters.StreamOpen> streams) {
        terms.parameters().privateData(say).streamsOpen(streams);
        resend.arm(nowNs);
    }

    /** This side refuses. */
    void reject(long nowNs, int code, byte[] say) {
        rejection = code;
        privateData = say;
        rejected = true;
        resend.arm(nowNs);
    }

    /** The request came again: so does the answer, beside the tries of its own. */
    void onRepeatedRequest() {
        // R-CONN-003: a repeated request yields the same answer, never a second connection.
        repeat = tries > 0;
    }

    boolean write(long nowNs, Transmit out) {
        if (repeat) {
            repeat = false;
            writeAnswer(nowNs, out);
            return true;
        }
        if (!resend.isDue(nowNs) || isExhausted(nowNs) || isAnswered()) {
            return false;
        }
        // A refusal is written once; the deadline that stays behind brings the end of it.
        resend.arm(rejected ? nowNs : nowNs + (config.handshakeRetryNs() << Math.min(tries, 20)));
        tries++;
        writeAnswer(nowNs, out);
        return true;
    }

    /** Whether a packet should leave now. */
    boolean isDue(long nowNs) {
        return repeat || (resend.isDue(nowNs) && !isExhausted(nowNs) && !isAnswered());
    }

    private void writeAnswer(long nowNs, Transmit out) {
        time.asked(nowNs);
        if (rejected) {
            packets.reject(out, peerAddress, initConnId, nonce, rejection, privateData);
        } else {
            packets.accept(out, peerAddress, initConnId, localId, nonce, terms.parameters());
            if (channel == null && shared.config().security().isEncrypted()) {
                byte[] said = transcript.with(out);
                channel = SecureChannel.of(shared.config().security(), said, PhaseKeys.Sender.RESPONDER);
            }
        }
    }

    /** What is left of the handshake once the connection stands: the initiator knows. */
    LastWord lastWord(Agreement agreement) {
        return new Acceptance(shared, packets, agreement, nonce, terms.parameters());
    }

    boolean isExhausted(long nowNs) {
        return tries >= config.handshakeTries() && resend.isDue(nowNs);
    }

    /** Whether a refusal has been sent: nothing is left to do. */
    boolean isAnswered() {
        return rejected && tries > 0;
    }

    /** Whether an acceptance has been sent. */
    boolean isAccepted() {
        return !rejected && tries > 0;
    }

    boolean isRejected() {
        return rejected;
    }

    /** What both sides agreed on; the round trip is that of acceptance and confirmation once there was one. */
    Agreement agreement(long nowNs) {
        return terms.agree(localId, initConnId, peer, time.leastNs(nowNs), time.mostNs(nowNs));
    }

    /** What closes the packets of the connection. */
    Seal seal() {
        return channel == null ? shared.seal() : shared.seal().secured(channel.sealer());
    }

    @Nullable
    SecureChannel channel() {
        return channel;
    }

    Address peerAddress() {
        return peerAddress;
    }

    ConnectParameters peer() {
        return peer;
    }

    /** Seed of the trailer of packets to this side. */
    int receiveSeed() {
        return terms.parameters().crcSeed();
    }

    long deadlineNs() {
        return resend.atNs();
    }
}

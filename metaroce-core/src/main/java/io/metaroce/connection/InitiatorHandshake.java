package io.metaroce.connection;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Deadline;
import io.metaroce.param.LivenessConfig;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.PacketView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The side that asks: request, again with the cookie, again when nothing comes, until accepted or rejected. */
final class InitiatorHandshake {
    private final HandshakePackets packets;
    private final Shared shared;
    private final LivenessConfig config;
    private final Transcript transcript = new Transcript();
    private final Terms terms;
    private final Address remote;
    private final int localId;
    private final int serviceId;
    private final long nonce;
    private final Deadline resend = new Deadline();
    private int tries;
    private final AnswerTime time = new AnswerTime();
    private long rttLeastNs; // of the exchange that brought the cookie
    private long rttMostNs = Long.MAX_VALUE;
    private boolean answered; // by acceptance or refusal
    private @Nullable SecureChannel channel;

    InitiatorHandshake(
            long nowNs, Shared shared, HandshakePackets packets, int localId, Address remote, int serviceId) {
        this.packets = packets;
        this.shared = shared;
        this.config = shared.config().liveness();
        this.terms = new Terms(shared, localId);
        this.remote = remote;
        this.localId = localId;
        this.serviceId = serviceId;
        this.nonce = shared.entropy().split("nonce", localId).nextLong();
        resend.arm(nowNs);
    }

    /** What the application says along, and the streams it opens at once. */
    void say(byte[] privateData, List<ConnectParameters.StreamOpen> streams) {
        terms.parameters().privateData(privateData).streamsOpen(streams);
    }

    /** Writes what is due; false when nothing is. */
    boolean write(long nowNs, Transmit out) {
        if (!resend.isDue(nowNs) || isExhausted(nowNs)) {
            return false;
        }
        resend.arm(nowNs + (config.handshakeRetryNs() << Math.min(tries, 20)));
        tries++;
        time.asked(nowNs);
        packets.request(out, remote, localId, serviceId, nonce, terms.parameters());
        if (shared.config().security().isEncrypted()) {
            transcript.request(out);
        }
        return true;
    }

    /** Whether a packet should leave now. */
    boolean isDue(long nowNs) {
        return resend.isDue(nowNs) && !isExhausted(nowNs);
    }

    /** Whether the last try has waited its time. */
    boolean isExhausted(long nowNs) {
        return tries >= config.handshakeTries() && resend.isDue(nowNs);
    }

    /** Takes the cookie: the request goes out once more, at once. */
    void onRetry(long nowNs, PacketView packet) {
        if (packet.connectRetry().nonce() != nonce || terms.parameters().cookie() != null) {
            return;
        }
        terms.parameters().cookie(packet.connectRetry().cookie());
        rttLeastNs = time.leastNs(nowNs);
        rttMostNs = time.mostNs(nowNs);
        time.restart();
        tries = Math.max(tries - 1, 0);
        resend.arm(nowNs);
    }

    /** What the responder says in an acceptance; null when it is not the answer to this request. */
    @Nullable
    ConnectParameters onAccept(PacketView packet) {
        ConnectParameters peer = Terms.accepted(shared.config(), nonce, packet);
        if (peer == null) {
            return null;
        }
        if (channel == null && shared.config().security().isEncrypted()) {
            byte[] said = transcript.with(packet);
            channel = SecureChannel.of(shared.config().security(), said, PhaseKeys.Sender.INITIATOR);
        }
        answered = true;
        resend.cancel();
        return peer;
    }

    /** What both sides have agreed on with {@code peer}, who has just accepted. */
    Agreement agreement(long nowNs, PacketView accept, ConnectParameters peer) {
        long leastNs = rttLeastNs > 0 ? rttLeastNs : time.leastNs(nowNs);
        // R-CONN-011: whoever waits for a round trip takes the time since the first request.
        long mostNs = Math.min(rttMostNs, time.mostNs(nowNs));
        return terms.agree(localId, accept.connectAccept().respConnId(), peer, leastNs, mostNs);
    }

    /** What is left of the handshake once the connection stands. */
    LastWord lastWord(Agreement agreement) {
        Address to = agreement.planes().get(0);
        return new Confirmation(shared.config(), packets, nonce, to, agreement.peerId());
    }

    /** The request has been refused. */
    void refused() {
        answered = true;
    }

    /** Whether somebody may still accept the request. */
    boolean isOpen() {
        return tries > 0 && !answered;
    }

    /** What closes the packets of the connection. */
    Seal seal() {
        return channel == null ? shared.seal() : shared.seal().secured(channel.sealer());
    }

    @Nullable
    SecureChannel channel() {
        return channel;
    }

    /** Whether the responder has sent a cookie: somebody there speaks this version. */
    boolean isAnswered() {
        return terms.parameters().cookie() != null;
    }

    /** Whether a packet answers this request. */
    boolean isAnswer(long itsNonce) {
        return itsNonce == nonce;
    }

    /** Seed of the trailer of packets to this side. */
    int receiveSeed() {
        return terms.parameters().crcSeed();
    }

    long deadlineNs() {
        return resend.atNs();
    }

    /** What this side offers. */
    ConnectParameters offer() {
        return terms.parameters();
    }

    Address remote() {
        return remote;
    }

    int tries() {
        return tries;
    }
}

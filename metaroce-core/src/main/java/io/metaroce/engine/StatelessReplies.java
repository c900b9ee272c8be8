package io.metaroce.engine;

import io.metaroce.connection.Cookie;
import io.metaroce.connection.HandshakePackets;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Transmit;
import io.metaroce.num.Entropy;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectRequest;
import java.util.ArrayDeque;

/**
 * Answers for which no state is kept: retry with a cookie, rejection, versions, reset. Each is shorter than the request
 * that caused it; what does not fit the queue is not answered.
 */
final class StatelessReplies {
    private static final int REPLIES_MAX = 64;
    private static final byte[] NOTHING = new byte[0];

    /** One reply to be written. */
    private interface Reply {
        void write(Transmit out);
    }

    private final ArrayDeque<Reply> waiting = new ArrayDeque<>();
    private final HandshakePackets packets;
    private final Cookie cookies;

    StatelessReplies(HandshakePackets packets, Entropy entropy) {
        this.packets = packets;
        this.cookies = new Cookie(entropy);
    }

    /** Whether the request proves that its sender receives at {@code advertised}. */
    boolean isProven(long nowNs, ConnectRequest request, ConnectParameters parameters, Address advertised) {
        byte[] cookie = parameters.cookie();
        return cookie != null && cookies.isValid(cookie, nowNs, advertised, request.initConnId(), request.nonce());
    }

    /** Asks the sender of a request to prove its address. */
    boolean retry(long nowNs, ConnectRequest request, Address to) {
        int id = request.initConnId();
        long nonce = request.nonce();
        byte[] cookie = cookies.make(nowNs, to, id, nonce);
        return offer(out -> packets.retry(out, to, id, nonce, cookie));
    }

    boolean reject(ConnectRequest request, Address to, int code) {
        int id = request.initConnId();
        long nonce = request.nonce();
        return offer(out -> packets.reject(out, to, id, nonce, code, NOTHING));
    }

    /** The same, and what would have been agreed to. */
    boolean reject(ConnectRequest request, Address to, int code, ConnectParameters demands) {
        int id = request.initConnId();
        long nonce = request.nonce();
        return offer(out -> packets.reject(out, to, id, nonce, code, demands));
    }

    boolean versions(int initConnId, long nonce, int plane, Address observed) {
        return offer(out -> packets.versions(out, plane, observed, initConnId, nonce));
    }

    boolean reset(int deadConnId, byte[] token, int plane, Address observed) {
        return offer(out -> packets.reset(out, plane, observed, deadConnId, token));
    }

    /** Whether no further reply fits. */
    boolean isFull() {
        return waiting.size() >= REPLIES_MAX;
    }

    /** Writes the next reply; false when none waits. */
    boolean write(Transmit out) {
        if (waiting.isEmpty()) {
            return false;
        }
        waiting.remove().write(out);
        return true;
    }

    private boolean offer(Reply reply) {
        // R-SEC-004: a flood of requests draws no more answers than fit.
        return !isFull() && waiting.add(reply);
    }
}

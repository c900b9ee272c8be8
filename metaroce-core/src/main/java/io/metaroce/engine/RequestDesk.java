package io.metaroce.engine;

import io.metaroce.connection.Terms;
import io.metaroce.datagram.Address;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectRequest;
import io.metaroce.wire.PacketView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where connection requests arrive: proof of address, repetitions, terms, limits, then the application. */
final class RequestDesk {
    private final EndpointConfig config;
    private final Peerings peerings;
    private final StatelessReplies replies;
    private final TreeMap<Integer, ConnectionListener> listeners = new TreeMap<>();

    RequestDesk(EndpointConfig config, Peerings peerings, StatelessReplies replies) {
        this.config = config;
        this.peerings = peerings;
        this.replies = replies;
    }

    void listen(int serviceId, ConnectionListener listener) {
        if (listeners.putIfAbsent(serviceId, listener) != null) {
            throw new IllegalArgumentException("service " + serviceId + " already has a listener on this endpoint");
        }
    }

    void unlisten(int serviceId) {
        listeners.remove(serviceId);
    }

    /** A request in another version is answered with the versions spoken here. */
    DropReason onOtherVersion(PacketView view) {
        // R-CONN-004: a version mismatch ends in VERSION_NEG.
        ConnectRequest request = view.connectRequest();
        boolean sent = replies.versions(
                request.initConnId(),
                request.nonce(),
                view.datagram().plane(),
                view.datagram().source());
        return sent ? DropReason.VERSION : DropReason.RATE_LIMITED;
    }

    /** A request whose trailer has been checked and whose headers are laid out. Returns why it was dropped, or null. */
    @Nullable
    DropReason onRequest(long nowNs, PacketView view) {
        ConnectRequest request = view.connectRequest();
        ConnectParameters peer = new ConnectParameters();
        DropReason fault = peer.read(view.buffer(), view.tlvOffset(), view.tlvEnd());
        if (fault != null) {
            return fault;
        }
        Address from = Terms.first(peer);
        if (from == null || request.initConnId() == 0) {
            return DropReason.HANDSHAKE;
        }
        if (config.cookies() == EndpointConfig.Cookies.REQUIRED && !replies.isProven(nowNs, request, peer, from)) {
            // R-CONN-001: nothing is kept for a request without a valid cookie.
            return replies.retry(nowNs, request, from) ? null : DropReason.RATE_LIMITED;
        }
        Peering known = peerings.answering(request.initConnId(), request.nonce());
        if (known != null) {
            return onKnown(known, request, from);
        }
        int code = refusal(request, peer);
        if (code != 0) {
            return refuse(request, from, code) ? null : DropReason.RATE_LIMITED;
        }
        offer(nowNs, view, peer, from);
        return null;
    }

    private @Nullable DropReason onKnown(Peering known, ConnectRequest request, Address from) {
        // R-CONN-003: a repeated request yields the same answer, or a rejection after close, never a second connection.
        if (known.connection().answersAgain()) {
            known.connection().onRepeatedRequest();
            return null;
        }
        boolean sent = replies.reject(request, from, CloseReason.REJECTED_STALE.rejectCode());
        return sent ? null : DropReason.RATE_LIMITED;
    }

    private boolean refuse(ConnectRequest request, Address from, int code) {
        // R-CONN-004: whoever is refused for what he demands learns what is demanded here.
        boolean isMismatch = code == CloseReason.REJECTED_INTEGRITY.rejectCode()
                || code == CloseReason.REJECTED_FEATURE.rejectCode();
        return isMismatch
                ? replies.reject(request, from, code, Terms.demands(config))
                : replies.reject(request, from, code);
    }

    private int refusal(ConnectRequest request, ConnectParameters peer) {
        int fault = Terms.fault(config, peer);
        if (fault != 0) {
            return fault;
        }
        if (!listeners.containsKey(request.serviceId())) {
            return CloseReason.REJECTED_NO_SERVICE.rejectCode();
        }
        boolean full = peerings.isFull()
                || !hasMemory()
                || peerings.undecided() >= config.limits().pendingOffers();
        return full ? CloseReason.REJECTED_RESOURCES.rejectCode() : 0;
    }

    private boolean hasMemory() {
        return peerings.budget().fits(peerings.budget().ofConnection());
    }

    private void offer(long nowNs, PacketView view, ConnectParameters peer, Address from) {
        int serviceId = view.connectRequest().serviceId();
        ConnectionListener listener = listeners.get(serviceId);
        if (listener == null) {
            return;
        }
        List<Integer> streams = new ArrayList<>();
        for (ConnectParameters.StreamOpen open : peer.streamsOpen()) {
            streams.add(open.streamId());
        }
        Peering peering = peerings.respond(view, peer, from, listener);
        listener.offered(
                nowNs,
                peering.connection().localId(),
                new Offer(serviceId, from, List.copyOf(streams), peer.privateData()));
    }
}

package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import io.metaroce.engine.Offer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A peer that asks to be connected. Answer with accept or reject, once; until then the peer waits. */
public final class ConnectionRequest {
    private static final byte[] NOTHING = {};
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Device device;
    private final Listener listener;
    private final int connectionId;
    private final Offer offer;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean withdrawn;

    ConnectionRequest(Device device, Listener listener, int connectionId, Offer offer) {
        this.device = device;
        this.listener = listener;
        this.connectionId = connectionId;
        this.offer = offer;
    }

    /** The peer's address. */
    public Address peer() {
        return offer.from();
    }

    /** The service it asks for. */
    public int serviceId() {
        return offer.serviceId();
    }

    /** How many queue pairs it wants to connect; accept needs as many. */
    public int streams() {
        return offer.streamIds().size();
    }

    /** What the peer's application said, at most 224 bytes. */
    public byte[] privateData() {
        return offer.privateData().clone();
    }

    /** Whether the peer has given up meanwhile. */
    public boolean isWithdrawn() {
        return withdrawn;
    }

    /** Accepts without private data and waits up to 5 s until the connection stands. */
    public Connection accept(QueuePair... queuePairs) throws VerbsConnectException {
        return accept(NOTHING, PATIENCE, queuePairs);
    }

    /**
     * Accepts, and waits until the connection stands.
     *
     * @param privateData what to say to the peer's application, at most 224 bytes
     * @throws VerbsConnectException when the peer did not confirm in time; the queue pairs are in {@link QpState#ERR}
     * @throws VerbsException when the number of queue pairs is wrong, one of them cannot be connected, or the request
     *     was answered already; nothing has changed
     */
    public Connection accept(byte[] privateData, Duration timeout, QueuePair... queuePairs)
            throws VerbsConnectException {
        return acceptSoon(privateData, queuePairs).await(timeout);
    }

    /** Accepts and does not wait. */
    public PendingConnection acceptSoon(byte[] privateData, QueuePair... queuePairs) {
        device.checkPrivateData(toString(), privateData);
        if (queuePairs.length != streams()) {
            throw new VerbsException(
                    toString(),
                    "accept with " + queuePairs.length + " queue pairs",
                    "the peer connects " + streams(),
                    "give as many as streams() says");
        }
        refuseIfAnswered("accept");
        Connection connection = Connection.bind(device, peer(), List.of(queuePairs), offer.streamIds());
        boolean isFirst = false;
        try {
            answer("accept");
            isFirst = true;
        } finally {
            if (!isFirst) {
                connection.unbind();
            }
        }
        connection.begin("accept", (nowNs, endpoint, bindings, events) -> {
            if (withdrawn) {
                throw new IllegalStateException("the peer has given up meanwhile; wait for its next request");
            }
            listener.accepted(connectionId, events);
            endpoint.accept(nowNs, connectionId, bindings, privateData.clone());
            return connectionId;
        });
        return new PendingConnection(device, connection);
    }

    /** Refuses without private data. */
    public void reject() {
        reject(NOTHING);
    }

    /**
     * Refuses; the peer's connect fails with {@link ConnectFailure#REJECTED} and what is said here, at most 224 bytes.
     */
    public void reject(byte[] privateData) {
        device.checkPrivateData(toString(), privateData);
        answer("reject");
        device.engine().run(this, "reject", (nowNs, endpoint) -> {
            if (!withdrawn) {
                endpoint.reject(nowNs, connectionId, privateData.clone());
            }
        });
    }

    private void answer(String how) {
        refuseIfAnswered(how);
        if (!answered.compareAndSet(false, true)) {
            throw answeredAlready(how);
        }
    }

    private void refuseIfAnswered(String how) {
        device.engine().refuseInListener(this, how);
        if (answered.get()) {
            throw answeredAlready(how);
        }
    }

    private VerbsException answeredAlready(String how) {
        return new VerbsException(
                toString(), how, "it was answered already", "wait for the next request with Listener.accept");
    }

    /** The peer has given up. Endpoint thread. */
    void withdrawn() {
        withdrawn = true;
    }

    @Override
    public String toString() {
        return "request of " + peer() + " for service " + serviceId() + " with " + streams() + " queue pairs";
    }
}

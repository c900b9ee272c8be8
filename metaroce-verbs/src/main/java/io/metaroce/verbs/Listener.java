package io.metaroce.verbs;

import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.param.CloseReason;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A service that peers may ask to be connected to. */
public final class Listener implements AutoCloseable {
    private final Device device;
    private final int serviceId;
    private final Arrivals arrivals = new Arrivals();
    private final ConcurrentLinkedQueue<ConnectionRequest> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    Listener(Device device, int serviceId) {
        this.device = device;
        this.serviceId = serviceId;
    }

    void open() {
        device.engine().run(this, "listen", (nowNs, endpoint) -> endpoint.listen(serviceId, arrivals));
    }

    /** The number of the service. */
    public int serviceId() {
        return serviceId;
    }

    /** The oldest request that nobody has fetched, or null. */
    public @Nullable ConnectionRequest poll() {
        return waiting.poll();
    }

    /**
     * The oldest request that nobody has fetched, waiting for one if need be.
     *
     * @throws TimeoutException when none came in time
     */
    public ConnectionRequest accept(Duration timeout) throws TimeoutException {
        ConnectionRequest[] found = {null};
        device.engine()
                .await(
                        this,
                        "accept",
                        () -> (found[0] = waiting.poll()) != null || closed.get(),
                        Durations.toNanos(timeout));
        ConnectionRequest request = found[0];
        if (request != null) {
            return request;
        }
        if (closed.get()) {
            throw new VerbsException(
                    toString(), "accept", "the listener is closed", "open another one with Device.listen");
        }
        throw new TimeoutException(this + " at " + device.address() + ": nobody asked within " + Texts.of(timeout));
    }

    /** From now on events of this connection go there. Endpoint thread. */
    void accepted(int connectionId, ConnectionListener events) {
        arrivals.accepted.put(connectionId, events);
        arrivals.requests.remove(connectionId);
    }

    /** Listens no longer; requests that nobody answered are refused. Connections stay. Does nothing the second time. */
    @Override
    public void close() {
        if (!device.engine().closes(this, closed)) {
            return;
        }
        device.forget(this);
        device.engine().run(this, "close", (nowNs, endpoint) -> endpoint.unlisten(serviceId));
        for (ConnectionRequest request = waiting.poll(); request != null; request = waiting.poll()) {
            request.reject();
        }
        device.host().signal();
    }

    @Override
    public String toString() {
        return "listener for service " + serviceId + (closed.get() ? " (closed)" : "");
    }

    /** What the engine says about connections that peers ask for. Endpoint thread. */
    private final class Arrivals implements ConnectionListener {
        private final Map<Integer, ConnectionRequest> requests = new HashMap<>();
        private final Map<Integer, ConnectionListener> accepted = new HashMap<>();

        @Override
        public void offered(long nowNs, int connectionId, Offer offer) {
            ConnectionRequest request = new ConnectionRequest(device, Listener.this, connectionId, offer);
            requests.put(connectionId, request);
            waiting.add(request);
            device.events().happened(CmEvent.CONNECT_REQUEST, null, request.toString());
            device.host().signal();
        }

        @Override
        public void established(long nowNs, int connectionId, byte[] privateData) {
            ConnectionListener events = accepted.get(connectionId);
            if (events != null) {
                events.established(nowNs, connectionId, privateData);
            }
        }

        @Override
        public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
            ConnectionRequest request = requests.remove(connectionId);
            if (request != null) {
                request.withdrawn();
                waiting.remove(request);
            }
            ConnectionListener events = accepted.remove(connectionId);
            if (events != null) {
                events.closed(nowNs, connectionId, reason, detail, privateData);
            }
        }

        @Override
        public void pathMoved(long nowNs, int connectionId, int path, boolean isOwn) {
            ConnectionListener events = accepted.get(connectionId);
            if (events != null) {
                events.pathMoved(nowNs, connectionId, path, isOwn);
            }
        }

        @Override
        public void streamFailed(long nowNs, int connectionId, int streamId, String detail) {
            ConnectionListener events = accepted.get(connectionId);
            if (events != null) {
                events.streamFailed(nowNs, connectionId, streamId, detail);
            }
        }
    }
}

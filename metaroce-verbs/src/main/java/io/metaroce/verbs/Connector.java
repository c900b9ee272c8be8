package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How a device connects: with what private data, and how patiently. Immutable; start with {@link Device#connector}. */
public final class Connector {
    private static final byte[] NOTHING = {};
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Device device;
    private final byte[] privateData;
    private final Duration timeout;
    private final RetryPolicy retries;

    Connector(Device device) {
        this(device, NOTHING, PATIENCE, RetryPolicy.NONE);
    }

    private Connector(Device device, byte[] privateData, Duration timeout, RetryPolicy retries) {
        this.device = device;
        this.privateData = privateData;
        this.timeout = timeout;
        this.retries = retries;
    }

    /** The same with something to say to the peer's application, at most 224 bytes. */
    public Connector withPrivateData(byte[] bytes) {
        device.checkPrivateData("Connector", bytes);
        return new Connector(device, bytes.clone(), timeout, retries);
    }

    /** The same with another time after which {@link #connect} gives up; 5 s unless said otherwise. */
    public Connector withTimeout(Duration value) {
        return new Connector(device, privateData, value, retries);
    }

    /**
     * The same with further attempts of {@link #connect} when one failed for a cause that may pass. Between attempts
     * the queue pairs are reset, so what was posted on them comes back flushed: post receives once connected, or use a
     * shared receive queue.
     */
    public Connector withRetries(RetryPolicy value) {
        return new Connector(device, privateData, timeout, value);
    }

    /**
     * Connects queue pairs to as many of a peer, over one connection, and waits until it stands.
     *
     * @param address {@code host}, {@code host:port} or {@code [v6]:port}
     * @param serviceId what the peer listens for
     * @throws VerbsConnectException says why there is no connection; the queue pairs are in {@link QpState#ERR}
     * @throws VerbsException when the address is none, or a queue pair cannot be connected; nothing has changed
     */
    public Connection connect(String address, int serviceId, QueuePair... queuePairs) throws VerbsConnectException {
        return connect(device.resolve(address), serviceId, queuePairs);
    }

    /** The same with an address that is known already. */
    public Connection connect(Address address, int serviceId, QueuePair... queuePairs) throws VerbsConnectException {
        long endNs = device.engine().nowNs(this) + Durations.toNanos(retries.total());
        Duration pause = retries.first();
        while (true) {
            try {
                return start(address, serviceId, queuePairs).await(timeout);
            } catch (VerbsConnectException e) {
                long leftNs = endNs - device.engine().nowNs(this);
                if (!RetryPolicy.mayPass(e.failure()) || leftNs <= Durations.toNanos(pause)) {
                    throw e;
                }
            }
            boolean unused = device.await(() -> false, pause);
            pause = retries.after(pause);
            reset(queuePairs);
        }
    }

    /**
     * Connects the queue pairs of a connection that is gone to the same service of the same peer again: the side that
     * connected calls it. Resets them first; their completions must have been polled.
     *
     * @throws VerbsException when the connection still stands, was made by the other side, or flushed requests have not
     *     been polled
     */
    public Connection reconnect(Connection lost) throws VerbsConnectException {
        if (!lost.isClosed() || lost.serviceId().isEmpty()) {
            throw new VerbsException(
                    lost.toString(),
                    "reconnect",
                    "it must be closed, and have been made by this side",
                    "wait for AsyncEvent.ConnectionLost or Disconnected, or let the peer reconnect");
        }
        QueuePair[] queuePairs = lost.queuePairs().toArray(QueuePair[]::new);
        reset(queuePairs);
        return connect(lost.peer(), lost.serviceId().getAsInt(), queuePairs);
    }

    private static void reset(QueuePair... queuePairs) {
        for (QueuePair queuePair : queuePairs) {
            if (queuePair.state() == QpState.ERR) {
                queuePair.modify(QpState.RESET);
            }
        }
    }

    @Override
    public String toString() {
        return "connector of " + device;
    }

    /** Begins to connect and does not wait: for a thread that must also answer the other side. */
    public PendingConnection start(String address, int serviceId, QueuePair... queuePairs) {
        return start(device.resolve(address), serviceId, queuePairs);
    }

    /** The same with an address that is known already. */
    public PendingConnection start(Address address, int serviceId, QueuePair... queuePairs) {
        int streams = device.attributes().streamsMax();
        if (queuePairs.length == 0 || 2L * queuePairs.length - 1 > streams) {
            throw new VerbsException(
                    "connection to " + address,
                    queuePairs.length + " queue pairs",
                    "1 to " + (streams + 1) / 2 + ", for the side that connects uses every other of " + streams
                            + " streams",
                    "raise the setting connection.streams, or open several connections");
        }
        List<Integer> streamIds = new ArrayList<>();
        for (int i = 0; i < queuePairs.length; i++) {
            streamIds.add(2 * i);
        }
        Connection connection = Connection.bind(device, address, List.of(queuePairs), streamIds);
        connection.serviceId(serviceId);
        connection.begin(
                "connect to service " + serviceId,
                (nowNs, endpoint, bindings, events) ->
                        endpoint.connect(nowNs, address, serviceId, bindings, privateData, events));
        return new PendingConnection(device, connection);
    }
}

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

    Connector(Device device) {
        this(device, NOTHING, PATIENCE);
    }

    private Connector(Device device, byte[] privateData, Duration timeout) {
        this.device = device;
        this.privateData = privateData;
        this.timeout = timeout;
    }

    /** The same with something to say to the peer's application, at most 224 bytes. */
    public Connector withPrivateData(byte[] bytes) {
        device.checkPrivateData("Connector", bytes);
        return new Connector(device, bytes.clone(), timeout);
    }

    /** The same with another time after which {@link #connect} gives up; 5 s unless said otherwise. */
    public Connector withTimeout(Duration value) {
        return new Connector(device, privateData, value);
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
        return start(address, serviceId, queuePairs).await(timeout);
    }

    /** The same with an address that is known already. */
    public Connection connect(Address address, int serviceId, QueuePair... queuePairs) throws VerbsConnectException {
        return start(address, serviceId, queuePairs).await(timeout);
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
        connection.begin(
                "connect to service " + serviceId,
                (nowNs, endpoint, bindings, events) ->
                        endpoint.connect(nowNs, address, serviceId, bindings, privateData, events));
        return new PendingConnection(device, connection);
    }
}

package io.metaroce.disni;

import com.ibm.disni.verbs.IbvContext;
import io.metaroce.datagram.Address;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AsyncEvent;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.Device;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A device, as DiSNI sees it: one endpoint on one local address. */
final class Context extends IbvContext {
    private static final AtomicInteger NUMBERS = new AtomicInteger(1);
    /** Devices that connect, by local address. As with hardware, they are there as long as the process is. */
    private static final Map<InetAddress, Context> OUTGOING = new HashMap<>();

    private final Device device;
    private final Map<Connection, CmId> connected = new ConcurrentHashMap<>();

    private Context(Device device) throws IOException {
        super(NUMBERS.getAndIncrement(), 1);
        this.device = device;
        device.onEvent(this::happened);
    }

    /** A device that peers can reach at this address. */
    static Context listeningAt(InetSocketAddress local) throws IOException {
        return open(local.getAddress(), local.getPort());
    }

    /** The device of this process that reaches a peer. */
    static Context reaching(InetSocketAddress peer) throws IOException {
        InetAddress local = localTowards(peer);
        synchronized (OUTGOING) {
            Context known = OUTGOING.get(local);
            if (known == null) {
                known = open(local, 0);
                OUTGOING.put(local, known);
            }
            return known;
        }
    }

    private static Context open(InetAddress local, int port) throws IOException {
        String host = local.getHostAddress();
        try {
            return new Context(Device.open(UdpEndpoint.bind(
                    UdpConfig.on(host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port))));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IOException("no device at " + local + ", port " + port + ": " + e.getMessage(), e);
        }
    }

    /** The local address from which the route to a peer leaves. */
    private static InetAddress localTowards(InetSocketAddress peer) throws SocketException {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(peer);
            return probe.getLocalAddress();
        }
    }

    Device device() {
        return device;
    }

    /** Where it receives. */
    InetSocketAddress address() throws IOException {
        return socketAddress(device.address());
    }

    static InetSocketAddress socketAddress(Address address) throws IOException {
        String text = address.toString();
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, colon).replace("[", "").replace("]", "");
        return new InetSocketAddress(InetAddress.getByName(host), address.port());
    }

    /** From now on the end of this connection is told to that id. */
    void connected(Connection connection, CmId id) {
        connected.put(connection, id);
        if (connection.isClosed()) {
            left(connection);
        }
    }

    /** The connection came to its end; its id hears of it once. */
    void left(Connection connection) {
        CmId id = connected.remove(connection);
        if (id != null) {
            id.disconnected();
        }
    }

    private void happened(AsyncEvent event) {
        if (event instanceof AsyncEvent.Disconnected ended) {
            left(ended.connection());
        } else if (event instanceof AsyncEvent.ConnectionLost lost) {
            left(lost.connection());
        }
    }

    @Override
    public void close() {
        super.close();
        device.close();
    }
}

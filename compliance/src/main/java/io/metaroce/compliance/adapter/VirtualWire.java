package io.metaroce.compliance.adapter;

import io.metaroce.compliance.lt.Wire;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import io.metaroce.datagram.Transmit;
import io.metaroce.param.EndpointConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Tester and engine in one process under one clock: every datagram takes 5 us, equal instants keep their order, and
 * nothing happens between two events. Thread rule: the thread of the test.
 */
public final class VirtualWire implements Wire, EngineAgent.Hosts {
    /** One way, in ns. */
    public static final long ONE_WAY_NS = 5_000;

    private static final int SOURCE_PORT_BASE = 49_152;
    private static final int SERVICE_PORT = 49_741;
    private static final int TESTER_PORT = 49_900;

    private final EndpointConfig base;
    private final long seed;
    private final int planes;
    private final PriorityQueue<Flight> flights = new PriorityQueue<>();
    private @Nullable VirtualHost host;
    private long nowNs = 1_000_000;
    private long nextOrder;

    /** A datagram under way. */
    @SuppressWarnings("ArrayRecordComponent") // ordered, never compared for equality
    private record Flight(long atNs, long order, boolean toTester, int plane, int port, int ecn, int dscp, byte[] bytes)
            implements Comparable<Flight> {
        @Override
        public int compareTo(Flight other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(order, other.order);
        }
    }

    /** A wire for endpoints with these settings, whose random numbers come from {@code seed}. */
    public VirtualWire(EndpointConfig base, long seed, int planes) {
        this.base = base;
        this.seed = seed;
        this.planes = planes;
    }

    // ---- as the tester sees it

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public int planes() {
        return planes;
    }

    @Override
    public String testerAddress(int plane) {
        return "10." + plane + ".0.2:" + TESTER_PORT;
    }

    @Override
    public void iutAddresses(List<String> addresses) {}

    @Override
    public void send(int plane, int sourcePort, int ecn, byte[] bytes) {
        int port = sourcePort == 0 ? TESTER_PORT : sourcePort;
        flights.add(new Flight(nowNs + ONE_WAY_NS, nextOrder++, false, plane, port, ecn, 0, bytes.clone()));
    }

    @Override
    public @Nullable Arrival next(long deadlineNs) {
        if (host != null && host.isRung()) {
            host.quiesce(nowNs);
        }
        Flight flight = flights.peek();
        long flightNs = flight == null ? Long.MAX_VALUE : flight.atNs();
        long hostNs = host == null ? Long.MAX_VALUE : host.deadlineNs();
        long nextNs = Math.min(flightNs, hostNs);
        if (nextNs > deadlineNs) {
            nowNs = Math.max(nowNs, deadlineNs);
            return null;
        }
        nowNs = Math.max(nowNs, nextNs);
        if (hostNs <= flightNs && host != null) {
            host.quiesce(nowNs);
            return null;
        }
        Flight arrived = flights.remove();
        if (arrived.toTester()) {
            return new Arrival(nowNs, arrived.plane(), arrived.port(), arrived.ecn(), arrived.dscp(), arrived.bytes());
        }
        if (host != null) {
            deliver(host, arrived);
        }
        return null;
    }

    private void deliver(VirtualHost to, Flight arrived) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(arrived.bytes().length);
        bytes.put(0, arrived.bytes());
        Address source = Address.ipv4((10 << 24) | (arrived.plane() << 16) | 2, arrived.port());
        Ecn ecn = arrived.ecn() == CE ? Ecn.CE : Ecn.ECT_0;
        to.receive(nowNs, new Datagram().set(bytes, 0, arrived.bytes().length, arrived.plane(), ecn, () -> source));
    }

    // ---- as the engine sees it

    /** A packet leaves the engine; what goes to another address than the tester's is lost. */
    void leave(Transmit packet) {
        byte[] bytes = new byte[packet.length()];
        ByteBuffer target = ByteBuffer.wrap(bytes);
        packet.copyTo(target, 0);
        Address to = packet.route().remote();
        int plane = (int) (to.low() >>> 16) & 0xFF;
        boolean isAdvertised = (to.low() >>> 24) == 10 && (to.low() & 0xFFFF) == 2 && to.port() == TESTER_PORT;
        int port = isAdvertised ? sourcePort(packet.route().entropy()) : -to.port();
        flights.add(new Flight(
                nowNs + ONE_WAY_NS,
                nextOrder++,
                true,
                plane,
                port,
                ECT_0,
                packet.trafficClass() == TrafficClass.DATA ? 0 : 1,
                bytes));
    }

    private static int sourcePort(int entropy) {
        return entropy < 0 ? SERVICE_PORT : SOURCE_PORT_BASE + entropy;
    }

    @Override
    public List<String> capabilities() {
        return List.of("vtime");
    }

    @Override
    public EndpointConfig base() {
        return base;
    }

    @Override
    public VirtualHost open(EndpointConfig config, int planesOpen) {
        List<Address> addresses = new ArrayList<>();
        for (int plane = 0; plane < planesOpen; plane++) {
            addresses.add(Address.ipv4((10 << 24) | (plane << 16) | 1, SERVICE_PORT));
        }
        VirtualHost opened = new VirtualHost(this, config, addresses, seed);
        host = opened;
        return opened;
    }

    @Override
    public List<String> addresses(io.metaroce.engine.EndpointHost of) {
        return ((VirtualHost) of).addresses().stream().map(Address::toString).toList();
    }

    @Override
    public void plane(io.metaroce.engine.EndpointHost of, int plane, boolean isUp) {
        ((VirtualHost) of).plane(nowNs, plane, isUp);
    }

    /** The host is gone, and with it what was under way to it. */
    void left(VirtualHost gone) {
        if (host == gone) {
            host = null;
        }
    }

    @Override
    public void close() {}
}

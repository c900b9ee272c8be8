package io.metaroce.compliance.adapter;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.Driver;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.TransmitPort;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The sans-I/O endpoint as a host of a {@link VirtualWire}. Thread rule: the thread of the test. */
final class VirtualHost implements EndpointHost {
    private static final int RINGS = 1 << 12;
    private static final int ALL_PLANES = 0xFFFF;

    private final VirtualWire wire;
    private final EndpointConfig config;
    private final List<Address> addresses;
    private final Counters counters = new Counters();
    private final CommandQueue<Endpoint> commands = new CommandQueue<>();
    private final DoorbellQueue doorbells = new DoorbellQueue(RINGS);
    private final Endpoint endpoint;
    private final Driver driver;
    private long deadlineNs = Endpoint.NEVER;
    private boolean isClosed;

    VirtualHost(VirtualWire wire, EndpointConfig config, List<Address> addresses, long seed) {
        this.wire = wire;
        this.config = config;
        this.addresses = addresses;
        endpoint = new Endpoint(
                config, addresses, new SplitMix64(seed), counters, TransportEvents.NONE, commands, doorbells);
        driver = new Driver(endpoint, new TransmitPort() {
            @Override
            public int planesWithRoom() {
                return ALL_PLANES;
            }

            @Override
            public void send(Transmit packet) {
                wire.leave(packet);
            }

            @Override
            public void flush() {}
        });
    }

    boolean isRung() {
        return !isClosed && doorbells.isPending();
    }

    long deadlineNs() {
        return isClosed ? Long.MAX_VALUE : deadlineNs;
    }

    List<Address> addresses() {
        return addresses;
    }

    void receive(long nowNs, Datagram datagram) {
        if (!isClosed) {
            driver.feed(nowNs, datagram);
            quiesce(nowNs);
        }
    }

    void quiesce(long nowNs) {
        long next = driver.quiesce(nowNs);
        deadlineNs = next <= nowNs ? nowNs + 1 : next;
    }

    void plane(long nowNs, int plane, boolean isUp) {
        if (isUp) {
            endpoint.planeUp(nowNs, plane);
        } else {
            endpoint.planeDown(nowNs, plane);
        }
        quiesce(nowNs);
    }

    @Override
    public CommandQueue<Endpoint> commands() {
        return commands;
    }

    @Override
    public DoorbellQueue doorbells() {
        return doorbells;
    }

    @Override
    public EndpointConfig config() {
        return config;
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public Address localAddress() {
        return addresses.get(0);
    }

    @Override
    public Address resolve(String text) {
        return Addresses.parse(text);
    }

    /** Time passes only while the tester lets it, so what is not done at once is not awaited. */
    @Override
    public boolean await(BooleanSupplier done, long timeoutNs) {
        if (!done.getAsBoolean() && !isClosed) {
            quiesce(wire.nowNs());
        }
        return done.getAsBoolean();
    }

    @Override
    public void signal() {}

    @Override
    public @Nullable String diagnose(Address remote, long timeoutNs) {
        return null;
    }

    @Override
    public void close() {
        isClosed = true;
        wire.left(this);
    }
}

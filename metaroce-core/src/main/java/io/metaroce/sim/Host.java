package io.metaroce.sim;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.AddressSource;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Route;
import io.metaroce.datagram.Transmit;
import io.metaroce.engine.Driver;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PacketTap;
import io.metaroce.engine.TransmitPort;
import io.metaroce.num.Deadline;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.metaroce.wire.Crc32cTrailer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A simulated host: one real endpoint behind the one driver, with a NIC port per plane. Everything that runs here runs
 * over sockets too.
 *
 * <p>The NIC pulls: after each datagram and at each wake the driver runs, and the endpoint is asked for packets while a
 * port has room. Waiting means letting the world go on: {@link #await} steps it.
 */
public final class Host implements EndpointHost, EdgeNode {
    private static final int PADDED_BYTES = 1000;
    private static final int RINGS_MIN = 1 << 12;
    private static final int RINGS_MAX = 1 << 20;
    private static final Pattern NUMERIC = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)");

    private final World world;
    private final Attachment attachment;
    private final EndpointConfig config;
    private final HostClock clock;
    private final List<Address> addresses;
    private final Counters counters = new Counters();
    private final CommandQueue<Endpoint> commands = new CommandQueue<>();
    private final DoorbellQueue doorbells;
    private final Endpoint endpoint;
    private final Driver driver;
    private final Datagram datagram = new Datagram();
    private final Arriving arriving = new Arriving();
    private long deadlineNs = Deadline.NEVER;
    private boolean isRung;
    private boolean isClosed;

    private Host(Attachment attachment, World world, EndpointConfig config, TransportEvents events, HostClock clock) {
        this.world = world;
        this.attachment = attachment;
        this.config = config;
        this.clock = clock;
        boolean isPhantom = world.payload() == WorldConfig.Payload.PHANTOM;
        if (isPhantom && config.security().isEncrypted()) {
            throw new IllegalArgumentException(attachment.name() + " encrypts, which reads payload, in a world that"
                    + " carries none; change security.presharedKey or WorldConfig.payload");
        }
        addresses = new ArrayList<>();
        for (int plane = 0; plane < attachment.planes(); plane++) {
            addresses.add(Addressing.of(plane, attachment.node()));
        }
        int connections = config.limits().connections();
        doorbells = new DoorbellQueue(Math.min(Math.max(RINGS_MIN, 8 * connections), RINGS_MAX));
        endpoint = new Endpoint(
                config,
                List.copyOf(addresses),
                world.seeds().stream("host", attachment.node() + ((long) attachment.incarnation() << Integer.SIZE)),
                counters,
                events,
                commands,
                doorbells,
                world.firstNumbers(),
                isPhantom ? new HeaderTrailer() : new Crc32cTrailer());
        driver = new Driver(endpoint, new Ports());
    }

    /** Puts a host with an endpoint on a place of the fabric. */
    public static Host attach(Attachment place, EndpointConfig config) {
        return attach(place, config, TransportEvents.NONE);
    }

    /** Puts a host with an endpoint on a place of the fabric and tells {@code events} what happens inside. */
    public static Host attach(Attachment place, EndpointConfig config, TransportEvents events) {
        return attach(place, config, events, HostClock.TRUE);
    }

    /** The same with a clock of its own. */
    public static Host attach(Attachment place, EndpointConfig config, TransportEvents events, HostClock clock) {
        World world = place.world();
        Host host = new Host(place, world, config, events, clock);
        place.attach(host);
        world.joined(host);
        host.doorbells.onWake(host::onDoorbell);
        return host;
    }

    /**
     * Crashes and starts again: everything this host knew is gone without a word, and an endpoint that knows nothing
     * receives at its addresses. This object is of no use from then on.
     */
    public Host restart() {
        return restart(config);
    }

    /** The same with other settings. */
    public Host restart(EndpointConfig settings) {
        isClosed = true;
        attachment.detach();
        world.left(this);
        return attach(attachment, settings, TransportEvents.NONE, clock);
    }

    /** Falls silent at this instant, as by loss of power: nobody is told, nothing more is sent or received. */
    public void crash() {
        isClosed = true;
        attachment.close();
        attachment.rekey();
    }

    /** Whether it was closed, has crashed or was replaced by a restart. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Its name. */
    public String name() {
        return attachment.name();
    }

    /** Its place in the fabric. */
    public Attachment attachment() {
        return attachment;
    }

    /** The world it lives in. */
    public World world() {
        return world;
    }

    /** The endpoint, to look at and to command directly; call {@link #touched} after commanding it. */
    public Endpoint endpoint() {
        return endpoint;
    }

    /** What its own clock shows now: the time to command the endpoint with. */
    public long nowNs() {
        return clock.readNs(world.nowPs());
    }

    /** The endpoint was commanded directly: let its driver run at this instant. */
    public void touched() {
        onDoorbell();
    }

    /** The addresses it receives at, by plane. */
    public List<Address> addresses() {
        return List.copyOf(addresses);
    }

    // ---- what applications build on ----

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

    /** Knows the names of nodes and their numeric addresses; {@code a}, {@code 10.0.0.1}, {@code 10.0.0.1:49741}. */
    @Override
    public Address resolve(String text) {
        int colon = text.indexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        int port = colon < 0 ? Addressing.SERVICE_PORT : port(text, text.substring(colon + 1));
        Matcher numeric = NUMERIC.matcher(host);
        if (numeric.matches()) {
            int bits = 0;
            for (int i = 1; i <= 4; i++) {
                bits = (bits << 8) | octet(text, numeric.group(i));
            }
            return Address.ipv4(bits, port);
        }
        return Addressing.of(0, world.fabric().attachment(host).node(), port);
    }

    @Override
    public boolean await(BooleanSupplier done, long timeoutNs) {
        return world.runUntil(done, timeoutNs);
    }

    /** Does nothing: whoever waits looks again after each event anyway. */
    @Override
    public void signal() {}

    @Override
    public @Nullable String diagnose(Address remote, long timeoutNs) {
        int node = Addressing.node(remote);
        List<Attachment> places = world.fabric().attachments();
        if (node < 0 || node >= places.size()) {
            return String.format(Locale.ROOT, "no route: the simulated fabric has no host with address %s", remote);
        }
        if (!places.get(node).isAttached() || places.get(node).isClosed()) {
            return "port unreachable: nothing is attached at "
                    + places.get(node).name();
        }
        if (remote.port() != Addressing.SERVICE_PORT) {
            return "port unreachable: simulated hosts listen at port " + Addressing.SERVICE_PORT + " only";
        }
        return null;
    }

    @Override
    public void tap(@Nullable PacketTap tap) {
        driver.tap(tap);
    }

    @Override
    public Address sourceAddress(int plane, int entropy) {
        int port = entropy == Route.SERVICE ? Addressing.SERVICE_PORT : Addressing.FIRST_SOURCE_PORT + entropy;
        return Addressing.of(plane, attachment.node(), port);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (int connectionId : List.copyOf(endpoint.connectionIds())) {
            endpoint.abort(nowNs(), connectionId);
        }
        run(nowNs());
        attachment.close();
    }

    // ---- what the world calls ----

    @Override
    public void onArrival(long timePs, int packet) {
        PacketPool packets = world.packets();
        arriving.packet = packet;
        packets.show(packet, datagram, arriving);
        if (packets.heldBytes(packet) < packets.length(packet)) {
            checkPhantom(packet);
        } else if (isPadded(packet) && packets.isCorrupted(packet)) {
            spoilTrailer(packet);
        }
        driver.feed(clock.readNs(timePs), datagram);
        packets.release(packet);
        run(clock.readNs(timePs));
    }

    // Nobody may read the bytes that are not there, and a payload in which the fabric flipped a bit must not pass.
    private void checkPhantom(int packet) {
        if (endpoint.regions().nulls() < endpoint.regions().count()) {
            throw new IllegalStateException(name() + " has a region with memory in a world that carries no payload;"
                    + " use RegionTable.registerNull, or change WorldConfig.payload");
        }
        if (world.packets().isCorrupted(packet)) {
            spoilTrailer(packet);
        }
    }

    // Only reports and padded probes are long and carried in full; the padding is behind what their trailer covers.
    private boolean isPadded(int packet) {
        return world.payload() == WorldConfig.Payload.PHANTOM && world.packets().length(packet) > PADDED_BYTES;
    }

    private void spoilTrailer(int packet) {
        PacketPool packets = world.packets();
        int last = packets.offset(packet) + packets.heldBytes(packet) - 1;
        packets.bytes(packet).put(last, (byte) ~packets.bytes(packet).get(last));
    }

    @Override
    public void onWake(long timePs) {
        run(clock.readNs(timePs));
    }

    @Override
    public long nextWakePs() {
        if (isClosed) {
            return SimTime.NEVER;
        }
        if (isRung) {
            return world.nowPs();
        }
        return Math.min(clock.whenPs(deadlineNs), earliestPortPs());
    }

    private void run(long nowNs) {
        isRung = false;
        deadlineNs = driver.quiesce(nowNs);
        if (deadlineNs <= nowNs) {
            // What is due and was not done waits for a port; the earliest port wakes us. If none is busy, time goes on.
            deadlineNs = earliestPortPs() == SimTime.NEVER ? nowNs + 1 : Deadline.NEVER;
        }
    }

    // When the first of the busy ports becomes free: the endpoint may have something for it.
    private long earliestPortPs() {
        long earliest = SimTime.NEVER;
        for (int plane = 0; plane < attachment.planes(); plane++) {
            NicPort port = attachment.port(plane);
            if (!port.hasRoom(world.nowPs())) {
                earliest = Math.min(earliest, port.freeAtPs());
            }
        }
        return earliest;
    }

    private void onDoorbell() {
        if (!isClosed) {
            isRung = true;
            attachment.rekey();
        }
    }

    private static int port(String text, String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the port in " + text + " is not a number", e);
        }
    }

    private static int octet(String text, String digits) {
        int value = digits.length() > 3 ? 256 : Integer.parseInt(digits);
        if (value > 255) {
            throw new IllegalArgumentException(text + " is not an IPv4 address: " + digits + " is beyond 255");
        }
        return value;
    }

    @Override
    public String toString() {
        return name();
    }

    /** The NIC ports as the driver sees them. */
    private final class Ports implements TransmitPort {
        @Override
        public int planesWithRoom() {
            int planes = 0;
            for (int plane = 0; plane < attachment.planes(); plane++) {
                if (attachment.port(plane).hasRoom(world.nowPs())) {
                    planes |= 1 << plane;
                }
            }
            return planes;
        }

        @Override
        public void send(Transmit packet) {
            attachment.port(packet.route().plane()).send(world.nowPs(), packet);
        }

        @Override
        public void flush() {}
    }

    /** Says where the packet came from that is being delivered. */
    private final class Arriving implements AddressSource {
        private int packet;

        @Override
        public Address address() {
            PacketPool packets = world.packets();
            return Addressing.of(packets.plane(packet), packets.source(packet), packets.sourcePort(packet));
        }
    }
}

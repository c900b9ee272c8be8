package io.metaroce.udp;

import io.metaroce.datagram.Address;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PacketTap;
import io.metaroce.num.Entropy;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Reception;
import io.metaroce.queue.CommandQueue;
import io.metaroce.queue.DoorbellQueue;
import io.metaroce.trace.Counters;
import io.metaroce.trace.TransportEvents;
import io.netty.channel.socket.DatagramChannel;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An endpoint on real sockets. Made by {@link #bind}; what applications do with it is in {@link EndpointHost}.
 *
 * <ul>
 *   <li>One event loop drives it, its own (a daemon thread) or a shared one. An idle endpoint uses no processor time.
 *   <li>{@link #close} ends connections at once and leaves no thread and no socket behind; it may be called twice.
 * </ul>
 */
public final class UdpEndpoint implements EndpointHost {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");
    private static final long LOOP_TIMEOUT_S = 10;

    private final EventLoops loops;
    private final UdpSockets sockets;
    private final UdpConfig asked;
    private final EndpointConfig config;
    private final Capabilities capabilities;
    private final Reception reception;
    private final Lanes lanes;
    private final List<ServiceSocket> services;
    private final List<Address> addresses;
    private final List<PlaneInfo> planeInfos;
    private final Counters counters = new Counters();
    private final CommandQueue<Endpoint> commands;
    private final DoorbellQueue doorbells;
    private final MonotonicTime clock = new MonotonicTime();
    private final Waiters waiters = new Waiters();
    private final SendTally tally = new SendTally();
    private final SendTrouble trouble = new SendTrouble(clock);
    private final FaultControl faults = new FaultControl(clock);
    private final AtomicBoolean closed = new AtomicBoolean();

    // The rest belongs to the event loop.
    private final List<SourcePorts> pools = new ArrayList<>(); // by plane
    private final SendBatch batch;
    private final Endpoint endpoint;
    private final @Nullable ReceiveQueues queues;
    private final EnginePass work;
    private final LoopDriver driver;
    private final Inbox inbox;
    private boolean hasNews;
    private boolean tornDown;

    UdpEndpoint(UdpConfig asked, Lane lane, Capabilities capabilities, Reception reception, Lanes lanes) {
        this.asked = asked;
        this.loops = lane.loops();
        this.sockets = lane.sockets();
        this.services = lane.services();
        this.capabilities = capabilities;
        this.reception = reception;
        this.lanes = lanes;
        this.config = EffectiveSettings.of(asked, services, capabilities, lanes.count());
        this.addresses = services.stream().map(ServiceSocket::address).toList();
        this.planeInfos = services.stream().map(PlaneInfo::of).toList();
        this.commands = new CommandQueue<>(asked.commandsMax());
        this.doorbells = new DoorbellQueue(asked.workQueuesMax());

        this.queues = capabilities.congestionMarks().isOn() ? new ReceiveQueues(loops.turnsOrThrow()) : null;

        Entropy entropy = entropy(asked, reception.shard());
        Plane[] planes = new Plane[services.size()];
        OutboundSocket[] outbound = new OutboundSocket[planes.length];
        for (int i = 0; i < planes.length; i++) {
            outbound[i] = outbound(services.get(i).channel(), i);
            planes[i] = plane(i, outbound[i], entropy);
        }
        this.batch = new SendBatch(planes, tally, this::requestPass);
        for (OutboundSocket each : outbound) {
            each.listener(batch);
        }
        TransportEvents events =
                EventFan.of(new UdpLog(), EventFan.of(new News(), EventFan.of(asked.events(), FlightEvents.orNone())));
        this.endpoint = new Endpoint(
                config, addresses, entropy.split("endpoint", 0), counters, events, commands, doorbells, reception);
        FaultInjector injector = new FaultInjector(batch, faults, this::passNowNs, entropy.split("faults", 0));
        this.work = new EnginePass(endpoint, doorbells, batch, injector, this::passDone, this::failed, queues);
        this.driver = new LoopDriver(loops.loop(), clock, work);
        this.inbox = inbox();
        lanes.join(reception.shard(), inbox);
        faults.plan(asked.faults());
    }

    /**
     * Binds an endpoint: opens its sockets, proves what they can do, starts its event loop.
     *
     * @throws BindFailedException when an address cannot be bound
     * @throws IllegalArgumentException when an address is malformed, unknown, or one that cannot be told to peers
     * @throws UnsupportedOperationException when something demanded does not work here
     */
    public static UdpEndpoint bind(UdpConfig config) {
        return EndpointBinder.bind(config, 1).get(0);
    }

    @Override
    public CommandQueue<Endpoint> commands() {
        return commands;
    }

    @Override
    public DoorbellQueue doorbells() {
        return doorbells;
    }

    /** The settings as fitted to this machine: line rate, receive buffer, MTU. */
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

    /** The addresses the endpoint receives at, one per plane. */
    public List<Address> localAddresses() {
        return addresses;
    }

    /** The planes with their interfaces, in order; looked up when the endpoint was bound. */
    public List<PlaneInfo> planes() {
        return planeInfos;
    }

    /** What its sockets can do, and why not. */
    public Capabilities capabilities() {
        return capabilities;
    }

    /** Receive buffer that the kernel granted to all planes together, in bytes. */
    public long receiveBufferBytes() {
        return services.stream().mapToLong(ServiceSocket::receiveBufferBytes).sum();
    }

    /** What has been sent so far, as of the end of the last pass. */
    public SendStatistics sendStatistics() {
        return tally.snapshot();
    }

    /**
     * How often its event loop has woken or looked for packets, since it was bound; 0 with shared event loops. Any
     * thread.
     */
    public long wakeUps() {
        LoopTurns turns = loops.turns();
        return turns == null ? 0 : turns.number();
    }

    /** Fault injection on the sending side of this endpoint. */
    public FaultControl faults() {
        return faults;
    }

    /** Packets that the loops of other endpoints at this address have handed over. */
    long handedOver() {
        return inbox.handedOver();
    }

    /** Packets for this endpoint that other loops have read and could not hand over. */
    long lostBetweenLoops() {
        return inbox.dropped();
    }

    /**
     * Packets from this source port leave as if a queue on their way had marked every one of them: what a test has
     * where it may set up no network that marks.
     */
    void congest(int plane, int entropy) {
        onLoop(() -> UdpSockets.mark(pools.get(plane).apply(entropy).channel(), asked.dataDscp()));
    }

    @Override
    public Address resolve(String text) {
        HostPort parts = HostPort.parse(text);
        int port = parts.portOr(UdpConfig.DEFAULT_PORT);
        if (port == 0) {
            throw new IllegalArgumentException("the address \"" + text + "\" has port 0, where nobody can listen");
        }
        InetAddress[] found = parts.addresses();
        int family = localAddress().family();
        for (InetAddress each : found) {
            Address address = SocketAddresses.toAddress(new InetSocketAddress(each, port));
            if (address.family() == family) {
                return address;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" has no IPv" + family + " address (it is "
                + found[0].getHostAddress() + "), but this endpoint is bound to " + localAddress()
                + "; bind an endpoint to an address of the same family");
    }

    @Override
    public boolean await(BooleanSupplier done, long timeoutNs) {
        if (loops.loop().inEventLoop()) {
            throw new IllegalStateException("waiting on the endpoint's own thread would wait for ever");
        }
        return waiters.await(done, timeoutNs);
    }

    @Override
    public void signal() {
        waiters.signal();
    }

    @Override
    public @Nullable String diagnose(Address remote, long timeoutNs) {
        InetAddress local = services.get(0).local();
        return Reachability.diagnose(local, new SocketAddresses(local).of(remote), timeoutNs);
    }

    @Override
    public void tap(@Nullable PacketTap tap) {
        onLoop(() -> work.tap(tap));
    }

    @Override
    public Address sourceAddress(int plane, int entropy) {
        InetSocketAddress local =
                (InetSocketAddress) batch.socket(plane, entropy).channel().localAddress();
        return SocketAddresses.toAddress(local);
    }

    @Override
    public long epochNs() {
        return clock.epochNs();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                if (loops.loop().inEventLoop()) {
                    // Perhaps in the middle of a pass: that is brought to its end first.
                    loops.loop().execute(this::endConnections);
                } else {
                    onLoop(this::endConnections);
                }
            } catch (RejectedExecutionException e) {
                // A shared event loop was ended before its endpoint: sockets and timers are gone with it.
                batch.close();
                waiters.close();
            }
        }
        loops.close();
    }

    @Override
    public String toString() {
        return "UdpEndpoint[" + addresses + "]";
    }

    /** Runs on the event loop and waits for it; runs at once when called there. */
    private void onLoop(Runnable action) {
        if (loops.loop().inEventLoop()) {
            action.run();
            return;
        }
        Future<?> done = loops.loop().submit(action);
        if (!done.awaitUninterruptibly(LOOP_TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the event loop did not answer within " + LOOP_TIMEOUT_S + " s");
        }
        if (done.cause() instanceof RuntimeException e) {
            throw e;
        }
    }

    /** Begins to read, and waits until it has. */
    void start() {
        onLoop(this::startOnLoop);
    }

    private void startOnLoop() {
        for (int i = 0; i < services.size(); i++) {
            ServiceSocket service = services.get(i);
            OutboundSocket outbound = batch.service(i);
            int plane = i;
            service.start(
                    codepoint -> new SocketHandler(
                            driver,
                            new ReceiveBatch(
                                    driver,
                                    plane,
                                    ReceiveBatch.Intake.ALL,
                                    codepoint,
                                    lanes.count() == 1 ? null : lanes,
                                    reception.shard()),
                            outbound),
                    queues);
            String advice = SocketBuffers.advice(asked.receiveBufferBytes(), service.receiveBufferBytes());
            if (advice != null) {
                LOG.warn("{}: {}", addresses.get(i), advice);
            }
        }
        doorbells.onWake(driver);
        driver.requestPass();
        LOG.info(
                "bound {}: {}; receive buffer {}; {} source ports per plane",
                addresses,
                capabilities,
                SocketBuffers.size(receiveBufferBytes()),
                config.limits().sourcePorts());
    }

    private static Entropy entropy(UdpConfig asked, int shard) {
        Entropy entropy = asked.seed().isPresent() ? new SplitMix64(asked.seed().getAsLong()) : new SystemEntropy();
        return shard == 0 ? entropy : entropy.split("shard", shard);
    }

    private Inbox inbox() {
        ReceiveBatch[] byPlane = new ReceiveBatch[services.size()];
        for (int plane = 0; plane < byPlane.length; plane++) {
            byPlane[plane] = new ReceiveBatch(driver, plane, ReceiveBatch.Intake.ALL);
        }
        return new Inbox(
                loops.loop(),
                Inbox.PACKETS_MAX,
                (packet, plane) -> byPlane[plane].deliver(packet),
                driver::requestPass);
    }

    private OutboundSocket outbound(DatagramChannel channel, int plane) {
        OutboundSocket.Segmentation segmentation =
                capabilities.segmentation().isOn() ? OutboundSocket.Segmentation.ON : OutboundSocket.Segmentation.OFF;
        return new OutboundSocket(channel, plane, segmentation, tally, trouble);
    }

    private Plane plane(int index, OutboundSocket service, Entropy entropy) {
        InetAddress local = services.get(index).local();
        SourcePorts pool = new SourcePorts(
                config.limits().sourcePorts(),
                port -> openSourcePort(index, new InetSocketAddress(local, port)),
                entropy.split("sourcePort", index),
                service);
        pools.add(pool);
        return new Plane(service, pool, new SocketAddresses(local));
    }

    private OutboundSocket openSourcePort(int plane, InetSocketAddress local) {
        DatagramChannel channel = sockets.create(local.getAddress());
        UdpSockets.dress(channel, local.getAddress(), asked.dataDscp());
        channel.config().setSendBufferSize(asked.sendBufferBytes());
        channel.config().setReceiveBufferSize(SourcePorts.RECEIVE_BUFFER_BYTES);
        OutboundSocket socket = outbound(channel, plane);
        socket.listener(batch);
        // Peers answer to the advertised address. Only who does not know us any more answers to where a packet came
        // from.
        ReceiveBatch replies = new ReceiveBatch(driver, plane, ReceiveBatch.Intake.STATELESS_REPLIES);
        sockets.bind(channel, local, new SocketHandler(driver, replies, socket));
        channel.config().setAutoRead(true);
        return socket;
    }

    private void requestPass() {
        driver.requestPass();
    }

    private long passNowNs() {
        return driver.passNowNs();
    }

    /** Connections came or went in this pass; their listeners have been told, so waiters may look. */
    private void passDone() {
        if (hasNews) {
            hasNews = false;
            waiters.signal();
        }
    }

    private void endConnections() {
        if (tornDown) {
            return;
        }
        try {
            long nowNs = clock.getAsLong();
            for (int id : endpoint.connectionIds()) {
                endpoint.abort(nowNs, id);
            }
            long unused = work.quiesce(nowNs);
        } finally {
            tearDown();
        }
    }

    private void tearDown() {
        if (tornDown) {
            return;
        }
        tornDown = true;
        driver.stop();
        pools.forEach(SourcePorts::close);
        services.forEach(ServiceSocket::close);
        batch.close();
        waiters.close();
    }

    /** The engine threw. Its state cannot be trusted any more, so the endpoint ends; whoever waits is let go. */
    private void failed(Throwable cause) {
        LOG.error("the endpoint {} failed and is closed", addresses, cause);
        if (closed.compareAndSet(false, true)) {
            tearDown();
            loops.close();
        }
    }

    /** Notes what waiters wait for. */
    private final class News implements TransportEvents {
        @Override
        public void established(long nowNs, int connectionId) {
            hasNews = true;
        }

        @Override
        public void closed(long nowNs, int connectionId, int reason) {
            hasNews = true;
        }

        @Override
        public void streamFailed(long nowNs, int connectionId, int stream, int code) {
            hasNews = true;
        }
    }
}

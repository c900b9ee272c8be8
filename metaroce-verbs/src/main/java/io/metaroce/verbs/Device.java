package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import io.metaroce.engine.EndpointHost;
import io.metaroce.trace.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verbs of one endpoint: over sockets or in the simulator, the same.
 *
 * <p>A device owns its endpoint: closing the device closes connections, queues and regions, and then the endpoint.
 */
public final class Device implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Device.class);

    /** First address given out: far from 0, so that a forgotten address is found out. */
    private static final long FIRST_ADDRESS = 0x10_0000_0000L;
    /** Regions begin at multiples of this, with at least as much between them, so that an overrun is found out. */
    private static final long ADDRESS_STEP = 1 << 21;

    /** Closed queue pairs whose last words are kept for completions that nobody has polled yet. */
    private static final int EPITAPHS = 256;

    private static final int FIRST_QP_NUMBER = 0x11;
    private static final int QP_NUMBER_BITS = 24;

    private final EndpointHost host;
    private final EngineThread engine;
    private final AsyncEvents events;
    private final Settling settling;
    private final DeviceAttributes attributes;
    private final Regions regions;
    private final AtomicLong nextAddress = new AtomicLong(FIRST_ADDRESS);
    private final AtomicInteger nextQpNumber = new AtomicInteger(FIRST_QP_NUMBER);
    private final AtomicInteger nextNumber = new AtomicInteger(1);
    private final Map<Integer, QueuePair> queuePairs = new ConcurrentSkipListMap<>();
    private final AtomicReferenceArray<@Nullable Epitaph> epitaphs = new AtomicReferenceArray<>(EPITAPHS);
    private final Registry<ProtectionDomain> domains = new Registry<>();
    private final Registry<CompletionQueue> completionQueues = new Registry<>();
    private final Registry<Listener> listeners = new Registry<>();
    private final Registry<Connection> connections = new Registry<>();
    private final MemoryBudget memory = new MemoryBudget(MemoryBudget.process());
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The last words of a queue pair that was closed. */
    private record Epitaph(int qpNumber, String cause) {}

    private Device(EndpointHost host) {
        this.host = host;
        engine = new EngineThread(host);
        events = new AsyncEvents(host, engine);
        settling = new Settling(host.doorbells());
        attributes = DeviceAttributes.of(host.localAddress(), host.config());
        regions = new Regions(attributes.regionsMax());
    }

    /** The verbs of an endpoint, which belongs to the device from now on. One device for each endpoint. */
    public static Device open(EndpointHost host) {
        return new Device(host);
    }

    // ---- what it is ----

    /** What it can do. */
    public DeviceAttributes attributes() {
        return attributes;
    }

    /** Where it receives, on its first plane. */
    public Address address() {
        return attributes.address();
    }

    /** Its counters, readable at any time. */
    public Counters counters() {
        return host.counters();
    }

    // ---- making things ----

    /** Makes a protection domain. */
    public ProtectionDomain createProtectionDomain() {
        refuseIfClosed("create a protection domain");
        ProtectionDomain domain = new ProtectionDomain(this, nextNumber.getAndIncrement());
        domains.add(domain);
        return domain;
    }

    /** Makes a completion queue that holds {@code depth} results; at least one for each queue that reports to it. */
    public CompletionQueue createCompletionQueue(int depth) {
        refuseIfClosed("create a completion queue");
        if (depth < 1 || depth > attributes.queueDepthMax()) {
            throw new VerbsException(
                    toString(),
                    "a completion queue of depth " + depth,
                    "1 to " + attributes.queueDepthMax(),
                    "change the depth");
        }
        CompletionQueue queue = new CompletionQueue(this, nextNumber.getAndIncrement(), depth);
        completionQueues.add(queue);
        return queue;
    }

    /** Lets peers ask for a service. */
    public Listener listen(int serviceId) {
        refuseIfClosed("listen");
        Listener listener = new Listener(this, serviceId);
        listener.open();
        listeners.add(listener);
        return listener;
    }

    /** How to connect to a peer. */
    public Connector connector() {
        refuseIfClosed("connect");
        return new Connector(this);
    }

    /** Connects queue pairs to a peer's service; see {@link Connector#connect(String, int, QueuePair...)}. */
    public Connection connect(String address, int serviceId, Duration timeout, QueuePair... queuePairs)
            throws VerbsConnectException {
        return connector().withTimeout(timeout).connect(address, serviceId, queuePairs);
    }

    // ---- events ----

    /** Has events told to a listener from now on, instead of kept for {@link #nextEvent}. */
    public void onEvent(AsyncEventListener listener) {
        events.listener(listener);
    }

    /** Has what happens to connections told in the words of librdmacm, from now on. */
    public void onCmEvent(CmEventListener listener) {
        events.manager(listener);
    }

    /** The oldest event nobody has seen, waiting for one if need be; empty when none came in time. */
    public Optional<AsyncEvent> nextEvent(Duration timeout) {
        return events.next(timeout);
    }

    // ---- memory and leaks ----

    /** The limit and the gauge of the memory that this device makes. */
    public MemoryBudget memory() {
        return memory;
    }

    /**
     * What has been made and not closed: regions and queue pairs, one line each, with where it was made when
     * {@code -Dmetaroce.leaks=true} or {@link Creation#trace} says so. Asked before closing, it tells what leaks.
     */
    public List<String> unclosed() {
        List<String> lines = new ArrayList<>();
        for (ProtectionDomain domain : domains.all()) {
            domain.unclosed(lines);
        }
        return lines;
    }

    // ---- planes ----

    /**
     * Takes the own port of a plane out of use: everything leaves it at once, and peers are told.
     *
     * @param plane 0 and up, in the order in which the endpoint was bound
     */
    public void planeDown(int plane) {
        engine.run(this, "take plane " + plane + " down", (nowNs, endpoint) -> endpoint.planeDown(nowNs, plane));
    }

    /** Lets the own port of a plane be used again. */
    public void planeUp(int plane) {
        engine.run(this, "bring plane " + plane + " up", (nowNs, endpoint) -> endpoint.planeUp(nowNs, plane));
    }

    /**
     * Waits until {@code done} says true: parks the thread, virtual or not, or steps the simulated world. It is asked
     * again whenever results or events came. {@code done} must not wait itself.
     *
     * @return false when the time is over first
     */
    public boolean await(BooleanSupplier done, Duration timeout) {
        return engine.await(this, "await", done, Durations.toNanos(timeout));
    }

    // ---- closing ----

    /** {@link #close(Duration)} with the endpoint's time for quiescing. */
    @Override
    public void close() {
        close(closingTime());
    }

    /**
     * Closes all connections at once, gracefully for at most {@code timeout} together; then everything else and the
     * endpoint. Does nothing the second time.
     *
     * @return what was flushed on connections that were open
     */
    public FlushReport close(Duration timeout) {
        if (!engine.closes(this, closed)) {
            return FlushReport.NOTHING;
        }
        if (Creation.isTraced()) {
            unclosed().forEach(line -> LOG.warn("{} closes what nobody closed: {}", this, line));
        }
        FlushReport report = FlushReport.NOTHING;
        try {
            report = closeConnections(Durations.toNanos(timeout));
            QueuePair.endAll(this, queuePairs.values());
            completionQueues.all().forEach(CompletionQueue::close);
            domains.all().forEach(ProtectionDomain::close);
        } catch (VerbsException e) {
            // The endpoint was closed under the device: there is nobody left to tell.
            LOG.debug("{} could not close everything in order", this, e);
        } finally {
            host.close();
        }
        return report;
    }

    private FlushReport closeConnections(long timeoutNs) {
        List<Connection> open = connections.all();
        listeners.all().forEach(Listener::close);
        // One command for all, however many there are.
        engine.run(this, "close", (nowNs, endpoint) -> open.forEach(each -> each.beginToClose(nowNs, endpoint)));
        if (!areClosed(open, timeoutNs)) {
            engine.run(this, "give up", (nowNs, endpoint) -> open.forEach(each -> each.abort(nowNs, endpoint)));
            boolean unused = areClosed(open, Connection.ABORT_NS);
        }
        FlushReport report = FlushReport.NOTHING;
        for (Connection connection : open) {
            report = report.plus(connection.awaitClosed(0));
        }
        return report;
    }

    private boolean areClosed(List<Connection> some, long timeoutNs) {
        // Those that are closed need not be asked again.
        int[] first = {0};
        return engine.await(
                this,
                "close",
                () -> {
                    while (first[0] < some.size() && some.get(first[0]).isClosed()) {
                        first[0]++;
                    }
                    return first[0] == some.size();
                },
                timeoutNs);
    }

    Duration closingTime() {
        return Duration.ofNanos(host.config().liveness().quiesceNs());
    }

    // ---- for its parts ----

    EndpointHost host() {
        return host;
    }

    EngineThread engine() {
        return engine;
    }

    AsyncEvents events() {
        return events;
    }

    Settling settling() {
        return settling;
    }

    Regions regions() {
        return regions;
    }

    /** Where and why a queue pair failed, also for some time after it was closed. */
    String causeOfFailure(int qpNumber) {
        QueuePair queuePair = queuePairs.get(qpNumber);
        if (queuePair != null) {
            return queuePair.causeOfFailure();
        }
        Epitaph epitaph = epitaphs.get(qpNumber % EPITAPHS);
        return epitaph != null && epitaph.qpNumber() == qpNumber ? epitaph.cause() : "QP " + qpNumber + ".";
    }

    Address resolve(String text) {
        try {
            return host.resolve(text);
        } catch (IllegalArgumentException e) {
            throw new VerbsException(
                    toString(),
                    "connect to \"" + text + "\"",
                    String.valueOf(e.getMessage()),
                    "give host, host:port or [v6]:port",
                    e);
        }
    }

    /** Addresses for a region; never given out again. */
    long addressSpace(long bytes) {
        long room = (bytes + 2 * ADDRESS_STEP - 1) / ADDRESS_STEP * ADDRESS_STEP;
        return nextAddress.getAndAdd(room);
    }

    int nextNumber() {
        return nextNumber.getAndIncrement();
    }

    int nextQpNumber() {
        while (true) {
            int number = nextQpNumber.getAndIncrement() & ((1 << QP_NUMBER_BITS) - 1);
            if (number >= FIRST_QP_NUMBER && !queuePairs.containsKey(number)) {
                return number;
            }
        }
    }

    void checkOwn(QueuePair queuePair) {
        if (queuePair.domain().device() != this) {
            throw new VerbsException(
                    toString(), "connect " + queuePair, "it belongs to another device", "connect it through its own");
        }
    }

    void checkPrivateData(String object, byte[] bytes) {
        if (bytes.length > attributes.privateDataBytesMax()) {
            throw new VerbsException(
                    object,
                    bytes.length + " bytes of private data",
                    "at most " + attributes.privateDataBytesMax(),
                    "say the rest in a message once connected");
        }
    }

    void joined(QueuePair queuePair) {
        queuePairs.put(queuePair.qpNumber(), queuePair);
    }

    void joined(Connection connection) {
        connections.add(connection);
        if (connection.isClosed()) {
            connections.remove(connection);
        }
    }

    void left(Connection connection) {
        connections.remove(connection);
    }

    void forget(QueuePair queuePair) {
        int qpNumber = queuePair.qpNumber();
        epitaphs.set(qpNumber % EPITAPHS, new Epitaph(qpNumber, queuePair.causeOfFailure()));
        queuePairs.remove(qpNumber);
    }

    void forget(CompletionQueue queue) {
        completionQueues.remove(queue);
    }

    void forget(ProtectionDomain domain) {
        domains.remove(domain);
    }

    void forget(Listener listener) {
        listeners.remove(listener);
    }

    private void refuseIfClosed(String asked) {
        if (closed.get()) {
            throw new VerbsException(toString(), asked, "the device is closed", "open another one with Device.open");
        }
    }

    @Override
    public String toString() {
        return "device at " + attributes.address() + (closed.get() ? " (closed)" : "");
    }
}

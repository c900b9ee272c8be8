package io.metaroce.verbs;

import io.metaroce.datagram.Address;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.Endpoint;
import io.metaroce.engine.PathView;
import io.metaroce.engine.StreamBinding;
import io.metaroce.param.CloseReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What two devices have between them: a set of paths, shared by one or more queue pairs on either side.
 *
 * <p>Queue pair number i of one side talks to number i of the other, in the order in which they were given to connect
 * and to accept. Each has its own order and its own errors; window and paths are common.
 */
public final class Connection implements AutoCloseable {
    /** How long a connection that was given up may take to say so. */
    static final long ABORT_NS = 250_000_000;

    private static final byte[] NOTHING = {};

    private enum Phase {
        CONNECTING,
        ESTABLISHED,
        CLOSED
    }

    /** How it ended. */
    record End(CloseReason reason, String detail, long afterNs) {}

    private final Device device;
    private final Address peer;
    private final List<QueuePair> all;
    private final List<Integer> streamIds;
    private final List<QueuePair> open;
    private final Events events = new Events();
    private volatile Phase phase = Phase.CONNECTING;
    private volatile int id;
    private volatile boolean known; // to the engine, under its id
    private volatile boolean given; // up, by this side
    private volatile long beganNs;
    private volatile byte[] privateData = NOTHING;
    private volatile @Nullable End end;
    private volatile OptionalInt serviceId = OptionalInt.empty();

    private Connection(Device device, Address peer, List<QueuePair> queuePairs, List<Integer> streamIds) {
        this.device = device;
        this.peer = peer;
        this.all = List.copyOf(queuePairs);
        this.streamIds = List.copyOf(streamIds);
        this.open = new CopyOnWriteArrayList<>(queuePairs);
    }

    /** A connection to be: binds every queue pair to its stream, or none. */
    static Connection bind(Device device, Address peer, List<QueuePair> queuePairs, List<Integer> streamIds) {
        Connection connection = new Connection(device, peer, queuePairs, streamIds);
        int bound = 0;
        try {
            for (; bound < queuePairs.size(); bound++) {
                device.checkOwn(queuePairs.get(bound));
                queuePairs.get(bound).bind(connection, streamIds.get(bound));
            }
        } finally {
            if (bound < queuePairs.size()) {
                connection.unbind(bound);
            }
        }
        return connection;
    }

    /** Has the engine begin it; if it refuses, all is as before. */
    void begin(String asked, Beginning beginning) {
        boolean begun = false;
        try {
            device.engine().run(this, asked, (nowNs, endpoint) -> {
                if (given) {
                    throw new IllegalStateException("the caller does not wait any more");
                }
                beganNs = nowNs;
                id = beginning.begin(nowNs, endpoint, bindings(), events);
                known = true;
            });
            begun = true;
        } finally {
            if (!begun) {
                given = true;
                unbind();
            }
        }
        device.joined(this);
    }

    /** How the engine is told to begin. */
    interface Beginning {
        /** Returns the id of the connection. */
        int begin(long nowNs, Endpoint endpoint, List<StreamBinding> bindings, ConnectionListener listener);
    }

    /** As if it had never been: for one that did not begin. */
    void unbind() {
        unbind(all.size());
    }

    private void unbind(int count) {
        for (int i = 0; i < count; i++) {
            all.get(i).unbind();
        }
    }

    private List<StreamBinding> bindings() {
        List<StreamBinding> bindings = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            bindings.add(all.get(i).binding(streamIds.get(i)));
        }
        return List.copyOf(bindings);
    }

    // ---- what it is ----

    /** The peer's address. */
    public Address peer() {
        return peer;
    }

    /** Its queue pairs on this side, in the order given. */
    public List<QueuePair> queuePairs() {
        return all;
    }

    /** Whether it stands just now. */
    public boolean isEstablished() {
        return phase == Phase.ESTABLISHED;
    }

    /** Whether it is gone, or never came to be. */
    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** Why it is gone; empty while it is not. */
    public Optional<CloseReason> closeReason() {
        End known = end;
        return known == null ? Optional.empty() : Optional.of(known.reason());
    }

    /** What the peer's application said along with its answer, be it yes or no; empty on the side that accepted. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * The paths in use just now, with their round-trip times, windows and losses; empty when the connection is gone.
     */
    public List<PathView> paths() {
        AtomicReference<@Nullable ConnectionView> view = new AtomicReference<>();
        if (known && phase != Phase.CLOSED) {
            device.engine().run(this, "paths", (nowNs, endpoint) -> view.set(endpoint.view(id)));
        }
        ConnectionView seen = view.get();
        return seen == null ? List.of() : seen.paths();
    }

    /**
     * Takes a path out of use: it drains, then carries nothing until {@link #unparkPath}.
     *
     * @return false when there is no such path, or it is the last one in use
     */
    public boolean parkPath(int path) {
        return ordered("park path " + path, (nowNs, endpoint) -> endpoint.parkPath(nowNs, id, path));
    }

    /** Lets a parked path return, once a route of its own has answered. */
    public void unparkPath(int path) {
        boolean unused = ordered("unpark path " + path, (nowNs, endpoint) -> {
            endpoint.unparkPath(nowNs, id, path);
            return true;
        });
    }

    /**
     * Has a path drain and take another source port, and so most likely another way through the fabric.
     *
     * @return false when there is no such path, or it is pinned
     */
    public boolean redrawPath(int path) {
        return ordered("redraw path " + path, (nowNs, endpoint) -> endpoint.redrawPath(nowNs, id, path));
    }

    /**
     * Pins a path to the route it has, which it then leaves only when that fails, or lets it go again.
     *
     * @return false when there is no such path
     */
    public boolean pinPath(int path, boolean isPinned) {
        return ordered("pin path " + path, (nowNs, endpoint) -> endpoint.pinPath(id, path, isPinned));
    }

    /** What an order returns. Endpoint thread. */
    interface Order {
        boolean carryOut(long nowNs, Endpoint endpoint);
    }

    boolean ordered(String asked, Order order) {
        AtomicBoolean done = new AtomicBoolean();
        device.engine().run(this, asked, (nowNs, endpoint) -> {
            done.set(phase == Phase.ESTABLISHED && order.carryOut(nowNs, endpoint));
        });
        return done.get();
    }

    boolean isConnecting() {
        return phase == Phase.CONNECTING;
    }

    int id() {
        return id;
    }

    /** The service that this side asked for; empty on the side that accepted. */
    OptionalInt serviceId() {
        return serviceId;
    }

    void serviceId(int value) {
        serviceId = OptionalInt.of(value);
    }

    @Nullable
    End end() {
        return end;
    }

    ConnectionListener events() {
        return events;
    }

    // ---- closing ----

    /** {@link #close(Duration)} with the endpoint's time for quiescing. */
    @Override
    public void close() {
        close(device.closingTime());
    }

    /**
     * Closes the connection: own work is finished first, at most for {@code timeout}, then the rest is given up. The
     * queue pairs end in {@link QpState#ERR}. Does nothing when it is closed already.
     *
     * @return what was flushed on its queue pairs
     */
    public FlushReport close(Duration timeout) {
        askToClose();
        return awaitClosed(Durations.toNanos(timeout));
    }

    /** Begins to close, without waiting. */
    void askToClose() {
        device.engine().refuseInListener(this, "close");
        device.engine().tell(this::beginToClose);
    }

    /** Begins to close. Endpoint thread. */
    void beginToClose(long nowNs, Endpoint endpoint) {
        if (phase == Phase.ESTABLISHED) {
            endpoint.close(nowNs, id);
        } else if (phase == Phase.CONNECTING && known) {
            endpoint.abort(nowNs, id);
        }
    }

    /** Gives it up at once, if it is not closed. Endpoint thread. */
    void abort(long nowNs, Endpoint endpoint) {
        if (phase != Phase.CLOSED && known) {
            given = true;
            endpoint.abort(nowNs, id);
        }
    }

    /** Waits until it is closed, and gives it up when the time is over. */
    FlushReport awaitClosed(long timeoutNs) {
        if (!device.engine().await(this, "close", this::isClosed, timeoutNs)) {
            giveUp();
        }
        End how = end;
        boolean orderly = !given
                && how != null
                && (how.reason() == CloseReason.LOCAL_CLOSE || how.reason() == CloseReason.PEER_CLOSE);
        FlushReport report = new FlushReport(0, 0, orderly ? FlushReport.Outcome.DRAINED : FlushReport.Outcome.FORCED);
        for (QueuePair queuePair : all) {
            report = report.plus(queuePair.report(report.outcome()));
        }
        return report;
    }

    /** Gives it up at once and waits until that is done. */
    void giveUp() {
        given = true;
        device.engine().tell(this::abort);
        if (!device.engine().await(this, "give up", this::isClosed, ABORT_NS)) {
            // The engine has forgotten it, so nobody else will say that it is gone.
            device.engine().run(this, "give up", (nowNs, endpoint) -> {
                if (phase != Phase.CLOSED) {
                    events.closed(
                            nowNs, id, CloseReason.LOCAL_ABORT, "the endpoint does not know it any more", NOTHING);
                }
            });
        }
    }

    /** Gives one stream up. Endpoint thread. */
    void closeStream(long nowNs, Endpoint endpoint, int streamId) {
        if (phase == Phase.ESTABLISHED) {
            endpoint.closeStream(nowNs, id, streamId);
        }
    }

    /** Whether no other queue pair of it is open. */
    boolean isLast(QueuePair queuePair) {
        return open.stream().allMatch(other -> other == queuePair || other.isClosed());
    }

    void left(QueuePair queuePair) {
        open.remove(queuePair);
    }

    @Override
    public String toString() {
        return "connection to " + peer + " with " + all.size() + " queue pairs, " + phase;
    }

    /** What the engine says. Endpoint thread. */
    private final class Events implements ConnectionListener {
        @Override
        public void established(long nowNs, int connectionId, byte[] data) {
            privateData = data.clone();
            for (QueuePair queuePair : all) {
                queuePair.onEstablished();
            }
            phase = Phase.ESTABLISHED;
            device.events().happened(CmEvent.ESTABLISHED, Connection.this, "");
            device.host().signal();
        }

        @Override
        public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] data) {
            boolean stood = phase == Phase.ESTABLISHED;
            if (!stood) {
                privateData = data.clone();
            }
            end = new End(reason, detail, nowNs - beganNs);
            phase = Phase.CLOSED;
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).isBoundTo(Connection.this, streamIds.get(i))) {
                    all.get(i).onConnectionGone(nowNs, Texts.of(reason, detail));
                }
            }
            device.left(Connection.this);
            if (stood) {
                tell(reason, detail);
            }
            device.events()
                    .happened(
                            stood ? CmEvent.DISCONNECTED : CmEvent.of(PendingConnection.failureOf(reason)),
                            Connection.this,
                            Texts.of(reason, detail));
            device.host().signal();
        }

        @Override
        public void streamFailed(long nowNs, int connectionId, int streamId, String detail) {
            int index = streamIds.indexOf(streamId);
            if (index < 0 || !all.get(index).isBoundTo(Connection.this, streamId)) {
                return;
            }
            QueuePair queuePair = all.get(index);
            queuePair.onStreamFailed(detail);
            if (!queuePair.isClosed()) {
                device.events().happened(new AsyncEvent.QueuePairFatal(queuePair, detail));
            }
            device.host().signal();
        }

        @Override
        public void pathMoved(long nowNs, int connectionId, int path, boolean isOwn) {
            if (phase == Phase.ESTABLISHED) {
                device.events()
                        .happened(
                                isOwn
                                        ? new AsyncEvent.PathUp(Connection.this, path)
                                        : new AsyncEvent.PathDown(Connection.this, path));
            }
        }

        private void tell(CloseReason reason, String detail) {
            switch (reason) {
                case LOCAL_CLOSE, LOCAL_ABORT -> {}
                case PEER_CLOSE -> device.events().happened(new AsyncEvent.Disconnected(Connection.this));
                default -> device.events().happened(new AsyncEvent.ConnectionLost(Connection.this, reason, detail));
            }
        }
    }
}

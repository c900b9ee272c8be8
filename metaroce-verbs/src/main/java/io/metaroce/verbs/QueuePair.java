package io.metaroce.verbs;

import io.metaroce.engine.Endpoint;
import io.metaroce.engine.PathView;
import io.metaroce.engine.StreamBinding;
import io.metaroce.queue.ReceiveRing;
import io.metaroce.queue.SendRing;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A send queue and a receive queue, and once connected a stream of a connection between them and a peer's.
 *
 * <p>What may be posted when:
 *
 * <ul>
 *   <li>receives from {@link QpState#INIT} on, so that they are there before the peer's first message;
 *   <li>sends in {@link QpState#RTS};
 *   <li>either in {@link QpState#ERR}, where it is flushed.
 * </ul>
 *
 * <p>Every accepted request has exactly one completion, but for sends that succeed and were not to be signalled.
 * Completions of one queue come in the order of posting. Requests are copied: the caller's objects are free as soon as
 * the call returns, their memory once the completion was polled.
 *
 * <p>Posting from several threads is fine and holds no lock. The calls that take numbers allocate nothing.
 */
public final class QueuePair implements AutoCloseable {
    private final Device device;
    private final ProtectionDomain domain;
    private final QpInitAttributes attributes;
    private final int qpNumber;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final QueueSink sendSink;
    private final QueueSink receiveSink;
    private final WorkQueues queues;
    private final SendPoster sendPoster;
    private final ReceivePoster receivePoster;
    private final StateCell state = new StateCell();
    private final AtomicReference<@Nullable Bond> bond = new AtomicReference<>();
    private final AtomicReference<@Nullable String> cause = new AtomicReference<>();
    private final AtomicReference<@Nullable WcStatus> firstFailure = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean retired = new AtomicBoolean();
    private final @Nullable Creation creation = Creation.now();
    private final int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    private volatile FlushReport flushedBefore = FlushReport.NOTHING;

    /** The stream of a connection a queue pair is bound to. */
    record Bond(Connection connection, int streamId) {}

    QueuePair(ProtectionDomain domain, QpInitAttributes attributes, int qpNumber) {
        this.device = domain.device();
        this.domain = domain;
        this.attributes = attributes;
        this.qpNumber = qpNumber;
        sendSink = new QueueSink(attributes.sendQueue().sink(), this::failed, this::settled);
        receiveSink = new QueueSink(attributes.receiveQueue().sink(), this::failed, this::settled);
        Rings rings = new Rings(device, attributes, qpNumber, sendSink, receiveSink);
        sends = rings.sends();
        receives = rings.receives();
        queues = new WorkQueues(sends, receives, sendSink, receiveSink);
        sendPoster = new SendPoster(this, device.regions(), sends, attributes);
        receivePoster = new ReceivePoster(
                this,
                domain,
                receives::acquire,
                receives::post,
                attributes.receiveSgeMax(),
                "QpInitAttributes.receiveSgeMax");
    }

    // ---- what it is ----

    /** Its number, unique within the device. */
    public int qpNumber() {
        return qpNumber;
    }

    /** Where it is in its life. */
    public QpState state() {
        return state.get();
    }

    /** Its protection domain. */
    public ProtectionDomain domain() {
        return domain;
    }

    /** How it was made. */
    public QpInitAttributes attributes() {
        return attributes;
    }

    /** The connection it belongs to, also after that is gone; empty before, and after a reset. */
    public Optional<Connection> connection() {
        Bond bound = bond.get();
        return bound == null ? Optional.empty() : Optional.of(bound.connection());
    }

    /** The paths its connection uses just now, with their round-trip times, windows and losses; empty without one. */
    public List<PathView> paths() {
        Bond bound = bond.get();
        return bound == null ? List.of() : bound.connection().paths();
    }

    /** What the other side needs to connect to this queue pair without a listener; see {@link #connectTo}. */
    public QpTuple tuple() {
        return new QpTuple(device.address(), qpNumber, psn);
    }

    /**
     * Connects to the queue pair with this tuple, which must connect to this one at about the same time. For two sides
     * that exchanged {@link #tuple()} by means of their own.
     *
     * @throws VerbsConnectException when it does not come about in time; the queue pair is in {@link QpState#ERR}, or
     *     as before if the other side never asked
     */
    public Connection connectTo(QpTuple peer, Duration timeout) throws VerbsConnectException {
        return new ManualConnect(this, peer).connect(timeout);
    }

    // ---- posting sends ----

    /**
     * Posts a send work request.
     *
     * @return false when the send queue is full: nothing was posted, poll completions and try again
     */
    public boolean postSend(SendWorkRequest request) {
        sendable();
        return rung(sendPoster.post(request));
    }

    /**
     * Posts several send work requests with one doorbell, in order.
     *
     * @return how many were posted; fewer than given when the send queue became full
     */
    public int postList(List<SendWorkRequest> requests) {
        sendable();
        int posted = 0;
        try {
            while (posted < requests.size() && sendPoster.post(requests.get(posted))) {
                posted++;
            }
        } finally {
            rung(posted != 0);
        }
        return posted;
    }

    /** Posts a message; false when the send queue is full. Flags are those of {@link SendFlag#mask}. */
    public boolean postSend(long wrId, int lkey, long offset, int length, int flags) {
        sendable();
        return rung(sendPoster.post(wrId, WrOpcode.SEND, lkey, offset, length, 0, 0, 0, flags));
    }

    /** Posts a message with 32 bits beside it; false when the send queue is full. */
    public boolean postSendImmediate(long wrId, int lkey, long offset, int length, int immediate, int flags) {
        sendable();
        return rung(sendPoster.post(wrId, WrOpcode.SEND_WITH_IMM, lkey, offset, length, 0, 0, immediate, flags));
    }

    /** Posts a write into the peer's memory; false when the send queue is full. */
    public boolean postWrite(long wrId, int lkey, long offset, int length, long remoteAddress, int rkey, int flags) {
        sendable();
        return rung(sendPoster.post(wrId, WrOpcode.RDMA_WRITE, lkey, offset, length, remoteAddress, rkey, 0, flags));
    }

    /** Posts a write that tells the peer's application 32 bits; false when the send queue is full. */
    public boolean postWriteImmediate(
            long wrId, int lkey, long offset, int length, long remoteAddress, int rkey, int immediate, int flags) {
        sendable();
        return rung(sendPoster.post(
                wrId, WrOpcode.RDMA_WRITE_WITH_IMM, lkey, offset, length, remoteAddress, rkey, immediate, flags));
    }

    /** Posts a message that also makes a key of the peer invalid; false when the send queue is full. */
    public boolean postSendInvalidate(long wrId, int lkey, long offset, int length, int rkey, int flags) {
        sendable();
        return rung(sendPoster.postSendInvalidate(wrId, lkey, offset, length, rkey, flags));
    }

    /**
     * Posts a read of the peer's memory into this side's; false when the send queue is full. The local region needs
     * {@link AccessFlag#LOCAL_WRITE}, the peer's {@link AccessFlag#REMOTE_READ}.
     */
    public boolean postRead(long wrId, int lkey, long offset, int length, long remoteAddress, int rkey, int flags) {
        sendable();
        return rung(sendPoster.post(wrId, WrOpcode.RDMA_READ, lkey, offset, length, remoteAddress, rkey, 0, flags));
    }

    /**
     * Posts a compare-and-swap on 8 aligned bytes of the peer's memory; what was there comes into 8 bytes at
     * {@code offset} of the local region. False when the send queue is full.
     */
    public boolean postCompareAndSwap(
            long wrId, int lkey, long offset, long remoteAddress, int rkey, long compare, long swap, int flags) {
        sendable();
        return rung(sendPoster.postAtomic(
                wrId, WrOpcode.ATOMIC_CMP_AND_SWP, lkey, offset, remoteAddress, rkey, compare, swap, flags));
    }

    /**
     * Posts a fetch-and-add on 8 aligned bytes of the peer's memory; what was there comes into 8 bytes at
     * {@code offset} of the local region. False when the send queue is full.
     */
    public boolean postFetchAndAdd(
            long wrId, int lkey, long offset, long remoteAddress, int rkey, long add, int flags) {
        sendable();
        return rung(sendPoster.postAtomic(
                wrId, WrOpcode.ATOMIC_FETCH_AND_ADD, lkey, offset, remoteAddress, rkey, add, 0, flags));
    }

    /**
     * Posts a swap of 8 aligned bytes of the peer's memory, whatever is there; that comes into 8 bytes at
     * {@code offset} of the local region. False when the send queue is full.
     */
    public boolean postSwap(long wrId, int lkey, long offset, long remoteAddress, int rkey, long swap, int flags) {
        sendable();
        return rung(
                sendPoster.postAtomic(wrId, WrOpcode.ATOMIC_SWP, lkey, offset, remoteAddress, rkey, 0, swap, flags));
    }

    private boolean rung(boolean posted) {
        if (posted) {
            sends.ring();
        }
        return posted;
    }

    private void sendable() {
        QpState now = state.get();
        if ((now != QpState.RTS && now != QpState.ERR) || closed.get()) {
            throw new VerbsException(
                    toString(),
                    "post a send",
                    "sends can be posted in RTS",
                    closed.get() ? "the queue pair is closed, make another one" : "connect or accept first");
        }
    }

    // ---- posting receives ----

    /**
     * Posts a receive.
     *
     * @return false when the receive queue is full: nothing was posted
     */
    public boolean postReceive(ReceiveWorkRequest request) {
        receivable();
        return rungForReceive(receivePoster.post(request));
    }

    /** Posts a receive of one piece; false when the receive queue is full. */
    public boolean postReceive(long wrId, int lkey, long offset, int length) {
        receivable();
        return rungForReceive(receivePoster.post(wrId, lkey, offset, length));
    }

    private boolean rungForReceive(boolean posted) {
        if (posted) {
            receives.ring();
        }
        return posted;
    }

    private void receivable() {
        SharedReceiveQueue shared = attributes.sharedReceiveQueue();
        if (shared != null) {
            throw new VerbsException(toString(), "post a receive", "its receives come from " + shared, "post it there");
        }
        if (state.get() == QpState.RESET || closed.get()) {
            throw new VerbsException(
                    toString(),
                    "post a receive",
                    "receives can be posted from INIT on",
                    closed.get() ? "the queue pair is closed, make another one" : "call modify(QpState.INIT) first");
        }
    }

    // ---- changing state ----

    /**
     * Moves the queue pair to another state, if {@link QpTransitions} allows it; else nothing changes.
     *
     * <ul>
     *   <li>{@code RESET} to {@code INIT}: receives can be posted. Connecting does it by itself.
     *   <li>any state to {@code ERR}: what is posted is flushed; the peer's queue pair fails, others go on.
     *   <li>{@code ERR} to {@code RESET}: the queue pair may be connected again. Its connection must be closed, and all
     *       its completions must have found room.
     * </ul>
     */
    public void modify(QpState to) {
        QpState from = state.get();
        if (!QpTransitions.modifyAllows(from, to) || closed.get()) {
            throw refused(
                    from,
                    to,
                    closed.get() ? "it is closed" : "from " + from + " it goes to " + QpTransitions.exits(from));
        }
        switch (to) {
            case INIT -> move(from, QpState.INIT);
            case ERR -> device.engine().run(this, "modify " + from + " to ERR", this::toError);
            case RESET -> device.engine().run(this, "modify ERR to RESET", (nowNs, endpoint) -> toReset());
            case RTR, RTS -> throw refused(from, to, "only a connection brings it there");
        }
    }

    private void move(QpState from, QpState to) {
        if (!state.move(from, to)) {
            throw refused(from, to, "another thread has changed it meanwhile");
        }
    }

    private VerbsException refused(QpState from, QpState to, String why) {
        return new VerbsException(
                toString(), "modify " + from + " to " + to, why, "see QpTransitions.table for what is possible");
    }

    private void toError(long nowNs, Endpoint endpoint) {
        cause.compareAndSet(null, "It was moved to ERR by this side.");
        state.fail();
        Bond bound = bond.get();
        if (bound != null) {
            bound.connection().closeStream(nowNs, endpoint, bound.streamId());
        }
        queues.takeOver(nowNs);
    }

    private void toReset() {
        if (!queues.isIdle()) {
            throw new IllegalStateException(
                    "flushed requests still wait for room in the completion queue; poll it first");
        }
        Bond bound = bond.get();
        if (bound != null && !bound.connection().isClosed()) {
            throw new IllegalStateException("its stream belongs to a connection that still stands; close that first");
        }
        bond.set(null);
        queues.letGo();
        flushedBefore = total();
        cause.set(null);
        firstFailure.set(null);
        state.move(QpState.ERR, QpState.RESET);
    }

    // ---- its connection ----

    /** Binds it to a stream of a connection that is being made. All or nothing. */
    void bind(Connection connection, int streamId) {
        state.move(QpState.RESET, QpState.INIT);
        QpState now = state.get();
        if (now != QpState.INIT || closed.get() || !state.move(QpState.INIT, QpState.RTR)) {
            throw refused(now, QpState.RTR, "only a queue pair in RESET or INIT can be connected");
        }
        bond.set(new Bond(connection, streamId));
    }

    /** The connection never got as far as the engine: as if nothing had been. */
    void unbind() {
        bond.set(null);
        state.move(QpState.RTR, QpState.INIT);
    }

    StreamBinding binding(int streamId) {
        return new StreamBinding(
                streamId,
                domain.number(),
                sends,
                receives,
                attributes.rnrRetries(),
                attributes.rnrDelay().toNanos(),
                attributes.deadNs());
    }

    boolean isBoundTo(Connection connection, int streamId) {
        Bond bound = bond.get();
        return bound != null && bound.connection() == connection && bound.streamId() == streamId;
    }

    /** The connection stands. Endpoint thread. */
    void onEstablished() {
        state.move(QpState.RTR, QpState.RTS);
    }

    /** Its stream failed; the engine flushes it. Endpoint thread. */
    void onStreamFailed(String detail) {
        cause.compareAndSet(null, Texts.sentence("Cause: " + detail));
        state.fail();
    }

    /** Its connection is gone; whatever is posted from now on nobody else would hand back. Endpoint thread. */
    void onConnectionGone(long nowNs, String detail) {
        cause.compareAndSet(null, Texts.sentence("Cause: " + detail));
        state.fail();
        queues.takeOver(nowNs);
    }

    /** A request of its own failed. Endpoint thread. */
    private void failed(WcStatus status) {
        if (status != WcStatus.WR_FLUSH_ERR) {
            firstFailure.compareAndSet(null, status);
        }
        state.fail();
    }

    /** The first cause of its failure, as a sentence. */
    String causeOfFailure() {
        String first = cause.get();
        Bond bound = bond.get();
        String where = "QP " + qpNumber
                + (bound == null ? "." : " to " + bound.connection().peer() + ".");
        WcStatus status = firstFailure.get();
        String told = status == null ? where : where + " The first request to fail ended with " + status + ".";
        return first == null ? told : told + " " + first;
    }

    // ---- closing ----

    /** {@link #close(Duration)} with the endpoint's time for quiescing. */
    @Override
    public void close() {
        close(device.closingTime());
    }

    /**
     * Lets own sends finish, at most for {@code timeout}, then gives the rest up. The last queue pair of a connection
     * closes it; another one gives its stream up, which ends the peer's queue pair. What other threads post at the same
     * moment may vanish. Does nothing the second time.
     *
     * @return what was flushed since it was made, or reset
     */
    public FlushReport close(Duration timeout) {
        if (!device.engine().closes(this, closed)) {
            return report(FlushReport.Outcome.DRAINED);
        }
        FlushReport.Outcome outcome = FlushReport.Outcome.DRAINED;
        Bond bound = bond.get();
        if (bound != null
                && (bound.connection().isConnecting() || bound.connection().isLast(this))) {
            outcome = bound.connection().close(timeout).outcome();
        } else if (bound != null && state.get() == QpState.RTS && !drained(timeout)) {
            outcome = FlushReport.Outcome.FORCED;
        }
        device.engine().run(this, "close", this::end);
        if (bound != null) {
            bound.connection().left(this);
        }
        return report(outcome);
    }

    /**
     * Gives up all of {@code some}, which belong to {@code device}, with one command. For those whose connections are
     * closed.
     */
    static void endAll(Device device, Collection<QueuePair> some) {
        List<QueuePair> open = some.stream()
                .filter(each -> each.closed.compareAndSet(false, true))
                .toList();
        device.engine().run(device, "close", (nowNs, endpoint) -> open.forEach(each -> each.end(nowNs, endpoint)));
        for (QueuePair each : open) {
            Bond bound = each.bond.get();
            if (bound != null) {
                bound.connection().left(each);
            }
        }
    }

    private void end(long nowNs, Endpoint endpoint) {
        toError(nowNs, endpoint);
        settled();
    }

    @Nullable
    Creation creation() {
        return creation;
    }

    boolean isClosed() {
        return closed.get();
    }

    /**
     * Waits until every send that was posted has been carried out or has failed; posts of other threads meanwhile
     * prolong it. Nothing is closed.
     *
     * @return false when the time is over first
     */
    public boolean drain(Duration timeout) {
        device.engine().refuseInListener(this, "drain");
        return drained(timeout);
    }

    /**
     * How much of the connection it gets while other queue pairs of it want to send too: so many bursts of packets in a
     * row for one of theirs. It holds for the connection it has now.
     *
     * @param weight 1, which all begin with, to 15
     * @return false when it is not connected
     */
    public boolean weight(int weight) {
        Bond bound = bond.get();
        return bound != null
                && bound.connection()
                        .ordered(
                                "weight " + weight,
                                (nowNs, endpoint) ->
                                        endpoint.streamWeight(bound.connection().id(), bound.streamId(), weight));
    }

    private boolean drained(Duration timeout) {
        long leftNs = Durations.toNanos(timeout);
        long sliceNs = 50_000;
        while (true) {
            AtomicBoolean done = new AtomicBoolean();
            device.engine().run(this, "drain", (nowNs, endpoint) -> done.set(queues.sendsAreDone()));
            if (done.get() || leftNs <= 0) {
                return done.get();
            }
            long waitNs = Math.min(leftNs, sliceNs);
            device.engine().await(this, "drain", () -> state.get() != QpState.RTS, waitNs);
            leftNs -= waitNs;
            sliceNs = Math.min(2 * sliceNs, 5_000_000);
        }
    }

    /**
     * Something of it came to its end: if it is closed and nothing is left, it lets go of all it has. Endpoint thread.
     */
    private void settled() {
        if (closed.get() && !retired.get()) {
            device.settling().ended(this);
        }
    }

    /** Lets go if nothing is left. Endpoint thread. */
    void retireWhenIdle() {
        if (queues.isIdle()) {
            retire();
        }
    }

    /** Lets go although completions may be outstanding: their queue is being closed. Endpoint thread. */
    void retire() {
        if (retired.compareAndSet(false, true)) {
            queues.retire();
            attributes.sendQueue().left(this);
            attributes.receiveQueue().left(this);
            SharedReceiveQueue shared = attributes.sharedReceiveQueue();
            if (shared != null) {
                shared.left(this);
            }
            domain.forget(this);
        }
    }

    FlushReport report(FlushReport.Outcome outcome) {
        FlushReport all = total();
        FlushReport before = flushedBefore;
        return new FlushReport(all.sends() - before.sends(), all.receives() - before.receives(), outcome);
    }

    private FlushReport total() {
        return new FlushReport(sendSink.flushed(), receiveSink.flushed(), FlushReport.Outcome.DRAINED);
    }

    /** How many of its requests may report to this queue at once. */
    long completionsAtMost(CompletionQueue queue) {
        return (attributes.sendQueue() == queue ? attributes.sendDepth() : 0L)
                + (attributes.receiveQueue() == queue ? attributes.receiveDepth() : 0L);
    }

    @Override
    public String toString() {
        Bond bound = bond.get();
        return "QP " + qpNumber + " " + state.get() + (closed.get() ? " closed" : "")
                + (bound == null
                        ? ""
                        : " (stream " + bound.streamId() + " to "
                                + bound.connection().peer() + ")");
    }
}

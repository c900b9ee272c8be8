package io.metaroce.channel;

import io.metaroce.async.AsyncQueuePair;
import io.metaroce.async.Result;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connected queue pair as a Netty channel of messages: each {@code ByteBuf} written is one SEND, each one read is one
 * message of the peer, in order and exactly once.
 *
 * <ul>
 *   <li>Register it with an event loop: {@code loop.register(channel)}.
 *   <li>Writability is Netty's: bytes that wait because all places are in flight count against the water marks.
 *   <li>Without {@code autoRead} nothing is read ahead: the peer runs out of receives and waits.
 *   <li>A write's promise is done when the message was posted; a failure closes the channel.
 * </ul>
 *
 * <p>Both ways each message is copied once, to or from registered memory.
 */
@SuppressWarnings("exports") // who calls it has what it adapts to
public final class MetaroceChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final AsyncQueuePair queuePair;
    private final int messageBytesMax;
    private final int places;
    private final MemoryRegion outgoing;
    private final MemoryRegion incoming;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final ChannelConfig config = new DefaultChannelConfig(this);
    private volatile boolean closed;
    private volatile boolean blocked; // something waits for a place
    private boolean started;
    private boolean readWanted;

    /** A message that has come, and where. */
    private record Arrival(int place, int bytes) {}

    private MetaroceChannel(QueuePair connected, int messageBytesMax, int places) {
        super(null);
        this.messageBytesMax = messageBytesMax;
        this.places = places;
        queuePair = AsyncQueuePair.over(connected);
        outgoing = connected.domain().allocate((long) places * messageBytesMax);
        incoming = connected.domain().allocate((long) places * messageBytesMax, AccessFlag.LOCAL_WRITE);
        for (int place = 0; place < places; place++) {
            free.add(place);
        }
    }

    /**
     * A channel over a connected queue pair, which belongs to it from now on; so do its completion queues.
     *
     * @param messageBytesMax longest message, either way; both sides should say the same
     * @param places messages under way at once, each way; at most the queue pair's depths
     */
    public static MetaroceChannel over(QueuePair connected, int messageBytesMax, int places) {
        int most = Math.min(
                connected.attributes().sendDepth(), connected.attributes().receiveDepth());
        if (connected.state() != QpState.RTS) {
            throw new IllegalArgumentException(connected + " is not connected; connect or accept first");
        }
        if (messageBytesMax < 1 || places < 1 || places > most) {
            throw new IllegalArgumentException("a channel with " + places + " places of " + messageBytesMax
                    + " bytes: 1 to " + most + " places (sendDepth, receiveDepth), and at least one byte");
        }
        return new MetaroceChannel(connected, messageBytesMax, places);
    }

    // ---- reading

    @Override
    protected void doBeginRead() {
        readWanted = true;
        if (!started) {
            started = true;
            for (int place = 0; place < places; place++) {
                post(place);
            }
        }
        if (!arrivals.isEmpty()) {
            onLoop(this::deliver);
        }
    }

    private void post(int place) {
        CompletableFuture<Result> unused = queuePair
                .receive(incoming, (long) place * messageBytesMax, messageBytesMax)
                .whenComplete((result, failure) -> arrived(place, result));
    }

    /** Endpoint thread. */
    private void arrived(int place, @Nullable Result result) {
        if (result == null) {
            onLoop(this::end);
        } else {
            arrivals.add(new Arrival(place, (int) result.byteLength()));
            onLoop(this::deliver);
        }
    }

    private void deliver() {
        int read = 0;
        while (readWanted && read < METADATA.defaultMaxMessagesPerRead()) {
            Arrival arrival = arrivals.poll();
            if (arrival == null) {
                break;
            }
            ByteBuf message = config.getAllocator().buffer(arrival.bytes());
            message.writeBytes(incoming.slice((long) arrival.place() * messageBytesMax, arrival.bytes()));
            post(arrival.place());
            read++;
            pipeline().fireChannelRead(message);
        }
        if (read > 0) {
            readWanted = false;
            pipeline().fireChannelReadComplete();
            if (config.isAutoRead()) {
                read();
            }
        }
    }

    // ---- writing

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf bytes && bytes.readableBytes() <= messageBytesMax) {
            return message;
        }
        String what = message instanceof ByteBuf bytes
                ? "a message of " + bytes.readableBytes() + " bytes, at most " + messageBytesMax
                : "a message of type " + message.getClass().getName() + ", only ByteBuf can be sent";
        throw new UnsupportedOperationException(what);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer waiting) {
        while (waiting.current() instanceof ByteBuf message) {
            Integer place = free.poll();
            if (place == null) {
                blocked = true;
                // A place may have become free between the two.
                place = free.poll();
                if (place == null) {
                    return;
                }
            }
            int bytes = message.readableBytes();
            long offset = (long) place * messageBytesMax;
            message.getBytes(message.readerIndex(), outgoing.slice(offset, bytes));
            int sent = place;
            CompletableFuture<Result> unused =
                    queuePair.send(outgoing, offset, bytes).whenComplete((result, failure) -> sent(sent, failure));
            waiting.remove();
        }
        blocked = false;
    }

    /** Endpoint thread. */
    private void sent(int place, @Nullable Throwable failure) {
        free.add(place);
        if (failure != null) {
            onLoop(this::end);
        } else if (blocked) {
            onLoop(() -> ((Inside) unsafe()).resume());
        }
    }

    // ---- its life

    private void end() {
        unsafe().close(voidPromise());
    }

    private void onLoop(Runnable task) {
        try {
            eventLoop().execute(task);
        } catch (RejectedExecutionException | IllegalStateException e) {
            // The event loop is gone, or the channel was never registered: nobody is there to be told.
            closed = true;
        }
    }

    @Override
    protected void doClose() {
        if (!closed) {
            closed = true;
            Thread closing = new Thread(this::letGo, "metaroce-channel-close");
            closing.setDaemon(true);
            closing.start();
        }
    }

    /** Waits for the endpoint's thread, which an event loop must not. */
    private void letGo() {
        queuePair.close();
        outgoing.close();
        incoming.close();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public boolean isActive() {
        return !closed;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected SocketAddress localAddress0() {
        return new QueuePairAddress(queuePair.queuePair().tuple().toString());
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return queuePair
                .queuePair()
                .connection()
                .map(connection -> new QueuePairAddress(connection.peer().toString()))
                .orElse(null);
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("the queue pair is connected already; listen with Device.listen");
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new Inside();
    }

    /** What Netty calls. */
    private final class Inside extends AbstractUnsafe {
        @Override
        public void connect(SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            promise.setFailure(new UnsupportedOperationException(
                    "the queue pair is connected already; connect others with Device.connector"));
        }

        /** Goes on with what waits for a place. */
        void resume() {
            flush0();
        }
    }
}

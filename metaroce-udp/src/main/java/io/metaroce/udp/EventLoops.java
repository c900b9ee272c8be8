package io.metaroce.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The event loop of an endpoint, its own or shared, and the kind of sockets that fit it. */
final class EventLoops implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.metaroce.udp");
    private static final long CLOSE_TIMEOUT_S = 10;

    private enum Kind {
        EPOLL,
        NIO
    }

    /** Makes the one daemon thread of a loop and remembers it, so that its end can be waited for. */
    private static final class OwnThread implements ThreadFactory {
        private volatile @Nullable Thread thread;

        @Override
        public Thread newThread(Runnable task) {
            Thread made = THREADS.newThread(task);
            thread = made;
            return made;
        }

        boolean isGone() {
            Thread made = thread;
            return made == null || !made.isAlive();
        }

        void join(long timeoutNs) throws InterruptedException {
            Thread made = thread;
            if (made != null) {
                TimeUnit.NANOSECONDS.timedJoin(made, timeoutNs);
            }
        }
    }

    private static final DefaultThreadFactory THREADS = new DefaultThreadFactory("metaroce-udp", true);

    private final EventLoop loop;
    private final Kind kind;
    private final @Nullable OwnThread ownThread;
    private final @Nullable LoopTurns turns;
    private final String description;

    private EventLoops(
            EventLoop loop, Kind kind, @Nullable OwnThread ownThread, @Nullable LoopTurns turns, String description) {
        this.loop = loop;
        this.kind = kind;
        this.ownThread = ownThread;
        this.turns = turns;
        this.description = description;
    }

    /**
     * The loop that {@code config} asks for.
     *
     * @throws IllegalArgumentException when shared loops are of a kind that cannot be used
     * @throws UnsupportedOperationException when epoll is demanded and not available
     */
    static EventLoops open(UdpConfig config) {
        EventLoopGroup shared = config.eventLoops();
        return shared == null ? own(config) : shared(shared);
    }

    private static EventLoops own(UdpConfig config) {
        Kind kind;
        String description;
        switch (config.engine()) {
            case EPOLL -> {
                if (!Epoll.isAvailable()) {
                    throw new UnsupportedOperationException(
                            "epoll is not available: " + reason(Epoll.unavailabilityCause())
                                    + "; use the option engine(AUTO) or engine(NIO)",
                            Epoll.unavailabilityCause());
                }
                kind = Kind.EPOLL;
                description = "epoll (asked for)";
            }
            case NIO -> {
                kind = Kind.NIO;
                description = "nio (asked for)";
            }
            case AUTO -> {
                kind = Epoll.isAvailable() ? Kind.EPOLL : Kind.NIO;
                description = kind == Kind.EPOLL
                        ? "epoll (available)"
                        : "nio (epoll is not available: " + reason(Epoll.unavailabilityCause()) + ")";
            }
            default -> throw new AssertionError(config.engine());
        }
        OwnThread thread = new OwnThread();
        // A loop without a group: a group reports its end through a helper thread that is no daemon.
        LoopTurns turns = new LoopTurns();
        EventLoop loop = new SingleThreadIoEventLoop(null, thread, turns.count(ioHandlers(kind, config)));
        return new EventLoops(loop, kind, thread, turns, description);
    }

    private static EventLoops shared(EventLoopGroup group) {
        if (group instanceof IoEventLoopGroup io) {
            if (io.isIoType(EpollIoHandler.class)) {
                return new EventLoops(io.next(), Kind.EPOLL, null, null, "epoll (shared event loops)");
            }
            if (io.isIoType(NioIoHandler.class)) {
                return new EventLoops(io.next(), Kind.NIO, null, null, "nio (shared event loops)");
            }
        }
        throw new IllegalArgumentException(
                "the shared event loops are " + group.getClass().getName()
                        + "; only loops with EpollIoHandler or NioIoHandler can carry an endpoint (option eventLoops)");
    }

    private static IoHandlerFactory ioHandlers(Kind kind, UdpConfig config) {
        if (kind == Kind.NIO) {
            return NioIoHandler.newFactory();
        }
        SelectStrategyFactory spinning =
                () -> (selectNow, hasTasks) -> hasTasks ? selectNow.get() : SelectStrategy.BUSY_WAIT;
        return switch (config.idle()) {
            case BLOCK -> EpollIoHandler.newFactory();
            case ADAPTIVE -> adaptive(EpollIoHandler.newFactory(), config.spinNs());
            case SPIN -> EpollIoHandler.newFactory(0, spinning);
        };
    }

    private static IoHandlerFactory adaptive(IoHandlerFactory inner, long spinNs) {
        return executor -> new AdaptiveSpin(inner.newHandler(executor), spinNs, System::nanoTime);
    }

    private static String reason(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    EventLoop loop() {
        return loop;
    }

    boolean isEpoll() {
        return kind == Kind.EPOLL;
    }

    /** Its turns; null for shared loops, which are not ours to count. */
    @Nullable
    LoopTurns turns() {
        return turns;
    }

    /** Its turns, where they are known to be counted. */
    LoopTurns turnsOrThrow() {
        return Objects.requireNonNull(turns, "shared loops are not counted");
    }

    /** "epoll" or "nio", with the reason. */
    String description() {
        return description;
    }

    /** A socket, not yet registered, of the family of {@code local}. */
    DatagramChannel newChannel(InetAddress local) {
        SocketProtocolFamily family =
                local instanceof Inet6Address ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET;
        return kind == Kind.EPOLL ? new EpollDatagramChannel(family) : new NioDatagramChannel(family);
    }

    /** Ends the loop if it is the endpoint's own; waits for its thread unless called on it. Idempotent. */
    @Override
    public void close() {
        OwnThread thread = ownThread;
        if (thread == null) {
            return;
        }
        Future<?> unused = loop.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        if (loop.inEventLoop()) {
            return;
        }
        boolean wasInterrupted = false;
        long startNs = System.nanoTime();
        long leftNs = TimeUnit.SECONDS.toNanos(CLOSE_TIMEOUT_S);
        while (leftNs > 0 && !(loop.isTerminated() && thread.isGone())) {
            try {
                if (loop.awaitTermination(leftNs, TimeUnit.NANOSECONDS)) {
                    thread.join(leftNs);
                }
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
            leftNs = TimeUnit.SECONDS.toNanos(CLOSE_TIMEOUT_S) - (System.nanoTime() - startNs);
        }
        if (!thread.isGone()) {
            LOG.warn("the event loop did not end within {} s; its thread is a daemon", CLOSE_TIMEOUT_S);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

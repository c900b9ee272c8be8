package io.metaroce.verbs;

import io.metaroce.engine.Endpoint;
import io.metaroce.engine.EndpointHost;
import io.metaroce.queue.Command;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to the endpoint's thread and back: hands a command over and waits, with a deadline, until it has been carried
 * out. No lock is held while waiting.
 */
final class EngineThread {
    /** How long a command may take. The engine answers in microseconds; a loop that is stuck is worth an exception. */
    private static final long ANSWER_NS = 10_000_000_000L;

    /** How long to wait before looking again whether there is a place for a command. */
    private static final long LOOK_NS = 1_000_000;

    private final EndpointHost host;
    private final AtomicReference<@Nullable Thread> listening = new AtomicReference<>();

    EngineThread(EndpointHost host) {
        this.host = host;
    }

    /**
     * Has the endpoint's thread run a command; does not wait for it, but for a place among those that wait. Not for
     * listeners.
     *
     * @throws IllegalStateException when there is none in time
     */
    void tell(Command<Endpoint> command) {
        if (!host.commands().tryOffer(command) && !hasFoundPlace(command)) {
            host.commands().offer(command);
        }
        host.doorbells().wake();
    }

    /** Nobody says that a place has become free, so this looks again every now and then. */
    private boolean hasFoundPlace(Command<Endpoint> command) {
        for (long leftNs = ANSWER_NS; leftNs > 0; leftNs -= LOOK_NS) {
            if (host.await(() -> host.commands().tryOffer(command), LOOK_NS)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Has the endpoint's thread run a command and waits for it. What the command throws is thrown here.
     *
     * @param object who asks, for the exception
     * @param asked what is asked, for the exception
     */
    void run(Object object, String asked, Command<Endpoint> command) {
        refuseInListener(object, asked);
        Errand errand = new Errand(command, host);
        try {
            tell(errand);
        } catch (IllegalStateException e) {
            throw refused(object, asked, e);
        }
        if (!await(object, asked, errand::isDone, ANSWER_NS)) {
            throw new VerbsException(
                    object.toString(),
                    asked,
                    "the endpoint's thread gave no answer",
                    "look for an endpoint that was closed, or for work that blocks its thread for 10 s");
        }
        RuntimeException failure = errand.failure();
        if (failure != null) {
            throw refused(object, asked, failure);
        }
    }

    /** What the endpoint's clock shows. */
    long nowNs(Object object) {
        AtomicLong now = new AtomicLong();
        run(object, "ask the time", (nowNs, endpoint) -> now.set(nowNs));
        return now.get();
    }

    /** Waits until {@code done} says true; false when the time is over. */
    boolean await(Object object, String asked, BooleanSupplier done, long timeoutNs) {
        refuseInListener(object, asked);
        if (host.await(done, timeoutNs)) {
            return true;
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new VerbsException(
                    object.toString(),
                    asked,
                    "the thread was interrupted while it waited",
                    "clear the interrupt and ask again");
        }
        return false;
    }

    private static VerbsException refused(Object object, String asked, RuntimeException cause) {
        return new VerbsException(
                object.toString(), asked, "the engine refused", String.valueOf(cause.getMessage()), cause);
    }

    /** Runs a listener of the application, during which {@link #run} and other waits are refused. Endpoint thread. */
    void listening(Runnable listener) {
        listening.set(Thread.currentThread());
        try {
            listener.run();
        } finally {
            listening.set(null);
        }
    }

    /** Throws if the caller is a listener on the endpoint's thread: it would wait for itself. */
    void refuseInListener(Object object, String asked) {
        if (listening.get() == Thread.currentThread()) {
            throw new VerbsException(
                    object.toString(),
                    asked,
                    "a listener or handler runs on the endpoint's thread and must not wait for it",
                    "hand the event over to a thread of your own, or poll Device.nextEvent");
        }
    }

    /**
     * Whether this call is the one that closes an object, which it is but once. One that would have to wait within a
     * callback is refused, and leaves the object open; one that closes again does nothing anywhere.
     */
    boolean closes(Object object, AtomicBoolean closed) {
        if (closed.get()) {
            return false;
        }
        refuseInListener(object, "close");
        return closed.compareAndSet(false, true);
    }

    /** A command with its outcome. */
    private static final class Errand implements Command<Endpoint> {
        private final Command<Endpoint> command;
        private final EndpointHost host;
        private volatile boolean done;
        private volatile @Nullable RuntimeException failure;

        Errand(Command<Endpoint> command, EndpointHost host) {
            this.command = command;
            this.host = host;
        }

        @Override
        public void run(long nowNs, Endpoint endpoint) {
            try {
                command.run(nowNs, endpoint);
            } catch (RuntimeException e) {
                failure = e;
            } finally {
                done = true;
                host.signal();
            }
        }

        boolean isDone() {
            return done;
        }

        @Nullable
        RuntimeException failure() {
            return failure;
        }
    }
}

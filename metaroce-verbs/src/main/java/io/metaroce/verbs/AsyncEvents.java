package io.metaroce.verbs;

import io.metaroce.engine.EndpointHost;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The events of one device on their way to the application: told to a listener if there is one, else kept, bounded. */
final class AsyncEvents {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncEvents.class);

    /** Events kept for a reader that does not come. */
    static final int KEPT_MAX = 1024;

    private final EndpointHost host;
    private final EngineThread engine;
    private final ConcurrentLinkedQueue<AsyncEvent> kept = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicReference<@Nullable AsyncEventListener> listener = new AtomicReference<>();
    private final AtomicReference<@Nullable CmEventListener> manager = new AtomicReference<>();

    AsyncEvents(EndpointHost host, EngineThread engine) {
        this.host = host;
        this.engine = engine;
    }

    void listener(AsyncEventListener value) {
        listener.set(value);
    }

    void manager(CmEventListener value) {
        manager.set(value);
    }

    /** Something happened to a connection. Endpoint thread. */
    void happened(CmEvent event, @Nullable Connection connection, String detail) {
        CmEventListener told = manager.get();
        if (told != null) {
            engine.listening(() -> {
                try {
                    told.onEvent(event, connection, detail);
                } catch (RuntimeException e) {
                    // What is wrong with the application must not stop the endpoint.
                    LOG.error("the listener failed on {}: {}", event, detail, e);
                }
            });
        }
    }

    /** An event happened. Endpoint thread. */
    void happened(AsyncEvent event) {
        AsyncEventListener told = listener.get();
        if (told != null) {
            engine.listening(() -> tell(told, event));
            return;
        }
        if (count.incrementAndGet() > KEPT_MAX && kept.poll() != null) {
            count.decrementAndGet();
            lost.incrementAndGet();
        }
        kept.add(event);
        host.signal();
    }

    private static void tell(AsyncEventListener listener, AsyncEvent event) {
        try {
            listener.onEvent(event);
        } catch (RuntimeException e) {
            // What is wrong with the application must not stop the endpoint.
            LOG.error("the listener failed on: {}", event.sentence(), e);
        }
    }

    /** The oldest event that nobody has seen, waiting for one if need be. */
    Optional<AsyncEvent> next(Duration timeout) {
        engine.await("Device", "nextEvent", () -> lost.get() != 0 || !kept.isEmpty(), Durations.toNanos(timeout));
        long missed = lost.getAndSet(0);
        if (missed != 0) {
            return Optional.of(new AsyncEvent.EventsLost(missed));
        }
        AsyncEvent event = kept.poll();
        if (event != null) {
            count.decrementAndGet();
        }
        return Optional.ofNullable(event);
    }
}

package io.metaroce.disni;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where the connection manager's events are fetched. */
final class CmChannel extends RdmaEventChannel {
    private static final AtomicInteger NUMBERS = new AtomicInteger(1);
    private final LinkedBlockingQueue<RdmaCmEvent> events = new LinkedBlockingQueue<>();

    CmChannel() throws IOException {
        super(NUMBERS.getAndIncrement());
    }

    void put(RdmaCmEvent event) {
        events.add(event);
    }

    /** The oldest event; null when none came in time. A negative time waits for ever. */
    @Nullable
    RdmaCmEvent next(int timeoutMs) throws IOException {
        try {
            return timeoutMs < 0 ? events.take() : events.poll(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection event", e);
        }
    }
}

package io.metaroce.tools;

import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens every connection, then sends a message over each and waits for it to come back. */
final class CrowdClient {
    private static final int THREADS = 8;
    private static final int UNDER_WAY_MAX = 256; // on a busy machine a round trip takes seconds
    private static final int MISSING_SHOWN = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration ATTEMPT = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(50);

    private final CrowdSide side;
    private final BitSet answered = new BitSet(); // places, of the part that is being asked
    private final BitSet left = new BitSet(); // the same: what was sent is acknowledged
    private final AtomicInteger retries = new AtomicInteger();
    private final WorkCompletion[] done = WorkCompletion.array(256);

    CrowdClient(CrowdSide side) {
        this.side = side;
    }

    /** Opens {@code count} connections, spread over the loops, by several threads. */
    void connect(String server, int count) throws IOException {
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            CompletableFuture<Void> ended = new CompletableFuture<>();
            threads.add(ended);
            Thread thread = new Thread(() -> connectSome(server, next, count, ended), "crowd-connect");
            thread.setDaemon(true);
            thread.start();
        }
        try {
            CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw new IOException("not all connections could be opened: " + e.getMessage(), e);
        }
    }

    private void connectSome(String server, AtomicInteger next, int count, CompletableFuture<Void> ended) {
        try {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                connect(side.parts().get(i % side.parts().size()), server);
            }
            ended.complete(null);
        } catch (VerbsConnectException | RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    /** Each attempt has a queue pair of its own: that of a failed one has flushed what was posted to it. */
    private void connect(CrowdSide.Part part, String server) throws VerbsConnectException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            int place = part.add();
            try {
                var unused = part.device()
                        .connector()
                        .withTimeout(ATTEMPT)
                        .connect(server, CrowdSide.SERVICE, part.queuePair(place));
                return;
            } catch (VerbsConnectException e) {
                part.giveBack(place);
                if (System.nanoTime() > endNs) {
                    throw e;
                }
                retries.incrementAndGet();
            }
        }
    }

    /** Attempts to connect that came to nothing and were made again. */
    int retries() {
        return retries.get();
    }

    /** A message over each connection and back. */
    void ping() throws IOException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        for (CrowdSide.Part part : side.parts()) {
            int posted = 0;
            int back = 0;
            answered.clear();
            left.clear();
            while (back < part.connections()) {
                while (posted < part.connections() && posted - back < UNDER_WAY_MAX) {
                    send(part, posted++);
                }
                int now = take(part);
                back += now;
                endNs = now == 0 ? endNs : System.nanoTime() + PATIENCE.toNanos();
                if (System.nanoTime() > endNs) {
                    throw new IOException("of " + posted + " messages only " + back + " came back, and none for "
                            + PATIENCE.toSeconds() + " s; " + missing(part, posted));
                }
            }
        }
    }

    /** What is known of some of the messages that have not come back. */
    private String missing(CrowdSide.Part part, int posted) {
        StringBuilder text = new StringBuilder("not back:");
        int shown = 0;
        for (int place = answered.nextClearBit(0);
                place < posted && shown < MISSING_SHOWN;
                place = answered.nextClearBit(place + 1)) {
            shown++;
            text.append(System.lineSeparator())
                    .append(left.get(place) ? " received by the other side, not answered: " : " not acknowledged: ")
                    .append(part.describe(place));
        }
        return text.toString();
    }

    private static void send(CrowdSide.Part part, int place) throws IOException {
        if (!part.send(place)) {
            throw new IOException("no room to send, although nothing is under way: " + part.describe(place));
        }
    }

    private int take(CrowdSide.Part part) throws IOException {
        int back = 0;
        int n = part.queue().await(done, LOOK);
        for (int i = 0; i < n; i++) {
            if (!part.isCurrent(done[i])) {
                continue; // handed back by an attempt that came to nothing
            }
            if (!done[i].isSuccess()) {
                throw new IOException("a message failed: " + done[i] + ' ' + part.describe((int) done[i].wrId()));
            }
            if ((done[i].wrId() & CrowdSide.RECEIVE) == 0) {
                left.set((int) done[i].wrId());
            } else {
                boolean unused = part.postReceive((int) done[i].wrId());
                answered.set((int) done[i].wrId());
                back++;
            }
        }
        return back;
    }
}

package io.metaroce.tools;

import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.VerbsException;
import io.metaroce.verbs.WorkCompletion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts every connection and sends every message back; told by lines on its input what to measure. */
final class CrowdServer {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int LOOK_AFTER = 64; // connections accepted since those that failed were given back

    private final CrowdSide side;
    private final AtomicInteger givenUp = new AtomicInteger(); // attempts of the other side that came to nothing
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean ended;

    CrowdServer(CrowdSide side) {
        this.side = side;
    }

    /** Serves until the input ends or says so. */
    void run(PrintWriter out) throws IOException {
        for (CrowdSide.Part part : side.parts()) {
            start("accept", () -> accept(part));
            start("echo", () -> echo(part));
        }
        out.println("listening " + side.address());
        out.flush();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null && !ended; order = orders.readLine()) {
            switch (order) {
                case "mark" -> side.mark();
                case "idle" -> out.println("server idle: " + side.sinceMark());
                default -> {
                    out.println("server: " + side.summary() + "; " + givenUp + " attempts given up; " + refused
                            + " answers without room");
                    ended = true;
                }
            }
            out.flush();
            if (ended) {
                return;
            }
        }
    }

    private void answer(CrowdSide.Part part, int place) {
        // Each connection has one message under way, so there is room; if not, the other side waits and says so.
        if (!part.postReceive(place) || !part.send(place)) {
            refused.incrementAndGet();
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "crowd-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(CrowdSide.Part part) {
        List<Accepted> begun = new ArrayList<>();
        try (Listener listener = part.device().listen(CrowdSide.SERVICE)) {
            while (!ended) {
                try {
                    answer(part, listener.accept(LOOK), begun);
                } catch (TimeoutException e) {
                    // nobody asked; look whether it is over
                }
                if (begun.size() >= LOOK_AFTER) {
                    giveBackFailed(part, begun);
                }
            }
        } catch (VerbsException e) {
            if (!ended) {
                throw e;
            }
        }
    }

    private void answer(CrowdSide.Part part, ConnectionRequest request, List<Accepted> begun) {
        int place = part.add();
        try {
            begun.add(new Accepted(place, request.acceptSoon(new byte[0], part.queuePair(place))));
        } catch (VerbsException e) {
            // Whoever asked has given up meanwhile, and asks again.
            if (!ended) {
                givenUp.incrementAndGet();
                part.giveBack(place);
            }
        }
    }

    private void giveBackFailed(CrowdSide.Part part, List<Accepted> begun) {
        begun.removeIf(each -> {
            if (!each.pending().isDone()) {
                return false;
            }
            if (!part.isConnected(each.place())) {
                givenUp.incrementAndGet();
                part.giveBack(each.place());
            }
            return true;
        });
    }

    /** A connection that was accepted, and whose peer has not confirmed it yet. */
    private record Accepted(int place, PendingConnection pending) {}

    private void echo(CrowdSide.Part part) {
        WorkCompletion[] done = WorkCompletion.array(256);
        while (!ended) {
            int n = part.queue().await(done, LOOK);
            for (int i = 0; i < n; i++) {
                boolean isMessage = done[i].isSuccess() && (done[i].wrId() & CrowdSide.RECEIVE) != 0;
                if (isMessage && part.isCurrent(done[i])) {
                    answer(part, (int) done[i].wrId());
                }
            }
        }
    }
}

package io.metaroce.tools;

import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.VerbsException;
import io.metaroce.verbs.WorkCompletion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Accepts every connection and sends every message back; told by lines on its input what to measure. */
final class CrowdServer {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final CrowdSide side;
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
                    out.println("server: " + side.summary());
                    ended = true;
                }
            }
            out.flush();
            if (ended) {
                return;
            }
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "crowd-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(CrowdSide.Part part) {
        try (Listener listener = part.device().listen(CrowdSide.SERVICE)) {
            while (!ended) {
                try {
                    ConnectionRequest request = listener.accept(LOOK);
                    var unused = request.acceptSoon(new byte[0], part.add());
                } catch (TimeoutException e) {
                    // nobody asked; look whether it is over
                }
            }
        } catch (VerbsException e) {
            if (!ended) {
                throw e;
            }
        }
    }

    private void echo(CrowdSide.Part part) {
        WorkCompletion[] done = WorkCompletion.array(256);
        while (!ended) {
            int n = part.queue().await(done, LOOK);
            for (int i = 0; i < n; i++) {
                if (done[i].isSuccess() && (done[i].wrId() & CrowdSide.RECEIVE) != 0) {
                    int connection = (int) done[i].wrId();
                    part.postReceive(connection);
                    part.send(connection);
                }
            }
        }
    }
}

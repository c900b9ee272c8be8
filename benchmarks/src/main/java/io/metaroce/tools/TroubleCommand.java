package io.metaroce.tools;

import io.metaroce.verbs.RetryPolicy;
import io.metaroce.verbs.VerbsConnectException;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What one process sees when the other stands still for a while, or is gone without a word. */
@Command(
        name = "trouble",
        description = "Stops the other process for some seconds, or kills it, while requests are outstanding.",
        mixinStandardHelpOptions = true)
final class TroubleCommand implements Callable<Integer> {
    private static final int SIZE = 64;
    private static final int DEPTH = 16;
    private static final int PINGS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(50);

    @Option(names = "--stop", paramLabel = "SECONDS", description = "Stop it so long, then let it go on.")
    private int stopSeconds;

    @Option(names = "--kill", description = "Kill it.")
    private boolean kill;

    @Option(names = "--dead-time", description = "With --kill: silence after which it counts as dead (1s).")
    private Span deadTime = Span.parse("1s");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final WorkCompletion[] done = WorkCompletion.array(2 * DEPTH);

    @Override
    public Integer call() throws IOException {
        if (kill == (stopSeconds > 0)) {
            throw new IllegalArgumentException("say --stop SECONDS or --kill");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (ChildProcess server = ChildProcess.start(List.of("bench", "connections", "--child", "--connections=1"));
                CrowdSide side = CrowdSide.one("127.0.0.1", SIZE, DEPTH)) {
            CrowdSide.Part part = side.parts().get(0);
            connect(part, server.address());
            pings(part);
            if (kill) {
                killed(part, server, out);
            } else {
                stopped(part, server, out);
                server.tell("end");
                if (!server.endsWell()) {
                    throw new IOException("the other process failed: " + server.output());
                }
            }
            server.output().lines().map(line -> "other side: " + line).forEach(out::println);
            out.flush();
        }
        return 0;
    }

    private void connect(CrowdSide.Part part, String server) throws IOException {
        try {
            var unused = part.device()
                    .connector()
                    .withTimeout(PATIENCE)
                    .withRetries(RetryPolicy.patient(PATIENCE))
                    .connect(
                            server,
                            CrowdSide.SERVICE,
                            part.queuePair(part.add(made -> kill ? made.withDeadTime(deadTime.duration()) : made)));
        } catch (VerbsConnectException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** One message after the other, there and back. */
    private void pings(CrowdSide.Part part) throws IOException {
        for (int i = 0; i < PINGS; i++) {
            part.send(0);
            succeed(part, 2);
        }
    }

    private void stopped(CrowdSide.Part part, ChildProcess server, PrintWriter out) throws IOException {
        signal("STOP", server);
        // The other side has posted one receive: what follows waits for credit, as it may.
        part.send(0);
        rest(stopSeconds);
        signal("CONT", server);
        long startNs = System.nanoTime();
        succeed(part, 2);
        long resumedNs = System.nanoTime() - startNs;
        pings(part);
        out.println(String.format(
                Locale.ROOT,
                "stopped for %d s: no error, went on after %d ms, %d messages before and %d after",
                stopSeconds,
                TimeUnit.NANOSECONDS.toMillis(resumedNs),
                PINGS,
                PINGS + 1));
    }

    private void killed(CrowdSide.Part part, ChildProcess server, PrintWriter out) throws IOException {
        signal("STOP", server); // so that nothing posted from now on is taken
        for (int i = 0; i < DEPTH; i++) {
            part.send(0, i);
        }
        server.kill();
        long startNs = System.nanoTime();
        Map<Long, Integer> times = new TreeMap<>();
        Map<String, Integer> kinds = new TreeMap<>();
        long quietNs = startNs;
        // One more look after the last one is there: nothing may come twice.
        while (times.size() < DEPTH + 1 || System.nanoTime() - quietNs < TimeUnit.SECONDS.toNanos(1)) {
            int n = part.queue().await(done, LOOK);
            for (int i = 0; i < n; i++) {
                times.merge(done[i].wrId(), 1, Integer::sum);
                kinds.merge(String.valueOf(done[i].status()), 1, Integer::sum);
                quietNs = System.nanoTime();
            }
            if (System.nanoTime() - startNs > PATIENCE.toNanos()) {
                throw new IOException("only " + times + " completed within " + PATIENCE);
            }
        }
        long most = times.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        out.println(String.format(
                Locale.ROOT,
                "killed: %d sends and 1 receive outstanding, %d completed, each %d time, the last after %d ms: %s",
                DEPTH,
                times.size(),
                most,
                TimeUnit.NANOSECONDS.toMillis(quietNs - startNs),
                kinds));
        if (most != 1) {
            throw new IOException("some request completed more than once: " + times);
        }
    }

    /** Waits for so many completions, none of them an error; a receive is posted again. */
    private void succeed(CrowdSide.Part part, int count) throws IOException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        int left = count;
        while (left > 0) {
            int n = part.queue().await(done, LOOK);
            for (int i = 0; i < n; i++) {
                if (!done[i].isSuccess()) {
                    throw new IOException("a request failed: " + done[i]);
                }
                if ((done[i].wrId() & CrowdSide.RECEIVE) != 0) {
                    part.postReceive(0);
                }
            }
            left -= n;
            if (left > 0 && System.nanoTime() > endNs) {
                throw new IOException(left + " requests did not complete within " + PATIENCE);
            }
        }
    }

    private static void signal(String name, ChildProcess process) throws IOException {
        Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        try {
            if (!sent.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || sent.exitValue() != 0) {
                throw new IOException("the signal " + name + " could not be sent");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void rest(int seconds) throws IOException {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

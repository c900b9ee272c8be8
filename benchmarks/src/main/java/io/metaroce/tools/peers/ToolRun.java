package io.metaroce.tools.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of two programs, one that waits and one that drives, within a time. Nothing of it outlives the call. */
final class ToolRun implements AutoCloseable {
    private static final long GRACE_MS = 2_000;
    private static final long LISTENS_MS = 10_000;
    private static final long NO_LISTENER_MS = 1_000; // for those whose port is not one of TCP
    private static final long LOOK_EVERY_MS = 20;
    private static final int TOLD_CHARS = 600;
    private static final String LISTENING = " 0A "; // state in /proc/net/tcp
    // The shell's account of its children is the second line of "times".
    private static final String WRAPPER = "\"$@\"; code=$?; times >&2; exit $code";
    private static final Pattern TIMES = Pattern.compile("(\\d+)m([0-9.]+)s (\\d+)m([0-9.]+)s\\s*$");

    private final Process process;
    private final Path out;
    private final Path err;

    /** What came of it: what the driving side printed, and processor time of both. */
    record Outcome(String printed, double cpuSeconds) {}

    private ToolRun(List<String> prefix, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("sh", "-c", WRAPPER, "sh"));
        command.addAll(words);
        out = Files.createTempFile("peer", ".out");
        err = Files.createTempFile("peer", ".err");
        process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    /**
     * Starts the server, waits until it listens, and runs the client.
     *
     * @throws IOException when the client does not end well within {@code patience}; the message has what it said
     */
    static Outcome of(
            List<String> farPrefix,
            List<String> server,
            int port,
            List<String> nearPrefix,
            List<String> client,
            Duration patience)
            throws IOException {
        try (ToolRun far = new ToolRun(farPrefix, server)) {
            far.awaitListening(port);
            try (ToolRun near = new ToolRun(nearPrefix, client)) {
                if (!near.ends(patience.toMillis())) {
                    throw new IOException(client.get(0) + " did not end within " + patience.toSeconds() + " s");
                }
                if (near.process.exitValue() != 0) {
                    throw new IOException(client.get(0) + " failed: " + near.said());
                }
                far.end();
                return new Outcome(Files.readString(near.out), near.cpuSeconds() + far.cpuSeconds());
            }
        }
    }

    /** A server whose port is of TCP shows that in the tables of its network; others are given a moment. */
    private void awaitListening(int port) throws IOException {
        long startNs = System.nanoTime();
        String local = String.format(Locale.ROOT, ":%04X ", port);
        while (process.isAlive() && !listens(local)) {
            long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            if (waitedMs > LISTENS_MS || (waitedMs > NO_LISTENER_MS && hasStarted())) {
                return;
            }
            if (ends(LOOK_EVERY_MS)) {
                throw new IOException("the side that waits ended: " + said());
            }
        }
    }

    private boolean hasStarted() {
        return process.descendants().findAny().isPresent();
    }

    private boolean listens(String local) throws IOException {
        for (String table : List.of("tcp", "tcp6")) {
            Path file = Path.of("/proc/" + process.pid() + "/net/" + table);
            if (Files.exists(file)
                    && Files.readString(file).lines().anyMatch(l -> l.contains(local) && l.contains(LISTENING))) {
                return true;
            }
        }
        return false;
    }

    private boolean ends(long ms) throws IOException {
        try {
            return process.waitFor(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Lets it end by itself, and helps if it does not. The shell around it tells the time used in any case. */
    private void end() throws IOException {
        if (!ends(GRACE_MS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            boolean unused = ends(GRACE_MS);
        }
    }

    private double cpuSeconds() throws IOException {
        return cpuSeconds(Files.readString(err));
    }

    /** Processor time from the last line of a shell's "times"; NaN without one. */
    static double cpuSeconds(String times) {
        Matcher told = TIMES.matcher(times);
        return told.find()
                ? 60 * (Double.parseDouble(told.group(1)) + Double.parseDouble(told.group(3)))
                        + Double.parseDouble(told.group(2))
                        + Double.parseDouble(told.group(4))
                : Double.NaN;
    }

    private String said() throws IOException {
        String all =
                (Files.readString(out) + " " + Files.readString(err)).strip().replaceAll("\\s*\\n\\s*", " | ");
        return all.length() <= TOLD_CHARS ? all : all.substring(0, TOLD_CHARS) + " ...";
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
    }
}

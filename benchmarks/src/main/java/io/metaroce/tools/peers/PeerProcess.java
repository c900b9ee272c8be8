package io.metaroce.tools.peers;

import io.metaroce.tools.JavaCommand;
import io.metaroce.tools.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One process of a pair, seen from the process that gives orders. What it says besides answers, on either of its
 * outputs, is kept in part and told when it fails.
 */
final class PeerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final long GRACE_MS = 3_000;
    private static final String READY = "listening ";
    private static final String LAST_LINE = "\0";
    private static final int REMEMBERED_LINES = 20;
    private static final double TICKS_PER_SECOND = 100; // USER_HZ of Linux
    private static final int USER_TICKS = 11; // fields of /proc/PID/stat behind the name
    private static final int SYSTEM_TICKS = 12;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ArrayDeque<String> besides = new ArrayDeque<>();
    private final String address;

    private PeerProcess(Place place, Peer peer, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(place.prefix());
        command.addAll(JavaCommand.of(PeerSide.class.getName(), words));
        command.addAll(place.prefix().size() + 1, peer.javaOptions());
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread reader = new Thread(this::read, "peer-output");
        reader.setDaemon(true);
        reader.start();
        try {
            address = answer(READY, START);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Starts the receiving side. */
    static PeerProcess serve(Place place, Peer peer) throws IOException {
        return new PeerProcess(place, peer, List.of("serve", peer.name(), place.host()));
    }

    /** Starts the sending side. */
    static PeerProcess drive(Place place, Peer peer, String remote) throws IOException {
        return new PeerProcess(place, peer, List.of("drive", peer.name(), place.host(), remote));
    }

    String address() {
        return address;
    }

    /** Says an order; the answer without {@code keyword}. */
    String ask(String order, String keyword, Duration patience) throws IOException {
        process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return answer(keyword, patience);
    }

    /** Processor time of all its threads so far, in seconds. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
    }

    private void read() {
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // it is gone; the last line says so
        }
        lines.add(LAST_LINE);
    }

    private String answer(String keyword, Duration patience) throws IOException {
        long endNs = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                String line = lines.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null) {
                    throw new IOException("no answer within " + patience.toSeconds() + " s" + said());
                }
                if (line.equals(LAST_LINE)) {
                    throw new IOException("the process ended" + said());
                }
                if (line.startsWith(PeerSide.FAILED)) {
                    throw new IOException(line.substring(PeerSide.FAILED.length()) + said());
                }
                if (line.startsWith(keyword)) {
                    return line.substring(keyword.length());
                }
                remember(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void remember(String line) {
        if (besides.size() == REMEMBERED_LINES) {
            besides.removeFirst();
        }
        besides.addLast(line);
    }

    private String said() {
        return besides.isEmpty() ? "" : "; it said: " + String.join(" | ", besides);
    }

    /** The end of its orders lets it tidy up. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            boolean unused = process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            // it is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Processes.end(process);
    }
}

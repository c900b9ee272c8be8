package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A tool that runs in a thread of its own, with what it prints. */
final class Tool {
    /** Nothing here takes half as long, on the slowest machine. */
    static final Duration LONG = Duration.ofSeconds(60);

    private final Screen out = new Screen();
    private final Screen err = new Screen();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final long startNs = System.nanoTime();
    private volatile long endNs;

    private Tool(List<String> arguments) {
        Thread thread = new Thread(() -> run(arguments), "tool-" + String.join(" ", arguments));
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts a tool. */
    static Tool start(String... arguments) {
        return new Tool(List.of(arguments));
    }

    /** Starts a tool that serves, and waits until it does. */
    static Tool serve(String... arguments) throws InterruptedException {
        Tool server = start(arguments);
        server.out.await("Waiting for client to connect", LONG);
        return server;
    }

    /** Runs a tool to its end. */
    static Tool run(String... arguments) throws Exception {
        Tool tool = start(arguments);
        int ignored = tool.code();
        return tool;
    }

    /** A UDP port of 127.0.0.1 that nobody uses at the moment. */
    static String freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    /** Several words as one command line. */
    static String[] line(List<String> first, String... more) {
        List<String> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** Exit code; waits for the end. */
    int code() throws Exception {
        return code.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Fails unless it ended well. */
    Tool endsWell() throws Exception {
        assertThat(code()).as("%s%s", out, err).isZero();
        return this;
    }

    /** How long it ran. */
    Duration took() {
        return Duration.ofNanos(endNs - startNs);
    }

    /** What it has printed. */
    String out() {
        return out.toString();
    }

    /** What it has complained of. */
    String err() {
        return err.toString();
    }

    private void run(List<String> arguments) {
        try (PrintWriter toOut = new PrintWriter(out, true);
                PrintWriter toErr = new PrintWriter(err, true)) {
            int result = Main.run(toOut, toErr, arguments.toArray(String[]::new));
            endNs = System.nanoTime();
            code.complete(result);
        } catch (RuntimeException | Error e) {
            code.completeExceptionally(e);
        }
    }
}

package io.metaroce.compliance.utp;

import io.metaroce.compliance.spec.Json;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An agent in another process: UTP/1 over its standard input and output, or over a TCP connection of the loopback
 * interface. Every wait has a deadline.
 */
public final class RemoteAgent implements Agent {
    private static final long ANSWER_S = 30;
    private static final int CONNECT_MS = 5_000;
    private static final int LINE_MAX = 256 * 1024;

    private final BufferedReader from;
    private final Writer to;
    private final Closeable end;
    private final LinkedBlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<JsonNode> events = new ConcurrentLinkedQueue<>();
    private int nextId = 1;

    private RemoteAgent(BufferedReader from, Writer to, Closeable end) {
        this.from = from;
        this.to = to;
        this.end = end;
        Thread reader = new Thread(this::read, "utp");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts an agent as a process, without a shell.
     *
     * @param command the program and its arguments
     * @throws IOException when it cannot be started
     */
    public static RemoteAgent started(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new RemoteAgent(
                process.inputReader(StandardCharsets.UTF_8),
                process.outputWriter(StandardCharsets.UTF_8),
                () -> stop(process));
    }

    /**
     * Connects to an agent that listens.
     *
     * @param address {@code host:port}; the host is this machine, for test traffic goes over its loopback interface
     * @throws IOException when nobody listens there
     * @throws IllegalArgumentException when the address is none, or one of another machine
     */
    public static RemoteAgent at(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        if (colon < 0 || !address.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("an agent's address is HOST:PORT, not " + address);
        }
        InetAddress host = InetAddress.getByName(address.substring(0, colon));
        if (!host.isLoopbackAddress()) {
            throw new IllegalArgumentException("only agents of this machine can be tested, not one at " + address);
        }
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), CONNECT_MS);
        socket.setTcpNoDelay(true);
        return new RemoteAgent(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)),
                new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8),
                socket);
    }

    private static void stop(Process process) {
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (from) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                JsonNode node = line.length() > LINE_MAX ? Json.object() : Json.parse(line);
                if (node.has("evt")) {
                    events.add(node);
                } else {
                    answers.add(node);
                }
            }
        } catch (IOException | JacksonException e) {
            // The same as the end of what it says: after noise nothing can be told apart any more.
        }
        answers.add(Json.object().put("ok", false).put("err", "E_PROTOCOL").put("msg", "the agent is gone"));
    }

    @Override
    public ObjectNode call(String command, ObjectNode arguments) {
        int id = nextId++;
        ObjectNode request = Json.object().put("id", id).put("cmd", command);
        arguments.properties().forEach(entry -> request.set(entry.getKey(), entry.getValue()));
        try {
            to.write(Json.line(request) + "\n");
            to.flush();
            JsonNode answer = await();
            if (answer == null || answer.path("id").asInt(-1) != id) {
                throw new UtpException("E_PROTOCOL", "no answer to " + command + ", but " + answer);
            }
            if (!answer.path("ok").asBoolean(false)) {
                throw new UtpException(
                        answer.path("err").asString("E_PROTOCOL"),
                        answer.path("msg").asString(""));
            }
            return (ObjectNode) answer;
        } catch (IOException e) {
            throw new UtpException("E_PROTOCOL", "the agent cannot be written to: " + e.getMessage());
        }
    }

    private @Nullable JsonNode await() {
        try {
            return answers.poll(ANSWER_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public List<JsonNode> events() {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode event = events.poll(); event != null; event = events.poll()) {
            all.add(event);
        }
        return all;
    }

    /** Forgets events that belong to what was before a reset. */
    public void forgetEvents() {
        events.clear();
    }

    @Override
    public void close() {
        try (end) {
            to.close();
        } catch (IOException e) {
            // It is gone already.
            answers.clear();
        }
    }
}

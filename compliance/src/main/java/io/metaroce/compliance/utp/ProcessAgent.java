package io.metaroce.compliance.utp;

import io.metaroce.compliance.spec.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An agent in another process: UTP/1 over its standard input and output. Started without a shell. */
public final class ProcessAgent implements Agent {
    private static final long ANSWER_S = 30;
    private static final int LINE_MAX = 256 * 1024;

    private final Process process;
    private final Writer to;
    private final LinkedBlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<JsonNode> events = new ConcurrentLinkedQueue<>();
    private int nextId = 1;

    /** Starts the agent. */
    public ProcessAgent(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        to = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "utp");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader from = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                JsonNode node = line.length() > LINE_MAX ? Json.object() : Json.parse(line);
                if (node.has("evt")) {
                    events.add(node);
                } else {
                    answers.add(node);
                }
            }
        } catch (IOException e) {
            answers.add(Json.object().put("ok", false).put("err", "E_PROTOCOL").put("msg", "the agent is gone"));
        }
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
        try {
            to.close();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}

package io.metaroce.compliance.cosim;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A log of a device, compared afterwards: the first line is the request {@code new} without {@code op}, every other
 * line an event. Lines without anything are skipped.
 */
public final class OfflineLog {
    private OfflineLog() {}

    /** Compares a log; says in one line where the device and the model part, or that they do not. */
    public static boolean compare(Path log, Codec codec, PrintWriter out) throws IOException {
        Session session = new Session(codec);
        List<String> lines = Files.readAllLines(log);
        int handle = 0;
        int compared = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            JsonNode reply = handle == 0 ? open(session, parse(line, i)) : event(session, handle, parse(line, i));
            if (!reply.path("ok").asBoolean()) {
                out.println("line " + (i + 1) + ": " + Json.line(reply));
                out.flush();
                return false;
            }
            if (handle == 0) {
                handle = reply.path("h").asInt();
            } else {
                compared++;
            }
        }
        out.println(compared + " events, no mismatch");
        out.flush();
        return true;
    }

    private static ObjectNode parse(String line, int index) {
        try {
            if (Json.parse(line) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("line " + (index + 1) + " is no JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException("line " + (index + 1) + " is no object");
    }

    private static JsonNode open(Session session, ObjectNode setup) {
        return session.answer(setup.put("op", "new"), 0);
    }

    private static JsonNode event(Session session, int handle, ObjectNode event) {
        ObjectNode request = Json.object().put("op", "events").put("h", handle);
        request.putArray("batch").add(event);
        return session.answer(request, 0);
    }
}

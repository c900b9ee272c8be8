package io.metaroce.compliance.cosim;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
        int handle = 0;
        long compared = 0;
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                ObjectNode parsed = parse(line, number);
                JsonNode reply = handle == 0 ? open(session, parsed) : event(session, handle, parsed);
                if (!reply.path("ok").asBoolean()) {
                    out.println("line " + number + ": " + Json.line(reply));
                    out.flush();
                    return false;
                }
                if (handle == 0) {
                    handle = reply.path("h").asInt();
                } else {
                    compared++;
                }
            }
        }
        if (compared == 0) {
            throw new IllegalArgumentException(log + " has no events: nothing was compared");
        }
        out.println(compared + " events, no mismatch");
        out.flush();
        return true;
    }

    private static ObjectNode parse(String line, long number) {
        try {
            if (Json.parse(line) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException("line " + number + " is no JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException("line " + number + " is no object");
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

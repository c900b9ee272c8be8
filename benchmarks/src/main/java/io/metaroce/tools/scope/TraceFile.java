package io.metaroce.tools.scope;

import io.metaroce.capture.JsonTrace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A trace as {@link JsonTrace} writes it, read line by line. */
public final class TraceFile {
    private static final JsonMapper MAPPER = new JsonMapper();

    private TraceFile() {}

    /**
     * Hands out every event in order. A last line that was cut off, because its writer was, is left out.
     *
     * @throws IOException when the file is none of ours, or cannot be read
     */
    public static void read(Path file, Consumer<TraceEvent> each) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            TraceEvent first = event(lines.readLine());
            if (first == null || !first.text("schema").equals(JsonTrace.SCHEMA)) {
                throw new IOException(file + " is no trace: its first line does not say \"schema\":\""
                        + JsonTrace.SCHEMA + "\"; traces are written with --trace");
            }
            for (TraceEvent event = first; event != null; event = event(lines.readLine())) {
                each.accept(event);
            }
        }
    }

    /** What a line says, or null at the end. */
    static @Nullable TraceEvent event(@Nullable String line) {
        if (line == null) {
            return null;
        }
        try {
            JsonNode root = MAPPER.readTree(line);
            return new TraceEvent(
                    root.path("time_ns").asLong(0), root.path("name").asString(""), root.path("data"));
        } catch (JacksonException e) {
            return null;
        }
    }
}

package io.metaroce.tools.scope;

import io.metaroce.capture.JsonTrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A trace as {@link JsonTrace} writes it, read line by line; its writer may be at work still. */
public final class TraceFile implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int CHUNK_BYTES = 1 << 16;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(); // begun, not ended
    private boolean begun;

    private TraceFile(Path file) throws IOException {
        this.file = file;
        channel = FileChannel.open(file);
    }

    /** Opens a trace; nothing has been read of it. */
    public static TraceFile open(Path file) throws IOException {
        return new TraceFile(file);
    }

    /**
     * Hands out every event in order. A last line that was cut off, because its writer was, is left out.
     *
     * @throws IOException when the file is none of ours, or cannot be read
     */
    public static void read(Path file, Consumer<TraceEvent> each) throws IOException {
        try (TraceFile trace = open(file)) {
            trace.poll(each);
            trace.endOfLine(each); // what has no end of line may be whole all the same
        }
    }

    /**
     * Hands out the events that have been written since the last call and whose lines have ended.
     *
     * @throws IOException when the file is none of ours, or cannot be read
     */
    public void poll(Consumer<TraceEvent> each) throws IOException {
        while (channel.read(chunk.clear()) > 0) {
            chunk.flip();
            while (chunk.hasRemaining()) {
                byte next = chunk.get();
                if (next == '\n') {
                    endOfLine(each);
                } else {
                    line.write(next);
                }
            }
        }
    }

    private void endOfLine(Consumer<TraceEvent> each) throws IOException {
        TraceEvent event = event(line.toString(StandardCharsets.UTF_8));
        line.reset();
        if (!begun) {
            refuseUnless(event != null && event.text("schema").equals(JsonTrace.SCHEMA));
            begun = true;
        }
        if (event != null) {
            each.accept(event);
        }
    }

    private void refuseUnless(boolean isOurs) throws IOException {
        if (!isOurs) {
            throw new IOException(file + " is no trace: its first line does not say \"schema\":\"" + JsonTrace.SCHEMA
                    + "\"; traces are written with --trace");
        }
    }

    /** What a line says, or null when it says nothing. */
    static @Nullable TraceEvent event(String line) {
        if (line.isEmpty()) {
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

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

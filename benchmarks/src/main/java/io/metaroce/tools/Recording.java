package io.metaroce.tools;

import io.metaroce.capture.JsonTrace;
import io.metaroce.capture.PcapngTap;
import io.metaroce.engine.EndpointHost;
import io.metaroce.engine.PacketTap;
import io.metaroce.trace.TransportEvents;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a tool writes down while it runs: a trace, a capture, both or nothing. */
public final class Recording implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final @Nullable Writer lines;
    private final @Nullable JsonTrace trace;
    private final @Nullable OutputStream packets;

    private Recording(@Nullable Writer lines, @Nullable OutputStream packets) {
        this.lines = lines;
        this.trace = lines == null ? null : new JsonTrace(lines, JsonTrace.SAMPLE_NS);
        this.packets = packets;
    }

    /** Opens the files that are wanted. */
    public static Recording open(@Nullable Path traceFile, @Nullable Path captureFile) throws IOException {
        Writer lines = traceFile == null ? null : Files.newBufferedWriter(traceFile);
        OutputStream packets =
                captureFile == null ? null : new BufferedOutputStream(Files.newOutputStream(captureFile), BUFFER_BYTES);
        return new Recording(lines, packets);
    }

    /** Who is to hear of events; given to the endpoint when it is made. */
    public TransportEvents events() {
        return trace == null ? TransportEvents.NONE : trace;
    }

    /** Begins to record. Once. */
    public void attach(EndpointHost endpoint) {
        PacketTap capture = packets == null ? null : PcapngTap.of(endpoint, packets);
        if (trace != null) {
            trace.begin(endpoint);
        }
        if (trace != null && capture != null) {
            endpoint.tap(PacketTap.both(trace, capture));
        } else if (trace != null || capture != null) {
            endpoint.tap(trace != null ? trace : capture);
        }
    }

    /** Closes the files; after the endpoint was closed. */
    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
        if (packets != null) {
            packets.close();
        }
    }
}

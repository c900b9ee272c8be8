package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Arguments;
import io.metaroce.compliance.adapter.model.ModelProfiles;
import io.metaroce.compliance.adapter.model.Refused;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Serves one client after its greeting, in the encoding it asked for. */
public final class Server {
    /** Bytes of a line or a frame at most. */
    static final int REQUEST_BYTES_MAX = 16 << 20;

    private static final int VERSION = 1;
    private static final int RECORD_BYTES = 64;

    private final String commit;
    private final Session session;
    private boolean isBinary;
    private boolean isGreeted;

    /** A server that says it is of this commit and reads packets with this codec. */
    public Server(String commit, Codec codec) {
        this.commit = commit;
        session = new Session(codec);
    }

    /**
     * Serves a client until it says good-bye or is gone.
     *
     * @return whether it said good-bye
     */
    public boolean serve(InputStream in, OutputStream out) throws IOException {
        Lines lines = new Lines(in, REQUEST_BYTES_MAX);
        byte[] line = lines.next();
        while (line != null) {
            ObjectNode reply = answer(line);
            out.write((Json.line(reply) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            if (session.isOver()) {
                return true;
            }
            if (isBinary) {
                return new Frames(session, lines.rest(), out).serve();
            }
            line = lines.next();
        }
        return false;
    }

    private ObjectNode answer(byte[] line) {
        JsonNode request;
        try {
            request = Json.parse(new String(line, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            return new Refused("E_PARSE", "no JSON: " + e.getOriginalMessage()).reply();
        }
        ObjectNode reply = Json.object();
        if (request.path("id").isIntegralNumber()) {
            reply.set("id", request.path("id"));
        }
        try {
            if (request.isObject() && request.path("op").asString("").equals("hello")) {
                reply.setAll(hello(request));
            } else if (isGreeted) {
                reply.setAll(session.answer(request, line.length));
            } else {
                throw new Refused(request.isObject() ? "E_OP" : "E_PARSE", "the first request is hello");
            }
        } catch (Refused e) {
            reply.setAll(e.reply());
        }
        return reply;
    }

    private ObjectNode hello(JsonNode request) {
        if (Arguments.number(request, "cosim", 0, Integer.MAX_VALUE) != VERSION) {
            throw new Refused("E_VERSION", "COSIM/" + VERSION + " is spoken here");
        }
        String encoding = Arguments.text(request, "enc", "ndjson");
        isBinary = switch (encoding) {
            case "ndjson" -> false;
            case "bin" -> true;
            default -> throw new Refused("E_ARG", "enc is ndjson or bin");
        };
        isGreeted = true;
        ObjectNode reply = Json.object();
        ModelProfiles.names().forEach(reply.putArray("profiles")::add);
        return reply.put("ok", true)
                .put("cosim", VERSION)
                .put("enc", encoding)
                .put("model", "metaroce open draft 1")
                .put("spec", "MetaRoCE open draft 1")
                .put("vectors", 1)
                .put("commit", commit)
                .put("record_bytes", RECORD_BYTES);
    }
}

package io.metaroce.tools.scope;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** One event as one line for people. */
public final class TraceText {
    private TraceText() {}

    /** The line, without its end. */
    public static String of(TraceEvent event) {
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "%14.6f ms  ", event.timeNs() / 1e6));
        switch (event.name()) {
            case "packet_sent" -> packet(out.append("> "), event);
            case "packet_received" -> packet(out.append("< "), event);
            default -> {
                out.append("  ").append(event.name());
                event.data()
                        .forEachEntry((key, value) ->
                                out.append(' ').append(key).append('=').append(plain(value)));
            }
        }
        return out.toString();
    }

    private static void packet(StringBuilder out, TraceEvent event) {
        JsonNode data = event.data();
        out.append(event.text("packet"));
        word(out, data, "path", " path ");
        word(out, data, "epoch", ".");
        word(out, data, "psn", " psn ");
        word(out, data, "stream", " stream ");
        word(out, data, "msn", " msn ");
        if (event.number("offset", 0) > 0) {
            word(out, data, "offset", " at ");
        }
        if (event.number("payload_bytes", 0) > 0) {
            word(out, data, "payload_bytes", " len ");
        }
        if (data.has("hint_bytes_per_s")) {
            out.append(String.format(Locale.ROOT, " hint %.1f Mbit/s", event.number("hint_bytes_per_s", 0) * 8 / 1e6));
        }
        for (JsonNode block : data.path("blocks")) {
            out.append(" {path ")
                    .append(block.path("path").asInt())
                    .append(" cum ")
                    .append(block.path("cum_psn").asLong());
            word(out, block, "missing", " missing ");
            word(out, block, "marked", " marked ");
            out.append('}');
        }
        if (data.path("resent").asBoolean(false)) {
            out.append(" [resent]");
        }
        word(out, data, "reason", " unreadable: ");
    }

    private static void word(StringBuilder out, JsonNode data, String key, String before) {
        if (data.has(key)) {
            out.append(before).append(plain(data.get(key)));
        }
    }

    private static String plain(JsonNode value) {
        return value.asString();
    }
}

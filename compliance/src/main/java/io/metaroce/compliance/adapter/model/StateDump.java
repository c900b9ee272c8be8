package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Sha256;
import io.metaroce.engine.ArchView;
import io.metaroce.engine.ConnectionView;
import io.metaroce.engine.PathView;
import io.metaroce.memory.MemoryRegion;
import io.metaroce.message.StreamState;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of a model as canonical JSON: sorted keys, whole numbers, nothing absent in one and null in another. Level
 * {@code arch} is what every implementation agrees on when nothing is under way; level {@code model} is the engine's.
 */
public final class StateDump {
    private StateDump() {}

    /** The dump of a level. */
    public static ObjectNode of(Model model, String level) {
        return switch (level) {
            case "arch" -> sorted(arch(model));
            case "model" -> sorted(inner(model));
            default -> throw new Refused("E_ARG", "level is arch or model");
        };
    }

    /** SHA-256 of the dump of level {@code arch}. */
    public static String hash(Model model) {
        return Sha256.of(Json.line(of(model, "arch")));
    }

    private static ObjectNode arch(Model model) {
        ObjectNode out = Json.object();
        ObjectNode connections = out.putObject("connections");
        for (int id : model.endpoint().connectionIds()) {
            ArchView view = ArchView.of(model.endpoint(), id);
            if (view != null) {
                arch(view, connections.putObject(name(id)));
            }
        }
        regions(model, out);
        return out;
    }

    private static void arch(ArchView view, ObjectNode out) {
        out.put("state", view.state());
        ObjectNode received = out.putObject("received_paths");
        for (ArchView.Inbound path : view.inbound()) {
            ArrayNode bitmap = received.putObject(name(path.id()))
                    .put("cum_psn", Integer.toUnsignedLong(path.cumPsn()))
                    .put("epoch", path.epoch())
                    .putArray("bitmap");
            path.bitmap().forEach(word -> bitmap.add("0x%016x".formatted(word)));
        }
        ObjectNode sent = out.putObject("sent_paths");
        for (ArchView.Outbound path : view.outbound()) {
            sent.putObject(name(path.id()))
                    .put("epoch", path.epoch())
                    .put("next_psn", Integer.toUnsignedLong(path.nextPsn()))
                    .put("unacked", path.unacked());
        }
        ObjectNode streams = out.putObject("streams");
        for (StreamState stream : view.streams()) {
            streams.putObject(name(stream.streamId()))
                    .put("confirmed_msn", Integer.toUnsignedLong(stream.confirmedMsn()))
                    .put("error", stream.error())
                    .put("next_rsn", Integer.toUnsignedLong(stream.nextRsn()))
                    .put("peer_rsn_limit", Integer.toUnsignedLong(stream.peerRsnLimit()))
                    .put("received_msn", Integer.toUnsignedLong(stream.receivedMsn()))
                    .put("rsn_limit", Integer.toUnsignedLong(stream.rsnLimit()))
                    .put("sent_msn", Integer.toUnsignedLong(stream.sentMsn()));
        }
    }

    private static void regions(Model model, ObjectNode out) {
        ObjectNode regions = out.putObject("regions");
        for (MemoryRegion region : model.memory().all()) {
            ObjectNode one = regions.putObject(name(region.key()))
                    .put("access", region.access())
                    .put("domain", region.domain())
                    .put("length_bytes", region.length())
                    .put("valid", region.isValid() ? 1 : 0);
            Arguments.put(one, "base", region.base());
        }
    }

    private static ObjectNode inner(Model model) {
        ObjectNode out = Json.object();
        Arguments.put(out, "now_ns", model.nowNs());
        Arguments.put(out, "next_ns", model.nextNs());
        ObjectNode connections = out.putObject("connections");
        for (int id : model.endpoint().connectionIds()) {
            ConnectionView view = model.endpoint().view(id);
            if (view != null) {
                connection(view, connections.putObject(name(id)));
            }
        }
        return out;
    }

    private static void connection(ConnectionView view, ObjectNode out) {
        out.put("state", view.state()).put("peer_id", Integer.toUnsignedLong(view.peerId()));
        Arguments.put(out, "window_bytes", view.windowBytes());
        Arguments.put(out, "in_flight_bytes", view.inFlightBytes());
        Arguments.put(out, "hint_bytes_per_second", view.hintBytesPerSecond());
        Arguments.put(out, "paced_bytes_per_second", view.pacedBytesPerSecond());
        out.put("payload_bytes", view.payloadBytes());
        ArrayNode paths = out.putArray("paths");
        for (PathView path : view.paths()) {
            ObjectNode one = paths.addObject()
                    .put("state", path.state())
                    .put("plane", path.plane())
                    .put("entropy", path.entropy())
                    .put("borrowed", path.borrowed() ? 1 : 0)
                    .put("epoch", path.epoch());
            Arguments.put(one, "srtt_ns", path.srttNs());
            Arguments.put(one, "base_rtt_ns", path.baseRttNs());
            Arguments.put(one, "window_bytes", path.windowBytes());
            Arguments.put(one, "in_flight_bytes", path.inFlightBytes());
            Arguments.put(one, "slots", path.slots());
            Arguments.put(one, "resent_packets", path.resentPackets());
        }
    }

    private static String name(int number) {
        return "%08x".formatted(number);
    }

    private static ObjectNode sorted(ObjectNode node) {
        Map<String, JsonNode> fields = new TreeMap<>();
        node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
        ObjectNode out = Json.object();
        fields.forEach(out::set);
        return out;
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return sorted(object);
        }
        if (node instanceof ArrayNode array) {
            ArrayNode out = Json.array();
            array.forEach(element -> out.add(sorted(element)));
            return out;
        }
        return node;
    }
}

package io.metaroce.tools.wireshark;

import io.metaroce.tools.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the Wireshark dissector: the table of wire constants as a Lua table, followed by the interpreter of it, which
 * is written by hand. So a field that changes in the table changes in Wireshark.
 */
final class DissectorFile {
    private static final List<String> FIELD_KEYS = List.of(
            "name", "doc", "at", "bits", "kind", "enum", "zero", "format", "unit", "of", "repeat", "bits_by", "flags",
            "meaning");

    private final JsonNode wire;
    private final StringBuilder out = new StringBuilder();

    private DissectorFile(JsonNode wire) {
        this.wire = wire;
    }

    /** The checked-in dissector. */
    static Path path() {
        return Checkout.root().resolve("docs/wireshark/metaroce.lua");
    }

    /** The table of wire constants. */
    static JsonNode wire() throws IOException {
        return new JsonMapper().readTree(Files.readString(Checkout.root().resolve("spec/wire/packets.json")));
    }

    /** What the checked-in dissector must be. */
    static String text() throws IOException {
        return new DissectorFile(wire()).write();
    }

    private String write() throws IOException {
        out.append("-- MetaRoCE for Wireshark and tshark (4.0 or later): tshark -X lua_script:metaroce.lua -r FILE\n")
                .append("-- Made from spec/wire/packets.json by DissectorFile; do not edit, a test compares.\n")
                .append("local T = {\n");
        constant("port", "UDP_PORT");
        constant("version", "VERSION");
        constant("version_secured", "VERSION_SECURED");
        constant("sack_words_max", "SACK_WORDS_MAX");
        out.append("  trailer_bytes = ")
                .append(wire.at("/trailer/bytes").asInt())
                .append(",\n");
        out.append("  enums = {\n");
        wire.get("enums").forEachEntry((name, all) -> list("    " + name, all, List.of("name", "value")));
        out.append("  },\n  headers = {\n");
        wire.get("headers").forEachEntry((name, header) -> list("    " + name, header.get("fields"), FIELD_KEYS));
        out.append("  },\n  structures = {\n");
        wire.get("structures").forEachEntry((name, one) -> list("    " + name, one.get("fields"), FIELD_KEYS));
        out.append("  },\n  packets = {\n");
        wire.get("packets").forEach(this::packet);
        out.append("  },\n  tlvs = {\n");
        wire.get("tlvs").forEach(this::option);
        out.append("  },\n");
        list("  secured", wire.at("/secured/fields"), FIELD_KEYS);
        return out.append("}\n\n").append(body()).toString();
    }

    private void constant(String key, String name) {
        for (JsonNode constant : wire.get("constants")) {
            if (constant.get("name").asString().equals(name)) {
                out.append("  ")
                        .append(key)
                        .append(" = ")
                        .append(constant.get("value").asLong())
                        .append(",\n");
            }
        }
    }

    private void packet(JsonNode packet) {
        String name = packet.get("name").asString();
        boolean takesParameters = false;
        for (JsonNode one : wire.at("/tlv_rules/parameter_opcodes")) {
            takesParameters |= one.asString().equals(name);
        }
        out.append("    [").append(packet.get("opcode").asString()).append("] = {name = ");
        value(packet.get("name"));
        out.append(", header_bytes = ").append(packet.get("header_bytes").asInt());
        out.append(", slot = ").append(packet.get("slot").asBoolean());
        out.append(", seed_zero = ").append(packet.get("seed").asString().equals("zero"));
        out.append(", parameters = ").append(takesParameters);
        out.append(", layout = ");
        value(packet.get("layout"));
        out.append(", body = ");
        value(packet.get("body"));
        out.append("},\n");
    }

    private void option(JsonNode option) {
        out.append("    [").append(option.get("type").asString()).append("] = {name = ");
        value(option.get("name"));
        out.append(", scope = ");
        value(option.get("scope"));
        list(", fields", option.get("fields"), FIELD_KEYS);
        out.append("    },\n");
    }

    private void list(String head, JsonNode all, List<String> keys) {
        out.append(head).append(" = {\n");
        for (JsonNode one : all) {
            out.append("      {");
            for (String key : keys) {
                JsonNode found = one.get(key);
                if (found != null) {
                    out.append(key(key)).append(" = ");
                    value(found);
                    out.append(", ");
                }
            }
            out.append("},\n");
        }
        out.append("    },\n");
    }

    private void value(JsonNode node) {
        if (node.isString()) {
            out.append('"')
                    .append(node.asString().replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        } else if (node.isArray()) {
            out.append('{');
            node.forEach(one -> {
                value(one);
                out.append(", ");
            });
            out.append('}');
        } else if (node.isObject()) {
            out.append('{');
            node.forEachEntry((key, one) -> {
                out.append(key(key)).append(" = ");
                value(one);
                out.append(", ");
            });
            out.append('}');
        } else {
            out.append(node.asString());
        }
    }

    private static String key(String name) {
        return name.equals("repeat") || !Character.isLetter(name.charAt(0)) ? "[\"" + name + "\"]" : name;
    }

    private static String body() throws IOException {
        try (var in = Objects.requireNonNull(DissectorFile.class.getResourceAsStream("/wireshark/body.lua"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

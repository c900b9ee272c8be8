package io.metaroce.tools.wireshark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The fields of a golden vector under the names they have in Wireshark. */
final class Expected {
    private final JsonNode wire = DissectorFile.wire();
    private final JsonNode vector;
    private final Map<String, List<String>> all = new TreeMap<>();

    Expected(JsonNode vector) throws IOException {
        this.vector = vector;
    }

    Map<String, List<String>> all() {
        JsonNode packet = packet();
        vector.get("fields").forEachEntry((name, value) -> {
            if (name.equals("options")) {
                value.forEach(this::option);
            } else if (name.equals("payload") && !value.asString().isEmpty()) {
                add("metaroce.payload", value);
            } else if (value.isArray()) {
                structures(packet, name, value);
            } else {
                header(packet, name, value);
            }
        });
        return all;
    }

    private JsonNode packet() {
        for (JsonNode packet : wire.get("packets")) {
            if (packet.get("name").asString().equals(vector.get("packet").asString())) {
                return packet;
            }
        }
        throw new IllegalStateException("no such packet: " + vector.get("packet"));
    }

    private void header(JsonNode packet, String name, JsonNode value) {
        for (JsonNode header : packet.get("layout")) {
            for (JsonNode field : wire.get("headers").get(header.asString()).get("fields")) {
                if (field.get("name").asString().equals(name) && !name.equals("reserved")) {
                    add("metaroce." + lower(header) + "." + name, value);
                }
            }
        }
    }

    private void structures(JsonNode packet, String name, JsonNode list) {
        for (JsonNode part : packet.get("body")) {
            if (part.path("name").asString("").equals(name)) {
                list.forEach(one -> one.forEachEntry((field, value) -> {
                    String key = "metaroce." + lower(part.get("of")) + "." + field;
                    if (value.isArray()) {
                        value.forEach(each -> add(key, each));
                    } else if (!field.equals("reserved")) {
                        add(key, value);
                    }
                }));
            }
        }
    }

    private void option(JsonNode option) {
        if (option.has("name")) {
            option.get("fields").forEachEntry((field, value) -> {
                if (!value.isArray()) {
                    add("metaroce.tlv." + lower(option.get("name")) + "." + field, value);
                }
            });
        }
    }

    private void add(String key, JsonNode value) {
        if (!value.asString().isEmpty()) {
            all.computeIfAbsent(key, unused -> new ArrayList<>()).add(value.asString());
        }
    }

    private static String lower(JsonNode name) {
        return name.asString().toLowerCase(Locale.ROOT);
    }
}

package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The table of the wire is sound in itself, so that a decoder can be driven by it alone. */
class WireTableLintTest {
    private static final JsonNode TABLE = WireFiles.TABLE;
    private static final Set<String> KINDS = Set.of(
            "uint",
            "serial",
            "id",
            "flags",
            "enum",
            "minifloat",
            "bitmap",
            "bytes",
            "opcode",
            "tlv_type",
            "list",
            "reserved");

    @Test
    void fieldsNeitherOverlapNorLeaveHoles() {
        TABLE.get("headers").properties().forEach(entry -> {
            int end = fill(
                    entry.getKey(),
                    entry.getValue(),
                    entry.getValue().get("start").asInt() * 8);
            assertThat(end)
                    .as(entry.getKey())
                    .isEqualTo(entry.getValue().get("end").asInt() * 8);
        });
        TABLE.get("structures").properties().forEach(entry -> fill(entry.getKey(), entry.getValue(), 0));
        TABLE.get("tlvs").forEach(row -> {
            int end = fill(row.get("name").asString(), row, 16);
            if (row.get("words").isInt()) {
                assertThat(end)
                        .as(row.get("name").asString())
                        .isEqualTo(row.get("words").asInt() * 32);
            }
        });
        fill("secured", TABLE.get("secured"), 0);
    }

    @Test
    void headersOfAPacketFollowEachOther() {
        for (JsonNode packet : TABLE.get("packets")) {
            int at = 0;
            Set<String> names = new TreeSet<>();
            for (String header : WireFiles.layout(packet)) {
                JsonNode group = TABLE.get("headers").get(header);
                assertThat(group.get("start").asInt())
                        .as("%s in %s", header, packet.get("name").asString())
                        .isEqualTo(at);
                at = group.get("end").asInt();
                for (JsonNode field : group.get("fields")) {
                    String name = field.get("name").asString();
                    boolean isNew = names.add(name) || name.equals("reserved");
                    assertThat(isNew)
                            .as("%s twice in %s", name, packet.get("name").asString())
                            .isTrue();
                }
            }
            assertThat(packet.get("header_bytes").asInt()).isEqualTo(at);
            checkBody(packet, names);
        }
    }

    @Test
    void referencesLeadSomewhere() {
        for (JsonNode field : allFields()) {
            String name = field.get("name").asString();
            assertThat(KINDS).as(name).contains(field.get("kind").asString());
            if (field.has("enum")) {
                assertThat(TABLE.get("enums").has(field.get("enum").asString()))
                        .as(name)
                        .isTrue();
            }
            if (field.has("format")) {
                assertThat(namesOf(TABLE.get("numbers")))
                        .as(name)
                        .contains(field.get("format").asString());
            }
            if (field.has("const")) {
                assertThat(namesOf(TABLE.get("constants")))
                        .as(name)
                        .contains(field.get("const").asString());
            }
            if (field.has("of")) {
                assertThat(TABLE.get("structures").has(field.get("of").asString()))
                        .as(name)
                        .isTrue();
            }
            if (field.has("flags")) {
                checkFlags(field);
            }
        }
    }

    @Test
    void numbersAreGivenOnce() {
        assertUnique(TABLE.get("packets"), "opcode");
        assertUnique(TABLE.get("packets"), "name");
        assertUnique(TABLE.get("tlvs"), "type");
        assertUnique(TABLE.get("tlvs"), "name");
        assertUnique(TABLE.get("constants"), "name");
        TABLE.get("enums").properties().forEach(entry -> assertUnique(entry.getValue(), "value"));
    }

    @Test
    void everyFieldSaysWhatItMeans() {
        for (JsonNode field : allFields()) {
            boolean isClear = !WireFiles.text(field, "meaning").isEmpty()
                    || field.has("flags")
                    || field.get("kind").asString().equals("reserved");
            assertThat(isClear).as(field.toString()).isTrue();
        }
    }

    /** Walks fields in order and returns where the fixed ones end, in bits. */
    private static int fill(String owner, JsonNode group, int start) {
        int at = start;
        for (JsonNode field : group.get("fields")) {
            String name = owner + "." + field.get("name").asString();
            assertThat(field.get("at").asInt()).as(name).isEqualTo(at);
            boolean isFixed = field.has("bits") && field.get("bits").isInt() && !field.has("repeat");
            if (!isFixed) {
                return at; // of variable length, so it is the last
            }
            int bits = field.get("bits").asInt();
            boolean isWhole = at % 8 == 0 && bits % 8 == 0;
            assertThat(isWhole || at / 8 == (at + bits - 1) / 8)
                    .as("%s lies in one byte or is whole bytes", name)
                    .isTrue();
            at += bits;
        }
        return at;
    }

    private static void checkBody(JsonNode packet, Set<String> names) {
        for (JsonNode part : packet.get("body")) {
            String kind = part.get("part").asString();
            assertThat(Set.of("list", "options", "payload", "padding")).contains(kind);
            if (kind.equals("list")) {
                assertThat(TABLE.get("structures").has(part.get("of").asString()))
                        .isTrue();
                String count = part.get("count").asString();
                assertThat(count.equals("rest") || names.contains(count))
                        .as(count)
                        .isTrue();
            }
        }
    }

    private static void checkFlags(JsonNode field) {
        Set<Integer> bits = new TreeSet<>();
        for (JsonNode flag : field.get("flags")) {
            int bit = flag.get("bit").asInt();
            assertThat(bits.add(bit) && bit < field.get("bits").asInt())
                    .as(flag.toString())
                    .isTrue();
            assertThat(WireFiles.text(flag, "meaning")).as(flag.toString()).isNotEmpty();
        }
    }

    private static List<JsonNode> allFields() {
        List<JsonNode> all = new ArrayList<>();
        for (String part : List.of("headers", "structures")) {
            TABLE.get(part)
                    .values()
                    .forEach(group -> all.addAll(group.get("fields").values()));
        }
        TABLE.get("tlvs").forEach(row -> all.addAll(row.get("fields").values()));
        all.addAll(TABLE.get("secured").get("fields").values());
        return all;
    }

    private static Set<String> namesOf(JsonNode rows) {
        Set<String> names = new TreeSet<>();
        rows.forEach(row -> names.add(row.get("name").asString()));
        return names;
    }

    private static void assertUnique(JsonNode rows, String key) {
        Set<String> seen = new TreeSet<>();
        rows.forEach(row -> assertThat(seen.add(row.get(key).toString()))
                .as("%s %s", key, row.get(key))
                .isTrue());
    }
}

package io.metaroce.compliance.lt.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code packets.json} in memory: layouts, packets, options. */
public final class Table {
    private static final Set<String> OF_SLOTS = Set.of("path_epoch", "psn", "tx_stamp");

    private final Map<String, String> requirements = new LinkedHashMap<>(); // of packets, by name
    private final Map<String, List<Field>> layouts = new LinkedHashMap<>();
    private final Map<String, Kind> byName = new LinkedHashMap<>();
    private final Map<Integer, Kind> byOpcode = new LinkedHashMap<>();
    private final Map<Integer, Tlv> tlvs = new LinkedHashMap<>();
    private final Map<String, Long> constants = new LinkedHashMap<>();

    /**
     * One field of a layout.
     *
     * @param at first bit, from the start of the packet for headers, of the structure otherwise
     * @param bits width, 0 when it depends on other fields
     * @param node the row it came from
     */
    record Field(String name, int at, int bits, String kind, JsonNode node) {
        boolean isReserved() {
            return kind.equals("reserved");
        }
    }

    /** One kind of packet: its headers and what follows them. */
    record Kind(
            String name,
            int opcode,
            List<Field> fields,
            int headerBytes,
            boolean slot,
            boolean seedZero,
            JsonNode body) {}

    /** One known option. */
    record Tlv(
            String name,
            int type,
            boolean general,
            @Nullable Integer words,
            List<Field> fields) {}

    /** Reads the table. */
    public Table(JsonNode root) {
        for (JsonNode constant : root.get("constants")) {
            constants.put(constant.get("name").asString(), constant.get("value").asLong());
        }
        for (String group : List.of("headers", "structures")) {
            root.get(group)
                    .properties()
                    .forEach(entry ->
                            layouts.put(entry.getKey(), fields(entry.getValue().get("fields"))));
        }
        for (JsonNode row : root.get("packets")) {
            List<Field> fields = new ArrayList<>();
            row.get("layout").forEach(layout -> fields.addAll(layout(layout.asString())));
            Kind kind = new Kind(
                    row.get("name").asString(),
                    number(row.get("opcode")),
                    fields,
                    row.get("header_bytes").asInt(),
                    row.get("slot").asBoolean(),
                    row.get("seed").asString().equals("zero"),
                    row.get("body"));
            requirements.put(kind.name(), row.path("req").path(0).asString("R-HDR-001"));
            byName.put(kind.name(), kind);
            byOpcode.put(kind.opcode(), kind);
        }
        for (JsonNode row : root.get("tlvs")) {
            JsonNode words = row.get("words");
            Tlv tlv = new Tlv(
                    row.get("name").asString(),
                    number(row.get("type")),
                    row.get("scope").asString().equals("general"),
                    words.isNumber() ? words.asInt() : null,
                    fields(row.get("fields")));
            tlvs.put(tlv.type(), tlv);
        }
    }

    /** A constant of the table. */
    public long constant(String name) {
        Long value = constants.get(name);
        if (value == null) {
            throw new IllegalArgumentException("packets.json has no constant " + name);
        }
        return value;
    }

    /** The names of all packets. */
    public List<String> packetNames() {
        return List.copyOf(byName.keySet());
    }

    /** Whether packets of this name occupy a slot. */
    public boolean isSlot(String packet) {
        return kind(packet).slot();
    }

    /** The requirement behind a field of a packet; where the table names none, that of the packet itself. */
    public String requirementOf(String packet, String field) {
        for (Field each : kind(packet).fields()) {
            if (each.name().equals(field) && each.node().path("req").isString()) {
                return each.node().path("req").asString();
            }
        }
        return requirements.getOrDefault(packet, "R-HDR-001");
    }

    /** The requirement behind a byte of a packet with this opcode, counted from the start of the packet. */
    public String requirementAt(int opcode, int index) {
        Kind kind = kind(opcode);
        if (kind == null) {
            return "R-HDR-001";
        }
        for (Field each : kind.fields()) {
            boolean isThere = index >= each.at() / 8 && 8 * index < each.at() + each.bits();
            // Numbers, stamps and epochs of the base header are those of a path in slots only.
            if (isThere && (kind.slot() || !OF_SLOTS.contains(each.name()))) {
                return requirementOf(kind.name(), each.name());
            }
        }
        return requirements.getOrDefault(kind.name(), "R-HDR-001");
    }

    /** Number of an option by its name. */
    public int tlvType(String name) {
        return tlvs.values().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("packets.json has no option " + name))
                .type();
    }

    Kind kind(String name) {
        Kind kind = byName.get(name);
        if (kind == null) {
            throw new IllegalArgumentException("packets.json has no packet " + name);
        }
        return kind;
    }

    @Nullable
    Kind kind(int opcode) {
        return byOpcode.get(opcode);
    }

    @Nullable
    Tlv tlv(int type) {
        return tlvs.get(type);
    }

    List<Field> layout(String name) {
        List<Field> fields = layouts.get(name);
        if (fields == null) {
            throw new IllegalArgumentException("packets.json has no layout " + name);
        }
        return fields;
    }

    private static List<Field> fields(JsonNode rows) {
        List<Field> fields = new ArrayList<>();
        for (JsonNode row : rows) {
            JsonNode bits = row.path("bits");
            fields.add(new Field(
                    row.get("name").asString(),
                    row.get("at").asInt(),
                    bits.isNumber() ? bits.asInt() : 0,
                    row.get("kind").asString(),
                    row));
        }
        return fields;
    }

    private static int number(JsonNode node) {
        return Integer.decode(node.asString());
    }
}

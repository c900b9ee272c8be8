package io.metaroce.wire;

import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import tools.jackson.databind.JsonNode;

/** Well-formed packets of every kind, with values as wide as the table says. */
final class RandomPackets {
    private static final List<Integer> OPCODES = opcodes();
    private static final Map<String, Integer> WIDTHS = widths();
    private static final int ENTRIES_MAX = 6;
    private static final int TAIL_BYTES_MAX = 300;

    private final Random random;
    private final int opcode;

    private RandomPackets(Random random) {
        this.random = random;
        this.opcode = OPCODES.get(random.nextInt(OPCODES.size()));
    }

    /** Packets for properties. */
    static Arbitrary<Packet> all() {
        return Arbitraries.randomValue(random -> new RandomPackets(random).next());
    }

    private Packet next() {
        return (Packet) record(RecordFields.recordOf(opcode));
    }

    private Record record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        boolean hasOptions = random.nextBoolean();
        for (int i = 0; i < components.length; i++) {
            values[i] = value(type, components[i], hasOptions);
        }
        return RecordFields.make(type, values);
    }

    private Object value(Class<?> owner, RecordComponent component, boolean hasOptions) {
        String name = component.getName();
        Class<?> type = component.getType();
        if (type == Packet.Header.class) {
            Packet.Header header = (Packet.Header) record(type);
            int flags = hasOptions ? header.flags() | BaseHeader.X : header.flags() & ~BaseHeader.X;
            return new Packet.Header(
                    flags, header.pathId(), header.pathEpoch(), header.dstConnId(), header.psn(), header.txStamp());
        }
        if (type == Packet.Message.class) {
            return record(type);
        }
        if (name.equals("options")) {
            return hasOptions || Opcode.alwaysHasOptions(opcode) ? options() : List.of();
        }
        if (name.equals("padding")) {
            return random.nextInt(TAIL_BYTES_MAX);
        }
        if (name.equals("payload")) {
            return bytes(random.nextInt(TAIL_BYTES_MAX));
        }
        if (type == Bytes.class) {
            return bytes(ConnectParameters.TOKEN_LENGTH);
        }
        if (type == List.class) {
            return entries(component);
        }
        long number = number(owner, name);
        return type == long.class ? (Object) number : (Object) (int) number;
    }

    private long number(Class<?> owner, String name) {
        int width = Objects.requireNonNull(WIDTHS.get(owner.getSimpleName() + "." + name));
        long value = random.nextInt(4) == 0 ? -random.nextInt(2) : random.nextLong();
        long bits = width == 64 ? value : value & ((1L << width) - 1);
        return owner == Packet.Message.class && name.equals("messageFlags") ? bits & ~1 : bits; // bit 0 is reserved
    }

    private List<Object> entries(RecordComponent component) {
        List<Object> list = new ArrayList<>();
        Class<?> type = RecordFields.entryType(component);
        boolean isBitmap = type == Long.class;
        int count = random.nextInt((isBitmap ? PathBlock.WORDS_MAX : ENTRIES_MAX) + 1);
        for (int i = 0; i < count; i++) {
            list.add(isBitmap ? (Object) random.nextLong() : record(type));
        }
        return List.copyOf(list);
    }

    private List<Packet.Option> options() {
        List<Packet.Option> options = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int type = random.nextInt(4) == 0 ? Tlv.PROBE_ECHO : 0x06 + random.nextInt(0x7A);
            int words = type == Tlv.PROBE_ECHO ? 3 : 1 + random.nextInt(6);
            options.add(new Packet.Option(type, bytes(words * Tlv.WORD_LENGTH - Tlv.VALUE)));
        }
        return List.copyOf(options);
    }

    private Bytes bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.of(bytes);
    }

    private static List<Integer> opcodes() {
        List<Integer> all = new ArrayList<>();
        WireFiles.TABLE.get("packets").forEach(row -> all.add(WireFiles.number(row.get("opcode"))));
        return all;
    }

    /** Bits of every number, by record and component. */
    private static Map<String, Integer> widths() {
        Map<String, Integer> widths = new LinkedHashMap<>();
        for (JsonNode packet : WireFiles.TABLE.get("packets")) {
            String owner = RecordFields.recordOf(WireFiles.number(packet.get("opcode")))
                    .getSimpleName();
            for (String header : WireFiles.layout(packet)) {
                add(widths, owner, WireFiles.TABLE.get("headers").get(header));
            }
        }
        add(widths, "Header", WireFiles.TABLE.get("headers").get("BASE"));
        add(widths, "Message", WireFiles.TABLE.get("headers").get("MEH"));
        add(widths, "Block", WireFiles.TABLE.get("structures").get("PATH_BLOCK"));
        add(widths, "Update", WireFiles.TABLE.get("structures").get("STREAM_UPDATE"));
        add(widths, "StreamEntry", WireFiles.TABLE.get("structures").get("STREAM_ENTRY"));
        return widths;
    }

    private static void add(Map<String, Integer> widths, String owner, JsonNode group) {
        for (JsonNode field : group.get("fields")) {
            widths.put(
                    owner + "." + WireFiles.camel(field.get("name").asString()),
                    field.get("bits").asInt());
        }
    }
}

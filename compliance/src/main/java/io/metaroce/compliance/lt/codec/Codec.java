package io.metaroce.compliance.lt.codec;

import io.metaroce.compliance.lt.codec.Structures.Malformed;
import io.metaroce.compliance.lt.codec.Structures.Read;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Packets to bytes and back, as the table says. */
public final class Codec {
    private static final int TRAILER = 4;
    private static final int BASE = 16;
    private static final int PARAMETER_OPCODES_MAX = 5;

    private final Table table;
    private final Structures structures;

    /** A codec of the table of this checkout. */
    public static Codec ofCheckout() {
        return new Codec(new Table(Json.read(Checkout.spec().resolve("wire/packets.json"))));
    }

    /** A codec of this table. */
    public Codec(Table table) {
        this.table = table;
        structures = new Structures(table);
    }

    /**
     * A packet that was read, or why it has to be dropped.
     *
     * @param packet what it says, as far as it could be read; null when not even its opcode is known
     * @param drop first failing step of the receive pipeline, or null
     */
    public record Decoded(@Nullable Packet packet, @Nullable String drop) {
        /** The packet, when it is whole. */
        public Packet whole() {
            if (packet == null || drop != null) {
                throw new IllegalStateException("not a whole packet: " + drop);
            }
            return packet;
        }
    }

    /** The table it follows. */
    public Table table() {
        return table;
    }

    // ---- to bytes

    /** The whole UDP payload, trailer included; the seed is not asked for where the table says zero. */
    public byte[] encode(Packet packet, int seed) {
        byte[] bytes = body(packet);
        int crc = Crc32c.trailer(table.kind(packet.name()).seedZero() ? 0 : seed, bytes, bytes.length - TRAILER);
        for (int i = 0; i < TRAILER; i++) {
            bytes[bytes.length - TRAILER + i] = (byte) (crc >>> (24 - 8 * i));
        }
        return bytes;
    }

    /** Writes a new trailer over the last four bytes. */
    public static byte[] sealed(byte[] bytes, int seed) {
        byte[] copy = bytes.clone();
        int crc = Crc32c.trailer(seed, copy, copy.length - TRAILER);
        for (int i = 0; i < TRAILER; i++) {
            copy[copy.length - TRAILER + i] = (byte) (crc >>> (24 - 8 * i));
        }
        return copy;
    }

    private byte[] body(Packet packet) {
        Table.Kind kind = table.kind(packet.name());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] head = new byte[kind.headerBytes()];
        for (Table.Field field : kind.fields()) {
            if (field.kind().equals("bytes")) {
                byte[] value = packet.fields().bytes(field.name());
                System.arraycopy(value, 0, head, field.at() / 8, Math.min(value.length, field.bits() / 8));
            } else {
                Bits.write(head, field.at(), field.bits(), headValue(kind, field, packet));
            }
        }
        out.writeBytes(head);
        for (JsonNode part : kind.body()) {
            switch (part.get("part").asString()) {
                case "list" ->
                    packet.fields()
                            .list(part.get("name").asString())
                            .forEach(each -> out.writeBytes(
                                    structures.write(part.get("of").asString(), each)));
                case "options" -> writeOptions(out, packet, part);
                case "padding" -> out.writeBytes(new byte[packet.padding()]);
                default -> out.writeBytes(packet.payload());
            }
        }
        out.writeBytes(new byte[TRAILER]);
        return out.toByteArray();
    }

    private long headValue(Table.Kind kind, Table.Field field, Packet packet) {
        if (packet.fields().has(field.name())) {
            return packet.get(field.name());
        }
        return switch (field.name()) {
            case "version" -> table.constant("VERSION");
            case "opcode" -> kind.opcode();
            default -> {
                for (JsonNode part : kind.body()) {
                    if (part.path("count").asString("").equals(field.name())) {
                        yield packet.fields().list(part.get("name").asString()).size();
                    }
                }
                yield 0;
            }
        };
    }

    private static void writeOptions(ByteArrayOutputStream out, Packet packet, JsonNode part) {
        if (!part.get("when").asString().equals("always") && !packet.hasFlags(Packet.X)) {
            return;
        }
        for (Packet.Option option : packet.options()) {
            out.write(option.type());
            out.write((option.value().length + 2) / 4);
            out.writeBytes(option.value());
        }
        out.writeBytes(new byte[] {0, 1, 0, 0});
    }

    /** The value of an option of this name. */
    public byte[] optionValue(String name, Fields fields) {
        Table.Tlv tlv = table.tlv(table.tlvType(name));
        byte[] whole = structures.write(tlv == null ? List.of() : tlv.fields(), fields);
        int padded = (whole.length + 3) / 4 * 4;
        return Arrays.copyOfRange(whole, 2, Math.max(padded, 4));
    }

    /** Adds an option of this name. */
    public Packet addOption(Packet packet, String name, Fields fields) {
        return packet.option(table.tlvType(name), optionValue(name, fields));
    }

    /** The fields of the first option of this name, or null. */
    public @Nullable Fields option(Packet packet, String name) {
        int type = table.tlvType(name);
        for (Packet.Option option : packet.options()) {
            if (option.type() == type) {
                return fieldsOf(option);
            }
        }
        return null;
    }

    /** The name of an option, if the table knows it. */
    public Optional<String> nameOf(Packet.Option option) {
        return Optional.ofNullable(table.tlv(option.type())).map(Table.Tlv::name);
    }

    /** What a known option says; nothing of an unknown one. */
    public Fields fieldsOf(Packet.Option option) {
        Table.Tlv tlv = table.tlv(option.type());
        byte[] whole = new byte[option.value().length + 2];
        System.arraycopy(option.value(), 0, whole, 2, option.value().length);
        try {
            return tlv == null
                    ? new Fields()
                    : structures.read(tlv.fields(), whole, 0, whole.length).fields();
        } catch (Malformed e) {
            return new Fields();
        }
    }

    // ---- from bytes

    /** Reads a packet whose trailer was computed with {@code seed} unless the table says zero. */
    public Decoded decode(byte[] bytes, int seed) {
        if (bytes.length < BASE) {
            return new Decoded(null, "short");
        }
        if (Bits.read(bytes, 0, 4) != table.constant("VERSION")) {
            return new Decoded(null, "version");
        }
        Table.Kind kind = table.kind(bytes[1] & 0xFF);
        if (kind == null) {
            return new Decoded(null, "opcode");
        }
        int end = bytes.length - TRAILER;
        if (end < BASE
                || Crc32c.trailer(kind.seedZero() ? 0 : seed, bytes, end) != (int) Bits.read(bytes, 8L * end, 32)) {
            return new Decoded(null, "integrity");
        }
        Packet packet = new Packet(kind.name());
        return new Decoded(packet, parse(kind, packet, bytes, end));
    }

    private @Nullable String parse(Table.Kind kind, Packet packet, byte[] bytes, int end) {
        if (end < kind.headerBytes()) {
            return "length";
        }
        for (Table.Field field : kind.fields()) {
            if (field.kind().equals("bytes")) {
                packet.set(field.name(), Arrays.copyOfRange(bytes, field.at() / 8, (field.at() + field.bits()) / 8));
            } else {
                packet.set(field.name(), Bits.read(bytes, field.at(), field.bits()));
            }
        }
        int at = kind.headerBytes();
        for (JsonNode part : kind.body()) {
            switch (part.get("part").asString()) {
                case "list" -> {
                    List<Fields> list = new ArrayList<>();
                    try {
                        for (long i = packet.get(part.get("count").asString()); i > 0; i--) {
                            Read one = structures.read(part.get("of").asString(), bytes, at, end);
                            if (one.fields().get("words") > table.constant("SACK_WORDS_MAX")) {
                                return "length";
                            }
                            list.add(one.fields());
                            at = one.end();
                        }
                    } catch (Malformed e) {
                        return "length";
                    }
                    packet.fields().put(part.get("name").asString(), list);
                }
                case "options" -> {
                    if (part.get("when").asString().equals("always") || packet.hasFlags(Packet.X)) {
                        String fault = readOptions(kind, packet, bytes, at, end);
                        if (fault != null) {
                            return fault;
                        }
                        at += chainBytes(packet);
                    }
                }
                case "padding" -> {
                    packet.padding(end - at);
                    at = end;
                }
                default -> {
                    packet.payload(Arrays.copyOfRange(bytes, at, end));
                    at = end;
                }
            }
        }
        return at == end ? null : "length";
    }

    private @Nullable String readOptions(Table.Kind kind, Packet packet, byte[] bytes, int from, int end) {
        boolean unknownCritical = false;
        int at = from;
        while (true) {
            if (at + 4 > end) {
                return "tlv";
            }
            int type = bytes[at] & 0xFF;
            int words = bytes[at + 1] & 0xFF;
            if (words == 0 || at + 4 * words > end) {
                return "tlv";
            }
            if (type == 0) {
                boolean good = words == 1;
                return !good ? "tlv" : unknownCritical ? "tlv_critical" : null;
            }
            Table.Tlv known = table.tlv(type);
            boolean isKnown = known != null && (known.general() || kind.opcode() <= PARAMETER_OPCODES_MAX);
            if (isKnown && known != null && known.words() != null && known.words() != words) {
                return "tlv";
            }
            unknownCritical |= !isKnown && (type & 0x80) != 0;
            packet.option(type, Arrays.copyOfRange(bytes, at + 2, at + 4 * words));
            at += 4 * words;
        }
    }

    private static int chainBytes(Packet packet) {
        int bytes = 4;
        for (Packet.Option option : packet.options()) {
            bytes += option.value().length + 2;
        }
        return bytes;
    }
}

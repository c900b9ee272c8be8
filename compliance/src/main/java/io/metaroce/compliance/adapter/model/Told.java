package io.metaroce.compliance.adapter.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * What a device says happened: a record, which of its fields it speaks about, and the bytes of a packet if it has them.
 */
public final class Told {
    private static final byte[] NOTHING = new byte[0];

    private final Kind kind;
    private final ByteBuffer record;
    private final List<Field> fields;
    private final byte[] bytes;

    private Told(Kind kind, ByteBuffer record, List<Field> fields, byte[] bytes) {
        this.kind = kind;
        this.record = record;
        this.fields = fields;
        this.bytes = bytes;
    }

    /**
     * What a record of 64 bytes says, all fields of its kind; of a placement without connection nothing of a packet.
     */
    public static Told of(ByteBuffer record, byte[] bytes) {
        Kind kind = RecordText.kind(record);
        List<Field> fields = new ArrayList<>(Field.of(kind));
        if (kind == Kind.PLACE && record.getInt(RecordLog.CONN) == 0) {
            fields.removeIf(field -> List.of("conn", "path", "epoch", "psn").contains(field.name()));
        }
        return new Told(kind, record, List.copyOf(fields), bytes);
    }

    /** What JSON says: the fields that are there. */
    public static Told of(JsonNode node) {
        Kind kind = kind(Arguments.text(node, "kind", ""));
        ByteBuffer record = ByteBuffer.allocate(RecordLog.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        record.put(RecordLog.KIND, (byte) kind.number());
        record.putLong(RecordLog.T_NS, Arguments.number(node, "t_ns", 0, Long.MAX_VALUE - 1, 0));
        List<Field> named = new ArrayList<>();
        for (Field field : Field.of(kind)) {
            if (node.has(field.name())) {
                field.set(record, value(field, node));
                named.add(field);
            }
        }
        return new Told(kind, record, named, node.has("hex") ? Arguments.bytes(node, "hex") : NOTHING);
    }

    private static Kind kind(String name) {
        try {
            return Kind.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new Refused("E_ARG", "no kind " + name);
        }
    }

    private static long value(Field field, JsonNode node) {
        if (!node.path(field.name()).isString()
                || node.path(field.name()).asString().startsWith("0x")) {
            return Arguments.bits(node, field.name(), 0);
        }
        String text = node.path(field.name()).asString();
        long value = switch (field.name()) {
            case "reason" ->
                node.path("kind").asString().equals("STATE") ? Names.closeNumber(text) : Names.dropReason(text);
            case "status" -> Names.statusNumber(text);
            case "opcode" -> Names.opcodeNumber(text);
            case "by" -> List.of("local", "remote", "atomic").indexOf(text);
            case "what" -> Names.happening(text.toUpperCase(Locale.ROOT));
            default -> -1;
        };
        if (value < 0) {
            throw new Refused("E_ARG", field.name() + " = " + text + " is not known");
        }
        return value;
    }

    /** What happened. */
    public Kind kind() {
        return kind;
    }

    /** When, in ns. */
    public long tNs() {
        return record.getLong(RecordLog.T_NS);
    }

    /** All fields, those it does not speak about included. */
    public ByteBuffer record() {
        return record;
    }

    /** The fields it speaks about. */
    public List<Field> fields() {
        return fields;
    }

    /** The bytes of a packet, none if they are not told. */
    public byte[] bytes() {
        return bytes;
    }

    /** First of the two arguments of a record. */
    public long arg0() {
        return record.getLong(RecordLog.ARG0);
    }

    /** Second of the two arguments of a record. */
    public long arg1() {
        return record.getLong(RecordLog.ARG1);
    }

    /** The path it speaks about. */
    public int path() {
        return record.get(RecordLog.PATH) & 0xFF;
    }

    /** Its connection. */
    public int connection() {
        return record.getInt(RecordLog.CONN);
    }

    /** The route of an RX record as a frame has it. */
    public byte[] route() {
        long ends = arg0();
        boolean isIpv6 = ((ends >>> 48) & 1) != 0;
        ByteBuffer route = ByteBuffer.allocate(Recording.ROUTE_BYTES);
        if (isIpv6) {
            route.putLong(0, record.getLong(RecordLog.OFF)).putLong(8, arg1());
        } else {
            route.putInt(0, (int) arg1());
        }
        return route.order(ByteOrder.LITTLE_ENDIAN)
                .putShort(16, (short) (ends >>> 16))
                .putShort(18, (short) (ends >>> 32))
                .put(20, (byte) (isIpv6 ? 1 : 0))
                .put(21, (byte) ((ends >>> 49) & 3))
                .put(22, (byte) (ends >>> 8))
                .array();
    }
}

package io.metaroce.compliance.adapter.model;

import io.metaroce.compliance.spec.Json;
import io.metaroce.datagram.Address;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Records as JSON: what a kind does not use is left out. */
public final class RecordText {
    private static final int WITH_IMM = 2;
    private static final int WITH_INV = 8;
    private static final String[] RIGHTS = {"local", "remote", "atomic"};

    private RecordText() {}

    /** All effects of a log, in order. */
    public static ArrayNode of(RecordLog log, ModelSetup setup) {
        ArrayNode out = Json.array();
        int bytesAt = 0;
        for (int i = 0; i < log.count(); i++) {
            ByteBuffer record = log.records()
                    .slice(i * RecordLog.RECORD_BYTES, RecordLog.RECORD_BYTES)
                    .order(log.records().order());
            Kind kind = kind(record);
            boolean hasBytes = kind == Kind.TX || (kind == Kind.PLACE && setup.data());
            int length = hasBytes ? record.getInt(RecordLog.LEN) : 0;
            ObjectNode node = of(record, setup);
            if (hasBytes) {
                node.put("hex", HexFormat.of().formatHex(log.blob().array(), bytesAt, bytesAt + length));
            }
            bytesAt += length;
            out.add(node);
        }
        return out;
    }

    /** The kind of a record. */
    public static Kind kind(ByteBuffer record) {
        Kind kind = Kind.of(record.get(RecordLog.KIND));
        if (kind == null) {
            throw new Refused("E_ARG", "no kind " + record.get(RecordLog.KIND));
        }
        return kind;
    }

    /** What a number of one of the groups of {@code cov} means. */
    public static String nameOf(String group, int number) {
        return switch (group) {
            case "kinds" -> {
                Kind kind = Kind.of(number);
                yield kind == null ? String.valueOf(number) : kind.name();
            }
            case "drop_reasons" -> Names.dropReason(number);
            case "statuses" -> Names.status(number);
            case "states" -> Happening.of(number).label();
            default -> "0x%02x".formatted(number);
        };
    }

    /** One record without its bytes. */
    public static ObjectNode of(ByteBuffer record, ModelSetup setup) {
        Kind kind = kind(record);
        ObjectNode out = Json.object()
                .put("order", Integer.toUnsignedLong(record.getInt(RecordLog.ORDER)))
                .put("kind", kind.name());
        Arguments.put(out, "t_ns", record.getLong(RecordLog.T_NS));
        switch (kind) {
            case RX_ACCEPT, RX_DROP -> arrival(record, kind, out);
            case PLACE -> placement(record, out);
            case CQE -> completion(record, out);
            case STATE -> state(record, out);
            case COUNTER -> {
                out.put("name", Names.counter(record.getLong(RecordLog.ARG0)));
                Arguments.put(out, "value", record.getLong(RecordLog.ARG1));
            }
            case TIMER_FIRE -> Arguments.put(out, "due_ns", record.getLong(RecordLog.ARG0));
            case TX -> departure(record, setup, out);
            case RX, ADVANCE, CHOICE -> {}
        }
        return out;
    }

    private static void header(ByteBuffer record, ObjectNode out) {
        out.put("conn", Integer.toUnsignedLong(record.getInt(RecordLog.CONN)))
                .put("path", record.get(RecordLog.PATH) & 0xFF)
                .put("epoch", record.get(RecordLog.EPOCH) & 0xFF)
                .put("psn", Integer.toUnsignedLong(record.getInt(RecordLog.PSN)));
    }

    private static void arrival(ByteBuffer record, Kind kind, ObjectNode out) {
        header(record, out);
        out.put("opcode", record.getLong(RecordLog.ARG0)).put("len", record.getInt(RecordLog.LEN));
        if (kind == Kind.RX_DROP) {
            int reason = record.get(RecordLog.REASON);
            out.put("reason", Names.dropReason(reason)).put("requirement", Names.dropRequirement(reason));
        } else {
            out.put("flags", record.getShort(RecordLog.FLAGS));
        }
    }

    private static void placement(ByteBuffer record, ObjectNode out) {
        header(record, out);
        out.put("mr", Integer.toUnsignedLong(record.getInt(RecordLog.MR)));
        Arguments.put(out, "off", record.getLong(RecordLog.OFF));
        out.put("len", record.getInt(RecordLog.LEN))
                .put("by", RIGHTS[(int) record.getLong(RecordLog.ARG0) % RIGHTS.length])
                .put("crc32c", record.getLong(RecordLog.ARG1));
    }

    private static void completion(ByteBuffer record, ObjectNode out) {
        out.put("conn", Integer.toUnsignedLong(record.getInt(RecordLog.CONN)))
                .put("stream", Short.toUnsignedInt(record.getShort(RecordLog.STREAM)));
        Arguments.put(out, "wr", record.getLong(RecordLog.OFF));
        int flags = record.getShort(RecordLog.FLAGS);
        out.put("status", Names.status(record.get(RecordLog.REASON)))
                .put("opcode", Names.opcode(record.getLong(RecordLog.ARG0)))
                .put("len", Integer.toUnsignedLong(record.getInt(RecordLog.LEN)))
                .put("flags", flags);
        if ((flags & WITH_IMM) != 0) {
            out.put("imm", record.getLong(RecordLog.ARG1));
        }
        if ((flags & WITH_INV) != 0) {
            out.put("inv", record.getLong(RecordLog.ARG1));
        }
    }

    private static void state(ByteBuffer record, ObjectNode out) {
        Happening what = Happening.of(record.getLong(RecordLog.ARG0));
        out.put("what", what.label()).put("conn", Integer.toUnsignedLong(record.getInt(RecordLog.CONN)));
        int path = record.get(RecordLog.PATH) & 0xFF;
        int reason = record.get(RecordLog.REASON) & 0xFF;
        int stream = Short.toUnsignedInt(record.getShort(RecordLog.STREAM));
        switch (what) {
            case OFFERED, ESTABLISHED -> {}
            case CLOSED -> out.put("reason", Names.closeReason(reason));
            case PATH -> out.put("path", path).put("state", Names.pathState(record.getLong(RecordLog.ARG1)));
            case REBOUND ->
                out.put("path", path)
                        .put("epoch", record.get(RecordLog.EPOCH) & 0xFF)
                        .put("entropy", record.getLong(RecordLog.ARG1));
            case STREAM_FAILED -> out.put("stream", stream).put("reason", reason);
            case PAYLOAD -> out.put("len", record.getInt(RecordLog.LEN));
            case SLOT_LOST -> out.put("path", path).put("psn", Integer.toUnsignedLong(record.getInt(RecordLog.PSN)));
            case TIMED_OUT -> out.put("path", path);
            case REFUSED -> out.put("stream", stream).put("msn", Integer.toUnsignedLong(record.getInt(RecordLog.MSN)));
            case HINT -> Arguments.put(out, "bytes_per_second", record.getLong(RecordLog.ARG1));
        }
    }

    private static void departure(ByteBuffer record, ModelSetup setup, ObjectNode out) {
        header(record, out);
        long ends = record.getLong(RecordLog.ARG0);
        int plane = (int) (ends >>> 8) & 0xFF;
        Address own = setup.source(plane, -1);
        boolean isIpv6 = ((ends >>> 48) & 1) != 0;
        Address from = new Address(own.family(), own.high(), own.low(), (int) (ends >>> 16) & 0xFFFF);
        Address to = new Address(
                isIpv6 ? Address.IPV6 : Address.IPV4,
                record.getLong(RecordLog.OFF),
                record.getLong(RecordLog.ARG1),
                (int) (ends >>> 32) & 0xFFFF);
        out.put("opcode", ends & 0xFF)
                .put("flags", record.getShort(RecordLog.FLAGS))
                .put("len", record.getInt(RecordLog.LEN))
                .put("plane", plane)
                .put("from", from.toString())
                .put("to", to.toString());
    }
}

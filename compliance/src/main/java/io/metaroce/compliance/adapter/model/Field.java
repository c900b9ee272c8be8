package io.metaroce.compliance.adapter.model;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A field of a kind of records: its name in JSON, where it lies, and which requirement it breaks when it differs.
 *
 * @param name name in JSON
 * @param at first byte in the record
 * @param bytes 1, 2, 4 or 8
 * @param requirement what a difference violates
 */
public record Field(String name, int at, int bytes, String requirement) {
    private static final List<Field> ARRIVAL = List.of(
            new Field("conn", RecordLog.CONN, 4, "R-HDR-009"),
            new Field("path", RecordLog.PATH, 1, "R-HDR-001"),
            new Field("epoch", RecordLog.EPOCH, 1, "R-HDR-001"),
            new Field("psn", RecordLog.PSN, 4, "R-HDR-001"),
            new Field("opcode", RecordLog.ARG0, 8, "R-HDR-001"),
            new Field("len", RecordLog.LEN, 4, "R-HDR-002"),
            new Field("flags", RecordLog.FLAGS, 2, "R-PATH-005"),
            new Field("reason", RecordLog.REASON, 1, "R-OBS-003"));
    private static final List<Field> PLACEMENT = List.of(
            new Field("mr", RecordLog.MR, 4, "R-MEM-002"),
            new Field("off", RecordLog.OFF, 8, "R-ORD-001"),
            new Field("len", RecordLog.LEN, 4, "R-ORD-001"),
            new Field("by", RecordLog.ARG0, 8, "R-MEM-002"),
            new Field("crc32c", RecordLog.ARG1, 8, "R-ORD-001"),
            new Field("conn", RecordLog.CONN, 4, "R-HDR-009"),
            new Field("path", RecordLog.PATH, 1, "R-PATH-012"),
            new Field("epoch", RecordLog.EPOCH, 1, "R-PATH-012"),
            new Field("psn", RecordLog.PSN, 4, "R-PATH-012"));
    private static final List<Field> COMPLETION = List.of(
            new Field("conn", RecordLog.CONN, 4, "R-ORD-003"),
            new Field("stream", RecordLog.STREAM, 2, "R-ORD-003"),
            new Field("opcode", RecordLog.ARG0, 8, "R-ERR-001"),
            new Field("wr", RecordLog.OFF, 8, "R-ORD-006"),
            new Field("status", RecordLog.REASON, 1, "R-ERR-001"),
            new Field("len", RecordLog.LEN, 4, "R-ORD-001"),
            new Field("flags", RecordLog.FLAGS, 2, "R-SEND-001"),
            new Field("imm", RecordLog.ARG1, 8, "R-SEND-001"),
            new Field("inv", RecordLog.ARG1, 8, "R-SEND-001"));
    private static final List<Field> STATE = List.of(
            new Field("what", RecordLog.ARG0, 8, "R-CONN-003"),
            new Field("conn", RecordLog.CONN, 4, "R-HDR-009"),
            new Field("reason", RecordLog.REASON, 1, "R-ERR-001"),
            new Field("stream", RecordLog.STREAM, 2, "R-ERR-002"),
            new Field("msn", RecordLog.MSN, 4, "R-ORD-010"));
    private static final List<Field> DEPARTURE = List.of(
            new Field("conn", RecordLog.CONN, 4, "R-HDR-009"),
            new Field("path", RecordLog.PATH, 1, "R-LOSS-002"),
            new Field("epoch", RecordLog.EPOCH, 1, "R-PATH-010"),
            new Field("psn", RecordLog.PSN, 4, "R-PATH-001"),
            new Field("flags", RecordLog.FLAGS, 2, "R-PATH-007"),
            new Field("len", RecordLog.LEN, 4, "R-HDR-014"));

    /** The fields that a kind of records has, in the order in which they are compared. */
    public static List<Field> of(Kind kind) {
        return switch (kind) {
            case RX_ACCEPT, RX_DROP -> ARRIVAL;
            case PLACE -> PLACEMENT;
            case CQE -> COMPLETION;
            case STATE -> STATE;
            case TX -> DEPARTURE;
            case TIMER_FIRE, COUNTER, RX, ADVANCE, CHOICE -> List.of();
        };
    }

    /** Its value in a record, unsigned below 64 bits. */
    public long get(ByteBuffer record) {
        return switch (bytes) {
            case 1 -> record.get(at) & 0xFFL;
            case 2 -> record.getShort(at) & 0xFFFFL;
            case 4 -> record.getInt(at) & 0xFFFF_FFFFL;
            default -> record.getLong(at);
        };
    }

    /** Sets its value in a record. */
    public void set(ByteBuffer record, long value) {
        switch (bytes) {
            case 1 -> record.put(at, (byte) value);
            case 2 -> record.putShort(at, (short) value);
            case 4 -> record.putInt(at, (int) value);
            default -> record.putLong(at, value);
        }
    }
}

package io.metaroce.compliance.cosim;

import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.Received;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Packets a followed device sends. When it reports, and how it spreads, is its choice; what it claims is not. Reports
 * may not claim what the model has not received; a slot that is sent again is the same; numbers have no gap; and with
 * one path the contents of slots are those of the model.
 */
final class TxCheck {
    private static final int SLOTS_MAX = 1 << 13;
    private static final int CONN_REQ = 0x01;
    private static final int CONN_ACCEPT = 0x03;
    private static final int WORD_BITS = 64;
    // R-PATH-023: what may differ when a slot is sent again.
    private static final Set<String> CHANGING =
            Set.of("flags", "tx_stamp", "path_epoch", "demand", "rate_hint", "hint_seq", "hint");

    private final Codec codec;
    private final Map<Integer, Integer> toDevice = new TreeMap<>(); // seeds of packets, by connection number
    private final Map<Integer, Integer> toPeer = new TreeMap<>(); // each side numbers its own
    private final Map<Long, Integer> reported = new TreeMap<>(); // CumPSN by connection and path
    private final Map<Long, Integer> nextPsn = new TreeMap<>();
    private final Map<Slot, Packet> slots = new LinkedHashMap<>();

    /** Names a slot. */
    private record Slot(int connection, int path, int psn) {}

    TxCheck(Codec codec) {
        this.codec = codec;
    }

    TxCheck copy() {
        TxCheck copy = new TxCheck(codec);
        copy.toDevice.putAll(toDevice);
        copy.toPeer.putAll(toPeer);
        copy.reported.putAll(reported);
        copy.nextPsn.putAll(nextPsn);
        copy.slots.putAll(slots);
        return copy;
    }

    /** Notes which seed the peer asks for in what is sent to it. */
    void learnOfPeer(byte[] bytes) {
        learn(bytes, toPeer);
    }

    /** Notes which seed the device asks for, or the model in its place. */
    void learnOfDevice(byte[] bytes) {
        learn(bytes, toDevice);
    }

    private void learn(byte[] bytes, Map<Integer, Integer> seeds) {
        if (bytes.length > 2 && (bytes[1] == CONN_REQ || bytes[1] == CONN_ACCEPT)) {
            Packet packet = codec.decode(bytes, 0).packet();
            Fields seed = packet == null ? null : codec.option(packet, "CRC_SEED");
            if (packet != null && seed != null) {
                int number = packet.int32(packet.is("CONN_REQ") ? "init_conn_id" : "resp_conn_id");
                seeds.put(number, seed.int32("crc_seed"));
            }
        }
    }

    /** The seed of packets to a connection of the device, 0 if it is not known. */
    int seed(int connection) {
        return toDevice.getOrDefault(connection, 0);
    }

    /** Whether the packet of the model is a new slot: what {@link #follow} compares others with. */
    boolean isNewSlot(byte[] bytes) {
        Packet packet =
                codec.decode(bytes, toPeer.getOrDefault(connection(bytes), 0)).packet();
        return packet != null && codec.table().isSlot(packet.name()) && !packet.hasFlags(Packet.R);
    }

    private static int connection(byte[] bytes) {
        return bytes.length < 8 ? 0 : ByteBuffer.wrap(bytes).getInt(4);
    }

    /** The requirement behind a byte of a packet. */
    String requirementAt(byte[] packet, int index) {
        boolean isTrailer = index >= packet.length - 4;
        return isTrailer || packet.length < 2 ? "R-HDR-007" : codec.table().requirementAt(packet[1] & 0xFF, index);
    }

    /** Judges a packet; answers with how far it was compared. */
    String follow(Told told, ArrayDeque<Comparison.Entry> sent, Model model, Supplier<ArrayNode> last) {
        byte[] bytes = told.bytes();
        if (bytes.length == 0) {
            return "nothing";
        }
        learnOfDevice(bytes);
        int connection = connection(bytes);
        Codec.Decoded decoded = codec.decode(bytes, toPeer.getOrDefault(connection, 0));
        if (decoded.drop() != null || decoded.packet() == null) {
            String drop = String.valueOf(decoded.drop());
            throw Mismatch.of("packet", "one that is not dropped", drop, requirement(drop), last.get());
        }
        Packet packet = decoded.whole();
        if (packet.is("ACK")) {
            report(packet, connection, model.received(connection), last);
            return "claims";
        }
        return codec.table().isSlot(packet.name()) ? slot(packet, connection, sent, model, last) : "form";
    }

    private static String requirement(String drop) {
        return switch (drop) {
            case "integrity" -> "R-HDR-007";
            case "version", "opcode" -> "R-HDR-001";
            case "tlv" -> "R-HDR-006";
            case "tlv_critical" -> "R-HDR-005";
            default -> "R-HDR-002";
        };
    }

    // ---- reports

    private void report(Packet ack, int connection, Received received, Supplier<ArrayNode> last) {
        if (!received.isKnown()) {
            throw Mismatch.of("conn", "a connection", Integer.toUnsignedString(connection), "R-ACK-004", last.get());
        }
        for (Fields block : ack.fields().list("path_blocks")) {
            int path = (int) block.get("path_id");
            int cum = block.int32("cum_psn");
            if (!received.hasPath(path)) {
                throw Mismatch.of("path_id", "a path with packets", String.valueOf(path), "R-SACK-001", last.get());
            }
            if (cum - received.cumPsn(path) > 0) {
                throw Mismatch.of(
                        "cum_psn",
                        Integer.toUnsignedString(received.cumPsn(path)),
                        Integer.toUnsignedString(cum),
                        "R-SACK-001",
                        last.get());
            }
            bits(block, path, cum, received, last);
            long key = key(connection, path);
            Integer before = reported.get(key);
            if (before != null && before - cum > 0) {
                throw Mismatch.of(
                        "cum_psn",
                        Integer.toUnsignedString(before),
                        Integer.toUnsignedString(cum),
                        "R-SACK-003",
                        last.get());
            }
            reported.put(key, cum);
        }
        for (Fields update : ack.fields().list("stream_updates")) {
            update(update, received, last);
        }
    }

    private static void bits(Fields block, int path, int cum, Received received, Supplier<ArrayNode> last) {
        long[] words = block.longs("bitmap");
        int offset = (int) block.get("sack_offset");
        for (int i = 0; i < words.length * WORD_BITS; i++) {
            if (((words[i / WORD_BITS] >>> i) & 1) != 0 && !received.has(path, cum + offset + i)) {
                throw Mismatch.of(
                        "bitmap",
                        "no bit for PSN " + Integer.toUnsignedString(cum + offset + i),
                        "bit " + i,
                        "R-SACK-004",
                        last.get());
            }
        }
    }

    private static void update(Fields update, Received received, Supplier<ArrayNode> last) {
        int stream = (int) update.get("stream_id");
        if (!received.hasStream(stream)) {
            return;
        }
        int next = update.int32("next_msn");
        if (next - received.nextMsn(stream) > 0) {
            throw Mismatch.of(
                    "next_msn",
                    Integer.toUnsignedString(received.nextMsn(stream)),
                    Integer.toUnsignedString(next),
                    "R-ORD-001",
                    last.get());
        }
        int limit = update.int32("rsn_limit");
        if (limit - received.rsnLimit(stream) > 0) {
            throw Mismatch.of(
                    "rsn_limit",
                    Integer.toUnsignedString(received.rsnLimit(stream)),
                    Integer.toUnsignedString(limit),
                    "R-SEND-003",
                    last.get());
        }
    }

    // ---- slots

    private static long key(int connection, int path) {
        return ((long) connection << 8) | path;
    }

    private String slot(
            Packet packet, int connection, ArrayDeque<Comparison.Entry> sent, Model model, Supplier<ArrayNode> last) {
        int path = (int) packet.get("path_id");
        int psn = packet.int32("psn");
        long key = key(connection, path);
        Slot slotKey = new Slot(connection, path, psn);
        Packet before = slots.get(slotKey);
        if (before != null) {
            // R-LOSS-012: withdrawal takes the payload away.
            same(before, packet, "R-PATH-023", last);
            return "resend";
        }
        Integer next = nextPsn.get(key);
        if (next != null && psn != next) {
            throw Mismatch.of(
                    "psn", Integer.toUnsignedString(next), Integer.toUnsignedString(psn), "R-PATH-001", last.get());
        }
        nextPsn.put(key, psn + 1);
        slots.put(slotKey, packet);
        if (slots.size() > SLOTS_MAX) {
            slots.remove(slots.keySet().iterator().next());
        }
        if (model.setup().paths() > 1) {
            return "numbers";
        }
        Packet own = nextSlot(sent, connection);
        if (own == null) {
            return "numbers";
        }
        same(own, packet, "", last);
        return "content";
    }

    /** The next new slot the model has sent to a connection; those to others wait for their turn. */
    private @Nullable Packet nextSlot(ArrayDeque<Comparison.Entry> sent, int connection) {
        for (Iterator<Comparison.Entry> each = sent.iterator(); each.hasNext(); ) {
            byte[] bytes = each.next().bytes();
            if (connection(bytes) == connection) {
                each.remove();
                return codec.decode(bytes, toPeer.getOrDefault(connection, 0)).packet();
            }
        }
        return null;
    }

    // Without a requirement it is that of the field which differs.
    private void same(Packet expected, Packet got, String requirement, Supplier<ArrayNode> last) {
        if (!expected.name().equals(got.name())) {
            throw Mismatch.of(
                    "opcode", expected.name(), got.name(), behind(requirement, expected, "opcode"), last.get());
        }
        for (String name : expected.fields().names()) {
            if (!CHANGING.contains(name) && expected.get(name) != got.get(name) && !isWithdrawal(name, got)) {
                throw Mismatch.of(
                        name,
                        Long.toUnsignedString(expected.get(name)),
                        Long.toUnsignedString(got.get(name)),
                        behind(requirement, expected, name),
                        last.get());
            }
        }
        if (!Arrays.equals(expected.payload(), got.payload()) && got.payloadLength() > 0) {
            throw Mismatch.of(
                    "payload",
                    expected.payloadLength() + " bytes",
                    got.payloadLength() + " other bytes",
                    behind(requirement, expected, "payload"),
                    last.get());
        }
    }

    private String behind(String requirement, Packet packet, String field) {
        return requirement.isEmpty() ? codec.table().requirementOf(packet.name(), field) : requirement;
    }

    private static boolean isWithdrawal(String name, Packet got) {
        return name.equals("message_flags") && got.payloadLength() == 0;
    }
}

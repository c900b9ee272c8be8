package io.metaroce.compliance.selftest;

import static io.metaroce.compliance.selftest.Mutants.blocks;
import static io.metaroce.compliance.selftest.Mutants.field;
import static io.metaroce.compliance.selftest.Mutants.named;
import static io.metaroce.compliance.selftest.Mutants.updates;

import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;

/** Broken receivers: what they report, accept and place. */
final class ReceiverMutants {
    private ReceiverMutants() {}

    static void addTo(Mutants to) {
        receivers(to);
    }

    private static void receivers(Mutants to) {
        to.add(
                "bits of the bitmap are reversed",
                "ACK-01",
                "R-SACK-004",
                () -> new Fault().out(named("ACK"), blocks(b -> {
                    long[] words = b.longs("bitmap").clone();
                    for (int i = 0; i < words.length; i++) {
                        words[i] = Long.reverse(words[i]);
                    }
                    b.put("bitmap", words);
                })));
        to.add(
                "CumPSN is one too high",
                "ACK-01",
                "R-SACK-001",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("cum_psn", b.get("cum_psn") + 1))));
        to.add(
                "only 64 bits are reported",
                "ACK-01",
                "R-SACK-001",
                () -> new Fault().out(named("ACK"), blocks(b -> {
                    long[] words = b.longs("bitmap");
                    b.put("bitmap", words.length > 1 ? new long[] {words[0]} : words)
                            .put("words", Math.min(words.length, 1));
                })));
        to.add(
                "the moving view does not move",
                "SACK-05",
                "R-SACK-005",
                () -> new Fault().out(named("ACK"), p -> {
                    List<Fields> blocks = p.fields().list("path_blocks").stream()
                            .filter(b -> b.get("sack_offset") == 0)
                            .toList();
                    p.fields().put("path_blocks", blocks);
                    p.set("path_block_count", blocks.size());
                }));
        to.add("reported slots are withdrawn", "SACK-03", "R-SACK-003", () -> {
            int[] n = {0};
            return new Fault()
                    .out(
                            p -> p.is("ACK") && ++n[0] % 3 == 0,
                            blocks(b -> b.put("bitmap", new long[0]).put("words", 0)));
        });
        to.add(
                "flag O is missing",
                "PATH-04",
                "R-PATH-004",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("flags", b.get("flags") & ~0x20))));
        to.add("the window slides on a slot beyond it", "PATH-04", "R-PATH-004", () -> {
            boolean[] seen = {false};
            return new Fault().out(named("ACK"), blocks(b -> {
                seen[0] |= (b.get("flags") & 0x20) != 0;
                b.put("cum_psn", b.get("cum_psn") + (seen[0] ? 1 : 0));
            }));
        });
        to.add(
                "duplicates are not counted",
                "PATH-05",
                "R-PATH-005",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("duplicates", 0))));
        to.add(
                "a new hole waits for the next report",
                "ACK-01",
                "R-ACK-001",
                () -> new Fault().delay(50_000, named("ACK")));
        to.add("flag A is ignored", "ACK-02", "R-ACK-002", () -> {
            int[] n = {0};
            return new Fault().delay(50_000, p -> p.is("ACK") && ++n[0] > 2);
        });
        to.add(
                "reports come later than was told",
                "ACK-03",
                "R-ACK-003",
                () -> new Fault().delay(80_000, named("ACK")));
        to.add("a report is answered by a report", "ACK-04", "R-ACK-004", () -> {
            Packet[] last = new Packet[1];
            return new Fault().out(named("ACK"), p -> last[0] = p.copy()).answer((p, m) -> {
                if (!p.is("ACK") || last[0] == null) {
                    return List.of();
                }
                return List.of(last[0].set("psn", last[0].get("psn") + 1));
            });
        });
        to.add("ACKs carry no hint", "ACK-05", "R-ACK-005", () -> new Fault().out(named("ACK"), field("rate_hint", 0)));
        to.add(
                "RxBytes does not count",
                "ACK-05",
                "R-ACK-005",
                () -> new Fault().out(named("ACK"), field("rx_bytes", 0)));
        to.add(
                "a report tells of one path only",
                "ACK-08",
                "R-ACK-008",
                () -> new Fault().out(p -> p.is("ACK") && p.get("path_block_count") > 1, p -> {
                    List<Fields> blocks = p.fields().list("path_blocks");
                    p.fields().put("path_blocks", List.of(blocks.get(blocks.size() - 1)));
                    p.set("path_block_count", 1);
                    if (blocks.get(blocks.size() - 1).get("path_id") == 0) {
                        p.fields().put("path_blocks", List.of(blocks.get(0)));
                    }
                }));
        to.add("a late stamp moves the echo", "PATH-07", "R-PATH-013", () -> {
            boolean[] moved = {false};
            return new Fault().in(Mutants::isSlot, p -> {
                moved[0] |= p.get("path_epoch") == 1;
                p.set("tx_stamp", p.get("tx_stamp") + (moved[0] && p.get("path_epoch") == 0 ? 100_000 : 0));
            });
        });
        to.add("packets of an old epoch are refused", "PATH-07", "R-PATH-012", () -> {
            boolean[] moved = {false};
            return new Fault().deafTo(p -> {
                moved[0] |= Mutants.isSlot(p) && p.get("path_epoch") == 1;
                return Mutants.isSlot(p) && moved[0] && p.get("path_epoch") == 0;
            });
        });
        to.add(
                "a challenge counts as a PROBE in path",
                "PATH-22",
                "R-PATH-022",
                () -> new Fault()
                        .in(
                                Mutants::isChallenge,
                                p -> p.set("probe_flags", 0x80).set("psn", 1000)));
        to.add(
                "hints are in the wrong byte order",
                "WIRE-15",
                "R-HINT-001",
                () -> new Fault()
                        .out(
                                named("ACK"),
                                p -> p.set("rate_hint", (p.get("rate_hint") & 0xFF) << 8 | p.get("rate_hint") >>> 8)));
        to.add(
                "reserved fields are not zero",
                "WIRE-02",
                "R-HDR-003",
                () -> new Fault().out(named("ACK"), field("reserved", 1)));
        to.add(
                "packets with reserved bits are dropped",
                "WIRE-02",
                "R-HDR-003",
                () -> new Fault().deafTo(p -> (p.get("message_flags") & 1) != 0));
        to.add(
                "options are not skipped",
                "WIRE-03",
                "R-HDR-004",
                () -> new Fault().deafTo(p -> Mutants.isSlot(p) && !p.options().isEmpty()));
        to.add("the trailer is not checked", "WIRE-08", "R-HDR-007", () -> new Fault().unchecked());
        to.add(
                "flag M is covered by the trailer",
                "WIRE-09",
                "R-HDR-008",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("ce_packets", 0))));
        to.add(
                "an unknown version is read",
                "WIRE-06",
                "R-HDR-012",
                () -> new Fault().raw(bytes -> {
                    if (bytes.length > 20 && (bytes[0] & 0xF0) == 0x20) {
                        bytes[0] = (byte) ((bytes[0] & 0x0F) | 0x10);
                    }
                    return bytes;
                }));
        to.add(
                "withdrawn packets are placed",
                "PLC-05",
                "R-MEM-005",
                () -> new Fault().in(Mutants::isSlot, p -> p.set("message_flags", p.get("message_flags") & ~2)));
        to.add(
                "empty messages are dropped",
                "PLC-08",
                "R-MEM-008",
                () -> new Fault().out(named("ACK"), updates(u -> u.put("next_msn", 0))));
        to.add("keys are not checked", "PLC-14", "R-MEM-002", () -> keyed(new Fault()));
        to.add("variants of keys are not checked", "PLC-15", "R-MEM-002", () -> keyed(new Fault()));
        to.add("bounds are not checked before the region", "PLC-11", "R-MEM-002", () -> bounded(new Fault()));
        to.add("bounds are not checked behind the region", "PLC-12", "R-MEM-002", () -> bounded(new Fault()));
        to.add("bounds overflow", "PLC-13", "R-MEM-002", () -> bounded(new Fault()));
        to.add(
                "another error than REM_ACCESS is told",
                "PLC-11",
                "R-MEM-003",
                () -> new Fault()
                        .out(
                                p -> p.fields().has("stream_updates"),
                                updates(u -> u.put("code", u.get("code") == 2 ? 3 : u.get("code")))));
        to.add(
                "a fragment beyond its message is no error",
                "WIRE-14",
                "R-HDR-015",
                () -> new Fault().out(p -> p.fields().has("stream_updates"), updates(u -> u.put("code", 0))));
        to.add(
                "refusals have another code",
                "SEND-04",
                "R-SEND-004",
                () -> new Fault().out(named("NAK"), field("code", 3)));
        to.add(
                "a refusal is told once",
                "SEND-04",
                "R-ERR-003",
                () -> new Fault().out(named("ACK"), updates(u -> u.put("flags", u.get("flags") & ~0x80))));
        to.add(
                "questions about streams are not answered",
                "SEND-06",
                "R-SEND-006",
                () -> new Fault().outMany(named("STREAM_STATUS"), p -> List.of()));
        to.add(
                "an error is told once",
                "ERR-03",
                "R-ERR-003",
                () -> new Fault().out(named("STREAM_STATUS"), updates(u -> u.put("flags", u.get("flags") & ~0x40))));
        to.add(
                "an atomic is executed twice",
                "ATOM-02",
                "R-ATOM-001",
                () -> new Fault().out(named("ATOMIC_RESP"), p -> p.set("original", p.get("original") + 1)));
        to.add(
                "the answer of an atomic changes when repeated",
                "ATOM-01",
                "R-ATOM-002",
                () -> new Fault().out(p -> p.is("ATOMIC_RESP") && p.hasFlags(Packet.R), p -> p.set("original", 7)));
        to.add(
                "misaligned atomics are executed",
                "ATOM-03",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), p -> p.set("remote_address", p.get("remote_address") & ~7L)));
        to.add(
                "atomics of any size are executed",
                "ATOM-04",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), field("size", 8)));
        to.add(
                "unknown atomics are executed",
                "ATOM-05",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), field("op", 1)));
        to.add(
                "a Read brings what was before the Write",
                "READ-01",
                "R-ORD-004",
                () -> new Fault().out(named("READ_RESP"), p -> p.payload(new byte[p.payloadLength()])));
        to.add(
                "the end of a Read is told twice",
                "READ-05",
                "R-READ-005",
                () -> new Fault()
                        .outMany(
                                named("STATUS_RESP"),
                                p -> List.of(
                                        p,
                                        p.copy().set("psn", p.get("psn") + 1).set("tx_stamp", p.get("tx_stamp") + 1))));
        to.add(
                "a lost plane lowers nothing",
                "PLANE-07",
                "R-HINT-006",
                () -> new Fault().out(named("ACK"), field("rate_hint", 0x67A1)));
        to.add(
                "a lost plane is told wrongly",
                "PLANE-07",
                "R-PLANE-003",
                () -> new Fault().out(named("PLANE_STATUS"), field("changed", 0)));
        to.add(
                "one sender gets more than the others",
                "RATE-01",
                "R-HINT-003",
                () -> new Fault()
                        .out(
                                p -> p.is("ACK") && p.get("dst_conn_id") == 0x5EED_0001L,
                                p -> p.set("rate_hint", p.get("rate_hint") + 0x100)));
        to.add(
                "shares sum up to more than there is",
                "RATE-01",
                "R-HINT-002",
                () -> new Fault().out(named("ACK"), p -> p.set("rate_hint", p.get("rate_hint") + 0x40)));
        to.add(
                "an ordered Write shows at once",
                "ORD-11",
                "R-ORD-011",
                () -> new Fault().in(Mutants::isSlot, p -> p.set("message_flags", p.get("message_flags") & ~8)));
        to.add(
                "a stream waits for another",
                "ORD-01",
                "R-ORD-003",
                () -> new Fault().out(named("ACK"), updates(u -> u.put("next_msn", 0))));
    }

    private static Fault keyed(Fault fault) {
        return fault.in(Mutants::isSlot, p -> p.set("rkey", fault.memory().rkey()));
    }

    private static Fault bounded(Fault fault) {
        return fault.in(
                Mutants::isSlot, p -> p.set("remote_address", fault.memory().address()));
    }
}

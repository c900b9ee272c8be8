package io.metaroce.compliance.selftest;

import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue of broken implementations. */
final class Mutants {
    private final List<Mutant> all = new ArrayList<>();

    private Mutants() {}

    static List<Mutant> all() {
        Mutants mutants = new Mutants();
        mutants.senders();
        mutants.believers();
        mutants.receivers();
        mutants.connections();
        mutants.applications();
        return List.copyOf(mutants.all);
    }

    private void add(String title, String test, String requirement, Supplier<Fault> fault) {
        all.add(new Mutant("M%02d".formatted(all.size() + 1), title, test, requirement, fault));
    }

    // ---- which packets

    private static Predicate<Packet> named(String name) {
        return packet -> packet.is(name);
    }

    private static boolean isSlot(Packet packet) {
        return packet.fields().has("stream_id") && packet.fields().has("msn") && !packet.is("NAK");
    }

    private static boolean isAgain(Packet packet) {
        return isSlot(packet) && packet.hasFlags(Packet.R);
    }

    private static boolean isTail(Packet packet) {
        return packet.is("PROBE") && (packet.get("probe_flags") & 0x80) != 0;
    }

    private static boolean isChallenge(Packet packet) {
        return packet.is("PROBE") && (packet.get("probe_flags") & 0x40) != 0;
    }

    /** Changes every path block of an ACK. */
    private static Consumer<Packet> blocks(Consumer<Fields> change) {
        return packet -> {
            List<Fields> blocks = packet.fields().list("path_blocks").stream()
                    .map(Fields::copy)
                    .toList();
            blocks.forEach(change);
            packet.fields().put("path_blocks", blocks);
        };
    }

    /** Changes every stream update of a report. */
    private static Consumer<Packet> updates(Consumer<Fields> change) {
        return packet -> {
            List<Fields> updates = packet.fields().list("stream_updates").stream()
                    .map(Fields::copy)
                    .toList();
            updates.forEach(change);
            packet.fields().put("stream_updates", updates);
        };
    }

    private static Consumer<Packet> without(int type) {
        return packet -> packet.options().removeIf(option -> option.type() == type);
    }

    private static Consumer<Packet> field(String name, long value) {
        return packet -> {
            if (packet.fields().has(name)) {
                packet.set(name, value);
            }
        };
    }

    private void senders() {
        add(
                "PSNs begin one too late",
                "PATH-01",
                "R-PATH-001",
                () -> new Fault().out(Mutants::isSlot, p -> p.set("psn", p.get("psn") + 1)));
        add(
                "all paths share one source port",
                "PATH-01",
                "R-PATH-001",
                () -> new Fault()
                        .route(
                                Mutants::isSlot,
                                a -> new io.metaroce.compliance.lt.Wire.Arrival(
                                        a.atNs(), a.plane(), 50_000, a.ecn(), a.dscp(), a.bytes())));
        add(
                "stamps are too coarse",
                "PATH-01",
                "R-PATH-006",
                () -> new Fault().out(Mutants::isSlot, p -> p.set("tx_stamp", p.get("tx_stamp") & ~0xFFFL)));
        add(
                "a route changes within an epoch",
                "PATH-03",
                "R-PATH-010",
                () -> new Fault().out(p -> isSlot(p) || isTail(p), p -> p.set("path_epoch", 0)));
        add("the epoch moves without need", "PATH-01", "R-PATH-010", () -> {
            int[] n = {0};
            return new Fault().out(Mutants::isSlot, p -> p.set("path_epoch", n[0]++ % 2));
        });
        add(
                "resends do not say so",
                "PATH-23",
                "R-PATH-007",
                () -> new Fault().out(Mutants::isAgain, p -> p.set("flags", p.get("flags") & ~4)));
        add(
                "resends go by another path",
                "REL-01",
                "R-PATH-007",
                () -> new Fault().out(Mutants::isAgain, p -> p.set("path_id", p.get("path_id") ^ 1)));
        add(
                "resends take a new PSN",
                "REL-01",
                "R-PATH-001",
                () -> new Fault().out(Mutants::isAgain, p -> p.set("psn", p.get("psn") + 9)));
        add(
                "resends keep the old stamp",
                "REL-01",
                "R-PATH-006",
                () -> new Fault()
                        .out(Mutants::isAgain, p -> p.set("tx_stamp", p.get("tx_stamp") - 2000 & 0xFFFF_FFFFL)));
        add(
                "resends carry other bytes",
                "PATH-23",
                "R-PATH-023",
                () -> new Fault().out(Mutants::isAgain, p -> {
                    byte[] bytes = p.payload();
                    bytes[7] ^= 1;
                    p.payload(bytes);
                }));
        add(
                "resends carry another message number",
                "PATH-23",
                "R-PATH-023",
                () -> new Fault().out(Mutants::isAgain, p -> p.set("msn", p.get("msn") + 1)));
        add("go-back-N: what follows a lost slot goes again", "REL-01", "R-LOSS-002", () -> {
            Map<Long, Packet> last = new HashMap<>();
            return new Fault().outMany(Mutants::isSlot, p -> {
                Packet before = last.get(p.get("path_id"));
                last.put(p.get("path_id"), p);
                return p.hasFlags(Packet.R) && before != null
                        ? List.of(p, before.copy().withFlags(Packet.R).set("tx_stamp", p.get("tx_stamp") + 1))
                        : List.of(p);
            });
        });
        add("a gap waits for a timer", "REL-01", "R-LOSS-001", () -> new Fault().delay(2_000_000, Mutants::isAgain));
        add(
                "a lost resend waits for a timer",
                "REL-07",
                "R-LOSS-003",
                () -> new Fault().delay(60_000, Mutants::isAgain));
        add(
                "packets are longer than agreed",
                "WIRE-11",
                "R-HDR-011",
                () -> new Fault().out(p -> p.payloadLength() == 2048, p -> p.payload(new byte[2049])));
        add(
                "fragments are unequal",
                "WIRE-11",
                "R-HDR-014",
                () -> new Fault()
                        .out(p -> p.payloadLength() == 2048 && p.get("psn") % 2 == 0, p -> p.payload(new byte[1000])));
        add(
                "data travels in the class of control",
                "WIRE-12",
                "R-HDR-013",
                () -> new Fault()
                        .route(
                                Mutants::isSlot,
                                a -> new io.metaroce.compliance.lt.Wire.Arrival(
                                        a.atNs(), a.plane(), a.sourcePort(), a.ecn(), 1, a.bytes())));
        add(
                "packets go to an observed port",
                "WIRE-10",
                "R-HDR-010",
                () -> new Fault()
                        .route(
                                named("ACK"),
                                a -> new io.metaroce.compliance.lt.Wire.Arrival(
                                        a.atNs(), a.plane(), -60_000, a.ecn(), a.dscp(), a.bytes())));
        add(
                "a fragment is sent in two slots",
                "PATH-01",
                "R-PATH-008",
                () -> new Fault()
                        .out(p -> isSlot(p) && p.get("message_offset") == 8192, p -> p.set("message_offset", 4096)));
        add(
                "withdrawn slots do not say so",
                "REL-12",
                "R-LOSS-012",
                () -> new Fault().out(p -> (p.get("message_flags") & 2) != 0, p -> p.set("message_flags", 0)));
        add(
                "flush probes come twice",
                "REL-08",
                "R-LOSS-010",
                () -> new Fault()
                        .outMany(Mutants::isTail, p -> List.of(p, p.copy().set("tx_stamp", p.get("tx_stamp") + 1))));
        add(
                "flush probes name the wrong PSN",
                "REL-08",
                "R-LOSS-004",
                () -> new Fault().out(Mutants::isTail, p -> p.set("psn", p.get("psn") + 7)));
        add("the first timeout resends", "REL-13", "R-LOSS-005", () -> {
            Map<Long, Packet> last = new HashMap<>();
            return new Fault().outMany(p -> isSlot(p) || isTail(p), p -> {
                if (isSlot(p)) {
                    last.put(p.get("path_id"), p);
                    return List.of(p);
                }
                Packet slot = last.get(p.get("path_id"));
                return slot == null
                        ? List.of(p)
                        : List.of(p, slot.copy().withFlags(Packet.R).set("tx_stamp", p.get("tx_stamp") + 1));
            });
        });
        add(
                "flag A is never set",
                "ACK-16",
                "R-ACK-016",
                () -> new Fault().out(Mutants::isSlot, p -> p.set("flags", p.get("flags") & ~2)));
        add(
                "routes are used that were not tested",
                "PATH-18",
                "R-HEALTH-005",
                () -> new Fault()
                        .route(
                                Mutants::isChallenge,
                                a -> new io.metaroce.compliance.lt.Wire.Arrival(
                                        a.atNs(), a.plane(), a.sourcePort() + 200, a.ecn(), a.dscp(), a.bytes())));
        add(
                "slots go to a plane that was not validated",
                "PLANE-06",
                "R-PLANE-006",
                () -> new Fault()
                        .route(
                                p -> isSlot(p) && p.get("path_id") == 1,
                                a -> new io.metaroce.compliance.lt.Wire.Arrival(
                                        a.atNs(), 1, a.sourcePort(), a.ecn(), a.dscp(), a.bytes())));
        add(
                "streams are asked about that nobody uses",
                "ORD-09",
                "R-ORD-009",
                () -> new Fault()
                        .out(
                                named("STREAM_QUERY"),
                                p -> p.fields().put("streams", List.of(new Fields().put("stream_id", 8)))));
        add(
                "Reads carry no hint",
                "READ-06",
                "R-HINT-008",
                () -> new Fault().out(named("READ_REQ"), field("rate_hint", 0)));
    }

    /** What is believed, or not, of what the peer says. */
    private void believers() {
        add(
                "a slot outside the coverage is taken for lost",
                "REL-03",
                "R-LOSS-009",
                () -> new Fault().in(named("ACK"), blocks(b -> b.put("sack_offset", 0))));
        add(
                "evidence crosses epochs",
                "REL-10",
                "R-LOSS-007",
                () -> new Fault().in(named("ACK"), blocks(b -> b.put("epoch", 0))));
        add("an older report counts as the newest, for hints", "CC-08", "R-HINT-007", () -> {
            int[] n = {1000};
            return new Fault().in(named("ACK"), p -> p.set("psn", n[0]++));
        });
        add("an older report counts as the newest, for round trips", "ACK-06", "R-ACK-006", () -> {
            int[] n = {1000};
            return new Fault().in(named("ACK"), p -> p.set("psn", n[0]++));
        });
        add(
                "a delay of 0xFFFF is a sample",
                "ACK-12",
                "R-ACK-012",
                () -> new Fault().in(named("ACK"), blocks(b -> b.put("ack_delay", 0))));
        add(
                "marks are ignored",
                "CC-02",
                "R-CC-005",
                () -> new Fault().in(named("ACK"), blocks(b -> b.put("ce_packets", 0))));
        add(
                "a mark cuts all paths",
                "CC-01",
                "R-CC-001",
                () -> new Fault().in(named("ACK"), blocks(b -> b.put("ce_packets", b.get("rx_packets")))));
        add("the hint is ignored", "CC-08", "R-CC-008", () -> new Fault().in(named("ACK"), field("rate_hint", 0x95F5)));
        add(
                "a pause is ignored",
                "HINT-09",
                "R-HINT-009",
                () -> new Fault().in(p -> p.get("rate_hint") == 0x800, field("rate_hint", 0x95F5)));
        add("INIT_BUDGET is ignored", "CC-12", "R-CC-012", () -> new Fault().in(named("CONN_ACCEPT"), without(0x1D)));
        add("MAX_PATHS is ignored", "CONN-08", "R-CONN-008", () -> new Fault().in(named("CONN_ACCEPT"), without(0x91)));
        add(
                "MAX_PAYLOAD is ignored",
                "WIRE-11",
                "R-HDR-011",
                () -> new Fault().in(named("CONN_ACCEPT"), without(0x94)));
        add(
                "MAX_OPEN_MSGS is ignored",
                "ORD-07",
                "R-ORD-007",
                () -> new Fault().in(named("CONN_ACCEPT"), without(0x96)));
        add("MAX_READS is ignored", "READ-06", "R-READ-004", () -> new Fault().in(named("CONN_ACCEPT"), without(0x97)));
        add(
                "ECN_MODE is ignored",
                "CC-15",
                "R-CC-015",
                () -> new Fault()
                        .in(
                                named("CONN_ACCEPT"),
                                p -> p.options()
                                        .replaceAll(o ->
                                                o.type() == 0x9E ? new Packet.Option(0x9E, new byte[] {0, 1}) : o)));
        add(
                "streams are used before they are open",
                "ORD-08",
                "R-ORD-008",
                () -> new Fault()
                        .in(
                                named("CONN_ACCEPT"),
                                p -> p.options()
                                        .replaceAll(o -> o.type() == 0x19
                                                ? new Packet.Option(0x19, new byte[] {0, 2, 0, 0, 0, 0, 0, 2, 0, 0})
                                                : o)));
        add(
                "credits are ignored",
                "SEND-03",
                "R-SEND-003",
                () -> new Fault().in(named("ACK"), updates(u -> u.put("rsn_limit", 1000))));
        add(
                "the delay of a refusal is ignored",
                "SEND-10",
                "R-SEND-010",
                () -> new Fault().in(named("NAK"), field("retry_delay", 0)));
        add(
                "the delay is ignored where receives are shared",
                "SEND-13",
                "R-SEND-013",
                () -> new Fault().in(named("NAK"), field("retry_delay", 0)));
        add("PlaneUp is ignored", "PLANE-03", "R-PLANE-003", () -> new Fault().in(named("ACK"), field("plane_up", 3)));
    }

    private void receivers() {
        add(
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
        add(
                "CumPSN is one too high",
                "ACK-01",
                "R-SACK-001",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("cum_psn", b.get("cum_psn") + 1))));
        add(
                "only 64 bits are reported",
                "ACK-01",
                "R-SACK-001",
                () -> new Fault().out(named("ACK"), blocks(b -> {
                    long[] words = b.longs("bitmap");
                    b.put("bitmap", words.length > 1 ? new long[] {words[0]} : words)
                            .put("words", Math.min(words.length, 1));
                })));
        add(
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
        add("reported slots are withdrawn", "SACK-03", "R-SACK-003", () -> {
            int[] n = {0};
            return new Fault()
                    .out(
                            p -> p.is("ACK") && ++n[0] % 3 == 0,
                            blocks(b -> b.put("bitmap", new long[0]).put("words", 0)));
        });
        add(
                "flag O is missing",
                "PATH-04",
                "R-PATH-004",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("flags", b.get("flags") & ~0x20))));
        add("the window slides on a slot beyond it", "PATH-04", "R-PATH-004", () -> {
            boolean[] seen = {false};
            return new Fault().out(named("ACK"), blocks(b -> {
                seen[0] |= (b.get("flags") & 0x20) != 0;
                b.put("cum_psn", b.get("cum_psn") + (seen[0] ? 1 : 0));
            }));
        });
        add(
                "duplicates are not counted",
                "PATH-05",
                "R-PATH-005",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("duplicates", 0))));
        add(
                "a new hole waits for the next report",
                "ACK-01",
                "R-ACK-001",
                () -> new Fault().delay(50_000, named("ACK")));
        add("flag A is ignored", "ACK-02", "R-ACK-002", () -> {
            int[] n = {0};
            return new Fault().delay(50_000, p -> p.is("ACK") && ++n[0] > 2);
        });
        add("reports come later than was told", "ACK-03", "R-ACK-003", () -> new Fault().delay(80_000, named("ACK")));
        add("a report is answered by a report", "ACK-04", "R-ACK-004", () -> {
            Packet[] last = new Packet[1];
            return new Fault().out(named("ACK"), p -> last[0] = p.copy()).answer((p, m) -> {
                if (!p.is("ACK") || last[0] == null) {
                    return List.of();
                }
                return List.of(last[0].set("psn", last[0].get("psn") + 1));
            });
        });
        add("ACKs carry no hint", "ACK-05", "R-ACK-005", () -> new Fault().out(named("ACK"), field("rate_hint", 0)));
        add("RxBytes does not count", "ACK-05", "R-ACK-005", () -> new Fault().out(named("ACK"), field("rx_bytes", 0)));
        add(
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
        add("a late stamp moves the echo", "PATH-07", "R-PATH-013", () -> {
            boolean[] moved = {false};
            return new Fault().in(Mutants::isSlot, p -> {
                moved[0] |= p.get("path_epoch") == 1;
                p.set("tx_stamp", p.get("tx_stamp") + (moved[0] && p.get("path_epoch") == 0 ? 100_000 : 0));
            });
        });
        add("packets of an old epoch are refused", "PATH-07", "R-PATH-012", () -> {
            boolean[] moved = {false};
            return new Fault().deafTo(p -> {
                moved[0] |= isSlot(p) && p.get("path_epoch") == 1;
                return isSlot(p) && moved[0] && p.get("path_epoch") == 0;
            });
        });
        add(
                "a challenge counts as a PROBE in path",
                "PATH-22",
                "R-PATH-022",
                () -> new Fault()
                        .in(
                                Mutants::isChallenge,
                                p -> p.set("probe_flags", 0x80).set("psn", 1000)));
        add(
                "hints are in the wrong byte order",
                "WIRE-15",
                "R-HINT-001",
                () -> new Fault()
                        .out(
                                named("ACK"),
                                p -> p.set("rate_hint", (p.get("rate_hint") & 0xFF) << 8 | p.get("rate_hint") >>> 8)));
        add(
                "reserved fields are not zero",
                "WIRE-02",
                "R-HDR-003",
                () -> new Fault().out(named("ACK"), field("reserved", 1)));
        add(
                "packets with reserved bits are dropped",
                "WIRE-02",
                "R-HDR-003",
                () -> new Fault().deafTo(p -> (p.get("message_flags") & 1) != 0));
        add(
                "options are not skipped",
                "WIRE-03",
                "R-HDR-004",
                () -> new Fault().deafTo(p -> isSlot(p) && !p.options().isEmpty()));
        add("the trailer is not checked", "WIRE-08", "R-HDR-007", () -> new Fault().unchecked());
        add(
                "flag M is covered by the trailer",
                "WIRE-09",
                "R-HDR-008",
                () -> new Fault().out(named("ACK"), blocks(b -> b.put("ce_packets", 0))));
        add(
                "an unknown version is read",
                "WIRE-06",
                "R-HDR-012",
                () -> new Fault().raw(bytes -> {
                    if (bytes.length > 20 && (bytes[0] & 0xF0) == 0x20) {
                        bytes[0] = (byte) (bytes[0] & 0x0F | 0x10);
                    }
                    return bytes;
                }));
        add(
                "withdrawn packets are placed",
                "PLC-05",
                "R-MEM-005",
                () -> new Fault().in(Mutants::isSlot, p -> p.set("message_flags", p.get("message_flags") & ~2)));
        add(
                "empty messages are dropped",
                "PLC-08",
                "R-MEM-008",
                () -> new Fault().out(named("ACK"), updates(u -> u.put("next_msn", 0))));
        add("keys are not checked", "PLC-14", "R-MEM-002", () -> keyed(new Fault()));
        add("variants of keys are not checked", "PLC-15", "R-MEM-002", () -> keyed(new Fault()));
        add("bounds are not checked before the region", "PLC-11", "R-MEM-002", () -> bounded(new Fault()));
        add("bounds are not checked behind the region", "PLC-12", "R-MEM-002", () -> bounded(new Fault()));
        add("bounds overflow", "PLC-13", "R-MEM-002", () -> bounded(new Fault()));
        add(
                "another error than REM_ACCESS is told",
                "PLC-11",
                "R-MEM-003",
                () -> new Fault()
                        .out(
                                p -> p.fields().has("stream_updates"),
                                updates(u -> u.put("code", u.get("code") == 2 ? 3 : u.get("code")))));
        add(
                "a fragment beyond its message is no error",
                "WIRE-14",
                "R-HDR-015",
                () -> new Fault().out(p -> p.fields().has("stream_updates"), updates(u -> u.put("code", 0))));
        add(
                "refusals have another code",
                "SEND-04",
                "R-SEND-004",
                () -> new Fault().out(named("NAK"), field("code", 3)));
        add(
                "a refusal is told once",
                "SEND-04",
                "R-ERR-003",
                () -> new Fault().out(named("ACK"), updates(u -> u.put("flags", u.get("flags") & ~0x80))));
        add(
                "questions about streams are not answered",
                "SEND-06",
                "R-SEND-006",
                () -> new Fault().outMany(named("STREAM_STATUS"), p -> List.of()));
        add(
                "an error is told once",
                "ERR-03",
                "R-ERR-003",
                () -> new Fault().out(named("STREAM_STATUS"), updates(u -> u.put("flags", u.get("flags") & ~0x40))));
        add(
                "an atomic is executed twice",
                "ATOM-02",
                "R-ATOM-001",
                () -> new Fault().out(named("ATOMIC_RESP"), p -> p.set("original", p.get("original") + 1)));
        add(
                "the answer of an atomic changes when repeated",
                "ATOM-01",
                "R-ATOM-002",
                () -> new Fault().out(p -> p.is("ATOMIC_RESP") && p.hasFlags(Packet.R), p -> p.set("original", 7)));
        add(
                "misaligned atomics are executed",
                "ATOM-03",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), p -> p.set("remote_address", p.get("remote_address") & ~7L)));
        add(
                "atomics of any size are executed",
                "ATOM-04",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), field("size", 8)));
        add(
                "unknown atomics are executed",
                "ATOM-05",
                "R-ATOM-003",
                () -> new Fault().in(named("ATOMIC_REQ"), field("op", 1)));
        add(
                "a Read brings what was before the Write",
                "READ-01",
                "R-ORD-004",
                () -> new Fault().out(named("READ_RESP"), p -> p.payload(new byte[p.payloadLength()])));
        add(
                "the end of a Read is told twice",
                "READ-05",
                "R-READ-005",
                () -> new Fault()
                        .outMany(
                                named("STATUS_RESP"),
                                p -> List.of(
                                        p,
                                        p.copy().set("psn", p.get("psn") + 1).set("tx_stamp", p.get("tx_stamp") + 1))));
        add(
                "a lost plane lowers nothing",
                "PLANE-07",
                "R-HINT-006",
                () -> new Fault().out(named("ACK"), field("rate_hint", 0x67A1)));
        add(
                "a lost plane is told wrongly",
                "PLANE-07",
                "R-PLANE-003",
                () -> new Fault().out(named("PLANE_STATUS"), field("changed", 0)));
        add(
                "one sender gets more than the others",
                "RATE-01",
                "R-HINT-003",
                () -> new Fault()
                        .out(
                                p -> p.is("ACK") && p.get("dst_conn_id") == 0x5EED_0001L,
                                p -> p.set("rate_hint", p.get("rate_hint") + 0x100)));
        add(
                "shares sum up to more than there is",
                "RATE-01",
                "R-HINT-002",
                () -> new Fault().out(named("ACK"), p -> p.set("rate_hint", p.get("rate_hint") + 0x40)));
        add(
                "an ordered Write shows at once",
                "ORD-11",
                "R-ORD-011",
                () -> new Fault().in(Mutants::isSlot, p -> p.set("message_flags", p.get("message_flags") & ~8)));
        add(
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

    private void connections() {
        add("repeated acceptances name another number", "CONN-01", "R-CONN-003", () -> {
            int[] n = {0};
            return new Fault().out(named("CONN_ACCEPT"), p -> p.set("resp_conn_id", p.get("resp_conn_id") + n[0]++));
        });
        add(
                "acceptances flood an address",
                "CONN-02",
                "R-CONN-002",
                () -> new Fault().outMany(named("CONN_ACCEPT"), p -> java.util.Collections.nCopies(20, p)));
        add(
                "VERSION_NEG lists nothing",
                "CONN-04",
                "R-CONN-004",
                () -> new Fault().out(named("VERSION_NEG"), field("versions", 0)));
        add(
                "rejections tell the wrong reason",
                "CONN-04",
                "R-CONN-004",
                () -> new Fault().out(named("CONN_REJECT"), field("reason", 3)));
        add("a repeated CLOSE is another one", "CONN-06", "R-CONN-010", () -> {
            int[] n = {0};
            return new Fault().out(named("CLOSE"), p -> p.set("close_id", p.get("close_id") + n[0]++));
        });
        add(
                "an answer draws an answer",
                "SEC-01",
                "R-SEC-004",
                () -> new Fault()
                        .answer((p, m) ->
                                p.is("RESET") ? List.of(new Packet("RESET").set("dead_conn_id", 1)) : List.of()));
        add("requests are repeated too fast", "CONN-05", "R-CONN-010", () -> {
            int[] n = {0};
            return new Fault().outMany(named("CONN_REQ"), p -> n[0]++ == 1 ? List.of(p, p) : List.of(p));
        });
        add(
                "a breach of the protocol ends with another code",
                "REL-09",
                "R-ACK-007",
                () -> new Fault().out(named("CLOSE"), field("code", 0)));
        add(
                "WINDOW is told as something else",
                "ERR-04",
                "R-ERR-004",
                () -> new Fault().out(named("CLOSE"), field("code", 0)));
    }

    private void applications() {
        add("regions live on after they were given back", "PLC-04", "R-MEM-004", () -> new Fault().ignore("mr_dereg"));
        add(
                "completions come in the order of arrival",
                "ORD-02",
                "R-ORD-002",
                () -> new Fault().events(Mutants::swapped));
        add(
                "an error has another status",
                "REL-09",
                "R-ERR-001",
                () -> new Fault().events(events -> renamed(events, "FATAL_ERR", "RETRY_EXC_ERR")));
        add(
                "a flush has another status",
                "PLC-17",
                "R-ERR-001",
                () -> new Fault().events(events -> renamed(events, "WR_FLUSH_ERR", "REM_ACCESS_ERR")));
        add(
                "RNR is told as something else",
                "SEND-11",
                "R-SEND-011",
                () -> new Fault().events(events -> renamed(events, "RNR_RETRY_EXC_ERR", "REM_OP_ERR")));
        add(
                "too long a Send is a success",
                "SEND-07",
                "R-SEND-007",
                () -> new Fault().events(events -> renamed(events, "LOC_LEN_ERR", "SUCCESS")));
        add(
                "counters stand still",
                "WIRE-17",
                "R-OBS-001",
                () -> new Fault().lie("stats", answer -> answer.put("tx_slots", 0)));
        add(
                "memory is never as it should be",
                "PLC-01",
                "R-ORD-001",
                () -> new Fault().lie("mr_check", answer -> answer.put("same", false)));
    }

    private static List<JsonNode> renamed(List<JsonNode> events, String from, String to) {
        List<JsonNode> changed = new ArrayList<>();
        for (JsonNode event : events) {
            ObjectNode copy = (ObjectNode) event.deepCopy();
            if (copy.path("status").asString("").equals(from)) {
                copy.put("status", to);
            }
            changed.add(copy);
        }
        return changed;
    }

    /** Pairs of completions trade places, sequence numbers stay. */
    private static List<JsonNode> swapped(List<JsonNode> events) {
        List<JsonNode> changed = new ArrayList<>(events);
        for (int i = 0; i + 1 < changed.size(); i += 2) {
            ObjectNode first = (ObjectNode) changed.get(i).deepCopy();
            ObjectNode second = (ObjectNode) changed.get(i + 1).deepCopy();
            if (first.has("wr") && second.has("wr")) {
                long wr = first.get("wr").asLong();
                first.put("wr", second.get("wr").asLong());
                second.put("wr", wr);
                changed.set(i, first);
                changed.set(i + 1, second);
            }
        }
        return changed;
    }
}

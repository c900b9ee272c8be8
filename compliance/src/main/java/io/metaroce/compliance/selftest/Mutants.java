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

/** The catalogue of broken implementations. */
final class Mutants {
    private final List<Mutant> all = new ArrayList<>();

    private Mutants() {}

    static List<Mutant> all() {
        Mutants mutants = new Mutants();
        mutants.senders();
        mutants.believers();
        ReceiverMutants.addTo(mutants);
        ConnectionMutants.addTo(mutants);
        RouteMutants.addTo(mutants);
        SignalMutants.addTo(mutants);
        StreamMutants.addTo(mutants);
        return List.copyOf(mutants.all);
    }

    void add(String title, String test, String requirement, Supplier<Fault> fault) {
        all.add(new Mutant("M%02d".formatted(all.size() + 1), title, test, requirement, fault));
    }

    // ---- which packets

    static Predicate<Packet> named(String name) {
        return packet -> packet.is(name);
    }

    static boolean isSlot(Packet packet) {
        return packet.fields().has("stream_id") && packet.fields().has("msn") && !packet.is("NAK");
    }

    static boolean isAgain(Packet packet) {
        return isSlot(packet) && packet.hasFlags(Packet.R);
    }

    static boolean isTail(Packet packet) {
        return packet.is("PROBE") && (packet.get("probe_flags") & 0x80) != 0;
    }

    static boolean isChallenge(Packet packet) {
        return packet.is("PROBE") && (packet.get("probe_flags") & 0x40) != 0;
    }

    /** Changes every path block of an ACK. */
    static Consumer<Packet> blocks(Consumer<Fields> change) {
        return packet -> {
            List<Fields> blocks = packet.fields().list("path_blocks").stream()
                    .map(Fields::copy)
                    .toList();
            blocks.forEach(change);
            packet.fields().put("path_blocks", blocks);
        };
    }

    /** Changes every stream update of a report. */
    static Consumer<Packet> updates(Consumer<Fields> change) {
        return packet -> {
            List<Fields> updates = packet.fields().list("stream_updates").stream()
                    .map(Fields::copy)
                    .toList();
            updates.forEach(change);
            packet.fields().put("stream_updates", updates);
        };
    }

    static Consumer<Packet> without(int type) {
        return packet -> packet.options().removeIf(option -> option.type() == type);
    }

    static Consumer<Packet> field(String name, long value) {
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
        add("a mark cuts all paths", "CC-01", "R-CC-001", () -> {
            Map<Long, Long> unmarked = new HashMap<>();
            boolean[] seen = {false};
            return new Fault().in(named("ACK"), blocks(b -> {
                seen[0] |= b.get("ce_packets") > 0;
                if (seen[0]) {
                    long before = unmarked.computeIfAbsent(b.get("path_id"), path -> b.get("rx_packets") - 1);
                    b.put("ce_packets", b.get("rx_packets") - before);
                }
            }));
        });
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
}

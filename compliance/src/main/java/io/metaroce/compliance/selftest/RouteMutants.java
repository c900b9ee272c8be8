package io.metaroce.compliance.selftest;

import static io.metaroce.compliance.selftest.Mutants.field;
import static io.metaroce.compliance.selftest.Mutants.isAgain;
import static io.metaroce.compliance.selftest.Mutants.isChallenge;
import static io.metaroce.compliance.selftest.Mutants.isSlot;
import static io.metaroce.compliance.selftest.Mutants.isTail;
import static io.metaroce.compliance.selftest.Mutants.named;

import io.metaroce.compliance.lt.Wire.Arrival;
import io.metaroce.compliance.lt.codec.Packet;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Senders that leave a route without need, or stay on a dead one, or go where they should not. */
final class RouteMutants {
    private static final int PROBE_ECHO = 0x02;
    private static final int SECOND_PEER = 0x5EEE_0001;

    private RouteMutants() {}

    static void addTo(Mutants to) {
        needless(to);
        lodging(to);
        tests(to);
        sizes(to);
        planes(to);
    }

    private static Predicate<Packet> slotOn(int path) {
        return packet -> isSlot(packet) && packet.get("path_id") == path;
    }

    private static UnaryOperator<Arrival> port(int port) {
        return a -> new Arrival(a.atNs(), a.plane(), port, a.ecn(), a.dscp(), a.bytes());
    }

    /** From its n-th slot on, packets that fit go by another port in the next epoch. */
    private static Fault leaving(Predicate<Packet> which, int n) {
        int[] count = {0};
        return new Fault()
                .out(p -> which.test(p) && count[0]++ >= n, field("path_epoch", 1))
                .route(
                        p -> which.test(p) && p.get("path_epoch") == 1,
                        a -> port(a.sourcePort() + 300).apply(a));
    }

    /** The path keeps its first route for ever and says so. */
    private static Fault staying(int path) {
        int[] first = {0};
        Predicate<Packet> isIt = p -> (isSlot(p) || isTail(p)) && p.get("path_id") == path;
        return new Fault().out(isIt, field("path_epoch", 0)).route(isIt, a -> {
            first[0] = first[0] == 0 ? a.sourcePort() : first[0];
            return port(first[0]).apply(a);
        });
    }

    private static void needless(Mutants to) {
        to.add("a slow path is left", "PATH-04S", "R-HEALTH-002", () -> leaving(slotOn(3), 4));
        to.add("silence of all is taken for failure", "PATH-07S", "R-HEALTH-003", () -> leaving(Mutants::isAgain, 0));
        to.add("the loss of a way back fails a path", "HEALTH-06", "R-HEALTH-006", () -> leaving(slotOn(2), 20));
        to.add("losses beside marks are a failure", "HEALTH-07", "R-HEALTH-007", () -> leaving(slotOn(2), 6));
        to.add("an ICMP error moves a path", "HEALTH-09", "R-HEALTH-009", () -> leaving(slotOn(1), 10));
        to.add("a path that loses nine of ten is kept", "HEALTH-08", "R-HEALTH-008", () -> staying(2));
        to.add(
                "in a stall all paths ask at once",
                "HEALTH-12",
                "R-HEALTH-012",
                () -> new Fault()
                        .outMany(
                                Mutants::isTail,
                                p -> List.of(
                                        p,
                                        p.copy().set("path_id", (p.get("path_id") + 1) % 4),
                                        p.copy().set("path_id", (p.get("path_id") + 2) % 4))));
        to.add(
                "one path stays in a stall that is over",
                "HEALTH-13",
                "R-HEALTH-013",
                () -> new Fault().out(slotOn(3), field("path_epoch", 0)));
    }

    private static void lodging(Mutants to) {
        Predicate<Packet> lodger = p -> (isSlot(p) || isTail(p)) && p.get("path_id") == 2 && p.get("path_epoch") > 0;
        to.add("a dead route is left late", "PATH-03", "R-HEALTH-001", () -> new Fault().delay(1_050_000, lodger));
        to.add("a stranded slot waits behind new ones", "PATH-03", "R-PATH-016", () -> {
            long[] stranded = {-1};
            boolean[] isNew = {false};
            return new Fault().outMany(p -> lodger.test(p) && isSlot(p), p -> {
                isNew[0] |= !isAgain(p);
                stranded[0] = stranded[0] < 0 && isAgain(p) ? p.get("psn") : stranded[0];
                return p.get("psn") == stranded[0] && !isNew[0] ? List.of() : List.of(p);
            });
        });
        to.add(
                "a lodger takes a port that was not tested",
                "PATH-03",
                "R-PATH-017",
                () -> new Fault().route(p -> slotOn(2).test(p) && p.get("path_epoch") > 0, port(60_001)));
        to.add(
                "numbers begin anew on another route",
                "PATH-03",
                "R-PATH-011",
                () -> new Fault().out(p -> lodger.test(p) && isSlot(p) && !isAgain(p), p -> p.set("psn", 7)));
        to.add("a third epoch opens while two are unacknowledged", "PATH-14", "R-PATH-014", () -> {
            int[] n = {0};
            return new Fault()
                    .out(p -> slotOn(2).test(p) && p.get("path_epoch") == 2 && n[0]++ % 3 == 1, field("path_epoch", 0));
        });
        to.add("a parked path carries on", "PATH-15", "R-PATH-015", () -> new Fault().ignore("path_admin"));
        to.add(
                "a path that returns begins small",
                "PATH-15",
                "R-PATH-021",
                () -> new Fault()
                        .lie(
                                "paths",
                                answer -> ((ObjectNode) answer.get("paths").get(1)).put("window", 4096)));
        to.add("a lodger stays for ever", "PATH-18", "R-PATH-018", () -> {
            int[] lodging = {0};
            return new Fault().route(p -> slotOn(2).test(p) && p.get("path_epoch") > 0, a -> {
                lodging[0] = lodging[0] == 0 ? a.sourcePort() : lodging[0];
                return port(lodging[0]).apply(a);
            });
        });
    }

    private static void tests(Mutants to) {
        to.add(
                "tests of routes take one port",
                "HEALTH-04",
                "R-HEALTH-004",
                () -> new Fault().route(p -> isChallenge(p) && p.get("path_id") == 2, port(49_200)));
        to.add(
                "tests of routes do not become rarer",
                "HEALTH-04",
                "R-HEALTH-004",
                () -> new Fault()
                        .outMany(
                                p -> isChallenge(p) && p.get("path_id") == 2,
                                p -> List.of(p, p.copy().set("challenge", p.get("challenge") ^ 2))));
        to.add("any echo counts", "HEALTH-04", "R-HEALTH-004", () -> {
            long[] newest = {0};
            return new Fault()
                    .outMany(p -> isChallenge(p) && p.get("path_id") == 2, p -> {
                        newest[0] = p.get("challenge");
                        return List.of(p);
                    })
                    .in(
                            p -> echo(p) != 0,
                            p -> p.options().replaceAll(o -> {
                                boolean isIt = o.type() == PROBE_ECHO && newest[0] != 0;
                                byte[] value = o.value().clone();
                                return isIt
                                        ? new Packet.Option(
                                                PROBE_ECHO,
                                                ByteBuffer.wrap(value)
                                                        .putLong(2, newest[0])
                                                        .array())
                                        : o;
                            }));
        });
        to.add("a route is tested before the new one was heard of", "PATH-25", "R-PATH-025", () -> {
            Set<Long> moved = new HashSet<>();
            return new Fault()
                    .outMany(
                            p -> isSlot(p) && p.get("path_epoch") == 1 && moved.add(p.get("path_id")),
                            p -> List.of(p, challenge(p)));
        });
        to.add(
                "two paths begin their tests together",
                "PATH-25",
                "R-PATH-026",
                () -> new Fault()
                        .outMany(
                                p -> isChallenge(p) && (p.get("path_id") == 1 || p.get("path_id") == 2),
                                p -> List.of(p, p.copy().set("path_id", 3 - p.get("path_id")))));
        to.add(
                "a resting path is not probed",
                "PATH-24",
                "R-PATH-024",
                () -> new Fault().outMany(Mutants::isTail, p -> List.of()));
        to.add(
                "a receiver does not ask whether its reports arrive",
                "ACK-10",
                "R-ACK-010",
                () -> new Fault().outMany(Mutants::isTail, p -> List.of()));
    }

    private static Packet challenge(Packet like) {
        return new Packet("PROBE")
                .set("path_id", like.get("path_id"))
                .set("path_epoch", like.get("path_epoch"))
                .set("dst_conn_id", like.get("dst_conn_id"))
                .set("tx_stamp", like.get("tx_stamp") + 1)
                .set("probe_flags", 0x40)
                .set("challenge", 77);
    }

    private static Packet untested(Packet like) {
        return new Packet("WRITE")
                .set("path_id", like.get("path_id"))
                .set("dst_conn_id", like.get("dst_conn_id"))
                .set("tx_stamp", like.get("tx_stamp") + 1)
                .set("message_length", 2048)
                .payload(new byte[2048]);
    }

    /** The challenge that an ACK echoes, 0 when it echoes none. */
    private static long echo(Packet packet) {
        return packet.options().stream()
                .filter(option -> packet.is("ACK") && option.type() == PROBE_ECHO)
                .mapToLong(option -> ByteBuffer.wrap(option.value()).getLong(2))
                .findFirst()
                .orElse(0);
    }

    private static boolean isLong(Packet packet) {
        return packet.padding() + packet.payloadLength() > 2200;
    }

    private static void sizes(Mutants to) {
        to.add(
                "long packets leave untested",
                "PATH-27",
                "R-PATH-027",
                () -> new Fault().outMany(Mutants::isChallenge, p -> List.of(p, untested(p))));
        to.add("the smallest size is taken", "PATH-28", "R-PATH-028", () -> {
            Set<Long> middle = new HashSet<>();
            return new Fault()
                    .outMany(p -> isChallenge(p) && p.padding() + p.payloadLength() > 1400, p -> {
                        middle.add(p.get("challenge"));
                        return List.of(p);
                    })
                    .deafTo(p -> middle.contains(echo(p)));
        });
        to.add(
                "new messages stay long",
                "PATH-29",
                "R-PATH-029",
                () -> new Fault().out(p -> isSlot(p) && p.get("stream_id") == 2, p -> p.payload(new byte[2048])));
        to.add(
                "a stream too long for every route ends otherwise",
                "PATH-29",
                "R-PATH-029",
                () -> new Fault().events(events -> ConnectionMutants.renamed(events, "RETRY_EXC_ERR", "WR_FLUSH_ERR")));
        to.add(
                "one path is asked for all",
                "PATH-30",
                "R-PATH-030",
                () -> new Fault()
                        .outMany(
                                p -> isChallenge(p) && isLong(p) && p.get("path_id") != 0,
                                p -> List.of(p.copy().set("path_id", 0))));
        to.add(
                "nobody looks for a larger size",
                "PATH-31",
                "R-PATH-031",
                () -> new Fault().outMany(p -> isChallenge(p) && isLong(p), p -> List.of()));
        to.add("half the window is open", "PATH-09", "R-PATH-009", () -> {
            int[] n = {0};
            return new Fault().out(p -> isSlot(p) && n[0]++ > 1040, p -> p.set("psn", p.get("psn") + 80));
        });
        to.add(
                "all reports go by one plane",
                "ACK-09",
                "R-ACK-009",
                () -> new Fault()
                        .route(
                                named("ACK"),
                                a -> new Arrival(a.atNs(), 0, a.sourcePort(), a.ecn(), a.dscp(), a.bytes())));
        to.add("a path stays where its size does not pass", "PATH-32", "R-PATH-032", () -> staying(2));
        to.add("slots are opened beyond the window", "PATH-02", "R-PATH-003", () -> {
            int[] n = {0};
            return new Fault().out(p -> isSlot(p) && !isAgain(p) && n[0]++ > 40, p -> p.set("psn", p.get("psn") + 300));
        });
    }

    private static void planes(Mutants to) {
        to.add(
                "one plane carries more",
                "PLANE-01",
                "R-PLANE-001",
                () -> new Fault()
                        .route(slotOn(1), a -> new Arrival(a.atNs(), 0, a.sourcePort(), a.ecn(), a.dscp(), a.bytes())));
        to.add(
                "the loss of a plane fails a request",
                "PLANE-02",
                "R-PLANE-002",
                () -> new Fault().events(RouteMutants::oneFailed));
        to.add("a plane that returns is not used", "PLANE-03", "R-PLANE-004", () -> {
            boolean[] isLost = {false};
            return new Fault().in(named("ACK"), p -> {
                isLost[0] |= p.get("plane_up") == 1;
                p.set("plane_up", isLost[0] ? 1 : p.get("plane_up"));
            });
        });
        to.add(
                "planes end with the first number that is missing",
                "PLANE-08",
                "R-PLANE-008",
                () -> new Fault()
                        .route(
                                Mutants::isSlot,
                                a -> new Arrival(a.atNs(), 0, a.sourcePort(), a.ecn(), a.dscp(), a.bytes())));
        to.add(
                "the dead port of one peer moves the paths to another",
                "PLANE-05",
                "R-PLANE-005",
                () -> leaving(p -> isSlot(p) && p.int32("dst_conn_id") == SECOND_PEER, 40));
    }

    private static List<JsonNode> oneFailed(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.path("wr").asInt() == 29
                        ? ((ObjectNode) event.deepCopy()).put("status", "RETRY_EXC_ERR")
                        : event)
                .map(JsonNode.class::cast)
                .toList();
    }
}

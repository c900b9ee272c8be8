package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;

/** ACK and SACK: what is reported, when, and what a sender makes of it. */
final class AckTests {
    private static final int K = 1024;
    private static final int PROTO = 9;

    private AckTests() {}

    static void fill(Catalogue c) {
        receiving(c);
        sending(c);
    }

    /** Sends a packet and tells how long the acknowledgement took, in ns; a large number when none came. */
    static long delay(Trial t, Runnable send) {
        int mark = t.mark();
        long before = t.nowNs();
        send.run();
        boolean came = t.until(() -> !t.since(mark).named("ACK").isEmpty(), 3 * t.lazyNs());
        return came ? t.since(mark).named("ACK").first().orElseThrow().atNs() - before : Long.MAX_VALUE;
    }

    private static void receiving(Catalogue c) {
        c.receiver("ACK-01", "a new hole is acknowledged without delay")
                .proves("R-ACK-001@1", "R-SACK-001@1", "R-SACK-004@1")
                .by(t -> {
                    t.set("ack_every", 32).set("ack_delay_ns", t.lazyNs());
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    int first = p.nextPsn(0);
                    int sent = 0;
                    for (int bit : new int[] {1, 63, 64, 127, 128, 191, 192, 254, 255}) {
                        while (p.nextPsn(0) - first < bit) {
                            p.skip(0, 1);
                        }
                        int msn = ++sent;
                        long took = delay(
                                t,
                                () -> p.send(p.slot(0, WireTests.small(m, msn, 64 * msn, 3))
                                        .set("demand", 9)));
                        boolean isHole = bit == 1 || bit == 63 || bit == 127 || bit == 191 || bit == 254;
                        if (isHole) {
                            t.that("R-ACK-001", t.isPrompt(took), "hole before " + bit + " after " + took + " ns");
                        }
                    }
                    t.settle();
                    Fields block = Talk.block(t.sent(), 0).orElseThrow();
                    t.effective("nine accepted", block.get("rx_packets") == 9);
                    t.that(
                            "R-SACK-001",
                            block.int32("cum_psn") == first && block.get("words") == 4,
                            "all from CumPSN on");
                    long[] wanted = {2L | 1L << 63, 1L | 1L << 63, 1L | 1L << 63, 1L | 1L << 62 | 1L << 63};
                    t.that(
                            "R-SACK-004",
                            java.util.Arrays.equals(block.longs("bitmap"), wanted),
                            "bit i is PSN + i: " + block);
                });
        c.receiver(
                        "ACK-02",
                        "flag A, a PROBE, a change of the mark and the first packet of an epoch are acknowledged at once")
                .proves("R-ACK-002@1")
                .by(t -> {
                    t.set("ack_every", 32).set("ack_delay_ns", t.lazyNs());
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    Packet first = p.slot(0, WireTests.small(m, 0, 0, 3)).set("demand", 9);
                    t.effective("acknowledged", t.isPrompt(delay(t, () -> p.send(first.withFlags(Packet.A)))));
                    long probed = delay(t, () -> p.send(p.probe(0)));
                    t.that("R-ACK-002", t.isPrompt(probed), "a PROBE after " + probed + " ns");
                    long marked = delay(
                            t,
                            () -> p.sendMarked(p.slot(0, WireTests.small(m, 1, 64, 3))
                                    .set("demand", 9)
                                    .withFlags(Packet.M)));
                    t.that("R-ACK-002", t.isPrompt(marked), "the first mark after " + marked + " ns");
                    long plain = delay(
                            t,
                            () -> p.send(
                                    p.slot(0, WireTests.small(m, 2, 128, 3)).set("demand", 9)));
                    t.that("R-ACK-002", t.isPrompt(plain), "the last mark after " + plain + " ns");
                    p.rebind(0, 52_000);
                    long moved = delay(
                            t,
                            () -> p.send(
                                    p.slot(0, WireTests.small(m, 3, 192, 3)).set("demand", 9)));
                    t.that("R-ACK-002", t.isPrompt(moved), "a new epoch after " + moved + " ns");
                });
        c.receiver("ACK-03", "an ordinary packet is acknowledged after AckEvery packets, or after MaxAckDelay")
                .proves("R-ACK-003@1")
                .needs("vtime")
                .by(t -> {
                    t.set("ack_delay_ns", 50_000);
                    Peer p = t.connected();
                    long every = p.theirs("ACK_POLICY").get("ack_every");
                    long delayNs = p.theirs("ACK_POLICY").get("max_ack_delay_ns");
                    Region m = t.iut().blank(64 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3))
                            .set("demand", 9)
                            .withFlags(Packet.A));
                    t.settle();
                    t.effective("a policy was told", every >= 1 && delayNs > 0);
                    long one = delay(
                            t,
                            () -> p.send(p.slot(0, WireTests.small(m, 1, 64, 3)).set("demand", 9)));
                    t.that("R-ACK-003", one <= t.rttNs() + delayNs, "one alone after " + one + " ns");
                    t.that("R-ACK-003", every == 1 || one > t.rttNs(), "it waits for more");
                    long many = delay(t, () -> {
                        for (int i = 0; i < every; i++) {
                            p.send(p.slot(0, WireTests.small(m, 2 + i, 128 + 64 * i, 3))
                                    .set("demand", 9));
                        }
                    });
                    t.that("R-ACK-003", many <= t.reactNs(), every + " together after " + many + " ns");
                });
        c.receiver("ACK-04", "at most one ACK per packet, and none for an ACK")
                .proves("R-ACK-004@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    t.effective("acknowledged", !t.sent().named("ACK").isEmpty());
                    int mark = t.mark();
                    for (int i = 0; i < 20; i++) {
                        p.send(p.ack());
                    }
                    t.settle();
                    t.that(
                            "R-ACK-004",
                            t.since(mark).named("ACK").isEmpty(),
                            "silence",
                            t.since(mark).named("ACK"));
                    Packet slot = p.slot(0, WireTests.small(m, 1, 64, 3));
                    for (int i = 0; i < 5; i++) {
                        p.send(i == 0 ? slot : p.again(slot));
                    }
                    t.settle();
                    t.that("R-ACK-004", t.since(mark).named("ACK").count() <= 5, "five packets, five ACKs at most");
                });
        c.receiver("ACK-05", "every ACK carries a hint, the planes that are up, and the bytes accepted")
                .proves("R-ACK-005@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    List<Packet> parts = Talk.write(0, 0, m, 0, 32 * K, K, 3);
                    parts.forEach(part -> p.send(p.slot(0, part)));
                    t.settle();
                    Traffic acks = t.sent().named("ACK").where(s -> s.packet().get("path_block_count") > 0);
                    t.effective("acknowledged", Talk.nextMsn(t, 0) == 1);
                    t.that("R-ACK-005", acks.all(s -> s.packet().get("rate_hint") != 0), "a hint in each", acks);
                    t.that("R-ACK-005", acks.all(s -> s.packet().get("plane_up") == 1), "plane 0 is up", acks);
                    t.that(
                            "R-ACK-005",
                            acks.last().orElseThrow().packet().get("rx_bytes") == 32 * K / 64,
                            "RxBytes counts 64 bytes each");
                });
        c.receiver("ACK-08", "news of a path is told twice when that many ACKs are sent")
                .proves("R-ACK-008@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)).withFlags(Packet.A));
                    t.settle();
                    t.effective("told once", Talk.block(t.sent(), 0).isPresent());
                    int mark = t.mark();
                    p.send(p.slot(1, WireTests.small(m, 1, 64, 3)).withFlags(Packet.A));
                    t.settle();
                    t.that(
                            "R-ACK-008",
                            Talk.block(t.since(mark), 0).isPresent(),
                            "the ACK of path 1 tells of path 0 again");
                });
        c.receiver("ACK-09", "one report after the other goes by another plane")
                .proves("R-ACK-009@1")
                .planes(2)
                .needs("planes")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    int mark = t.mark();
                    for (int i = 0; i < 40; i++) {
                        int msn = i;
                        p.send(p.slot(i % 4, WireTests.small(m, i, 64, 3)).withFlags(Packet.A));
                        t.effective("acknowledged", t.until(() -> Talk.nextMsn(t, 0) > msn));
                    }
                    List<Seen> acks = t.since(mark)
                            .named("ACK")
                            .where(s -> s.packet().get("path_block_count") > 0)
                            .list();
                    int same = 0;
                    for (int i = 1; i < acks.size(); i++) {
                        same += acks.get(i).plane() == acks.get(i - 1).plane() ? 1 : 0;
                    }
                    t.advise("R-ACK-009", same <= acks.size() / 10, same + " of " + acks.size() + " stay on a plane");
                });
        c.receiver("ACK-10", "whoever receives slots over several planes asks whether his reports arrive")
                .proves("R-ACK-010@1")
                .planes(2)
                .needs("planes")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    int mark = t.mark();
                    for (int i = 0; i < 300; i++) {
                        p.send(p.slot(i % 4, WireTests.small(m, i, 64, 3)));
                        t.run(t.rttNs());
                    }
                    t.effective("slots acknowledged", t.until(() -> Talk.nextMsn(t, 0) == 300));
                    Traffic asked = t.since(mark).tails();
                    t.that(
                            "R-ACK-010",
                            asked.any(s -> s.plane() == 0) && asked.any(s -> s.plane() == 1),
                            "both planes",
                            asked);
                });
        c.receiver("SACK-03", "what was acknowledged stays acknowledged, and covers bytes that are in memory")
                .proves("R-SACK-002@1", "R-SACK-003@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    int[] order = {5, 1, 9, 3, 0, 8, 2, 7, 4, 6};
                    Packet[] slots = new Packet[10];
                    for (int i = 0; i < 10; i++) {
                        slots[i] = p.slot(0, WireTests.small(m, i, 64 * i, 3));
                    }
                    int first = slots[0].int32("psn");
                    boolean isKept = true;
                    boolean isPlaced = true;
                    for (int n = 0; n < 10; n++) {
                        p.send(slots[order[n]].withFlags(Packet.A));
                        int newest = first + order[n];
                        t.run(t.rttNs() + t.reactNs());
                        boolean unused = t.until(() -> Talk.block(t.sent(), 0)
                                .filter(b -> Talk.says(b, newest))
                                .isPresent());
                        Fields block = Talk.block(t.sent(), 0).orElseThrow();
                        for (int k = 0; k <= n; k++) {
                            isKept &= Talk.says(block, first + order[k]);
                            isPlaced &= t.iut().holds(m, 64 * order[k], 64, 3, 64L * order[k]);
                        }
                    }
                    t.effective(
                            "all came", Talk.block(t.sent(), 0).orElseThrow().int32("cum_psn") == first + 10);
                    t.that("R-SACK-003", isKept, "each stays in every later block");
                    t.that("R-SACK-002", isPlaced, "each is in memory when it is acknowledged");
                });
        c.receiver("SACK-05", "of a wide window the parts behind the first block are shown in turn")
                .proves("R-SACK-005@1")
                .by(t -> {
                    t.set("track_window", 1024);
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    int first = p.nextPsn(0);
                    p.skip(0, 700);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    t.effective("acknowledged", Talk.block(t.sent(), 0).isPresent());
                    int mark = t.mark();
                    for (int i = 0; i < 6; i++) {
                        p.send(p.probe(0));
                        t.run(t.rttNs() + t.reactNs());
                    }
                    boolean isSeen = false;
                    for (Seen ack : t.since(mark).named("ACK").list()) {
                        for (Fields block : ack.packet().fields().list("path_blocks")) {
                            isSeen |= block.get("sack_offset") == 512 && Talk.says(block, first + 700);
                        }
                    }
                    t.that("R-SACK-005", isSeen, "a block with SackOff 512 shows slot 700");
                });
    }

    private static void sending(Catalogue c) {
        c.sender("ACK-06", "an older report releases slots and leaves hint, planes and round trip times as they are")
                .proves("R-ACK-006@1")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 512);
                    t.effective("a first sample", t.until(() -> t.iut().isDone(1)));
                    t.settle();
                    p.acknowledging(false).answeringProbes(false).responder().stream(0)
                            .hold(true);
                    t.iut().write(2, m, 0, 8 * K);
                    t.effective("two slots", t.until(() -> t.sent().slots().count() == 3));
                    t.run(10 * t.rttNs());
                    Packet older = p.ack(0).set("rate_hint", 0x0800).set("plane_up", 0);
                    older.fields().put("stream_updates", List.<Fields>of());
                    p.send(p.ack(List.<Fields>of()));
                    t.run(t.rttNs());
                    long before = t.iut().paths().get(0).get("srtt_ns").asLong();
                    t.effective(
                            "two in flight",
                            t.iut().paths().get(0).get("inflight").asLong() > 0);
                    p.send(older);
                    t.settle();
                    var after = t.iut().paths().get(0);
                    t.that("R-ACK-006", after.get("inflight").asLong() == 0, "its slots are released");
                    t.that(
                            "R-ACK-006",
                            before == after.get("srtt_ns").asLong(),
                            "SRTT " + before + " then " + after.get("srtt_ns"));
                    int mark = t.mark();
                    t.iut().write(3, m, 0, 512);
                    t.that(
                            "R-ACK-006",
                            t.until(() -> !t.since(mark).slots().fresh().isEmpty(), t.soonNs()),
                            "neither its pause nor its planes count");
                    t.run(30 * t.rttNs());
                    Traffic again = t.since(mark).resent().where(s -> s.packet().get("msn") == 1);
                    t.that("R-ACK-006", again.isEmpty(), "nothing of it is sent again", again);
                });
        c.sender("REL-09", "an ACK of a slot that was never sent ends the connection with PROTO")
                .proves("R-ACK-007@1", "R-ERR-001@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.acknowledging(false);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 4 * K);
                    t.effective("sent", t.until(() -> t.sent().slots().count() == 1));
                    Seen slot = t.sent().slots().first().orElseThrow();
                    Fields lie = p.block(slot.path()).put("cum_psn", slot.psn() + 2 & 0xFFFF_FFFFL);
                    p.send(p.ack(List.of(lie)));
                    t.effective("ended", t.until(() -> !t.sent().named("CLOSE").isEmpty()));
                    Packet close = t.sent().named("CLOSE").first().orElseThrow().packet();
                    t.that("R-ACK-007", close.get("code") == 0x100 + PROTO, "CLOSE with PROTO: " + close);
                    boolean unused = t.until(() -> !t.iut().status(1).isEmpty());
                    t.that(
                            "R-ERR-001",
                            t.iut().status(1).equals("FATAL_ERR"),
                            "FATAL_ERR, not " + t.iut().status(1));
                });
        c.sender("ACK-11", "NextMSN beyond a message releases all its slots")
                .proves("R-ACK-011@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.acknowledging(false).answeringProbes(false);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 16 * K);
                    t.effective("four slots", t.until(() -> t.sent().slots().count() == 4));
                    p.send(p.ack(List.<Fields>of()));
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    t.settle();
                    int mark = t.mark();
                    t.run(t.isVirtual() ? 50_000_000 : 1_000_000_000);
                    t.that(
                            "R-ACK-011",
                            t.since(mark).resent().isEmpty(),
                            "nothing is sent again",
                            t.since(mark).resent());
                    t.that(
                            "R-ACK-011",
                            t.iut().paths().stream()
                                    .allMatch(x -> x.get("inflight").asLong() == 0),
                            "nothing in flight");
                });
        c.sender("ACK-12", "a delay of 0xFFFF yields no round trip time; the first sample becomes SRTT")
                .proves("R-ACK-012@1", "R-ACK-014@1")
                .needs("vtime")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    p.acknowledging(false).answeringProbes(false);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 512);
                    t.effective("sent", t.until(() -> t.sent().slots().count() == 1));
                    long start = t.iut().paths().get(0).get("srtt_ns").asLong();
                    t.run(15_000);
                    p.send(p.ack(List.of(p.block(0).put("ack_delay", 0xFFFF))));
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    long none = t.iut().paths().get(0).get("srtt_ns").asLong();
                    t.that("R-ACK-012", none == start, "SRTT stays at " + start + ": " + none);
                    t.run(100_000);
                    t.iut().write(2, m, 0, 512);
                    t.effective("sent again", t.until(() -> t.sent().slots().count() == 2));
                    t.run(7_000);
                    long wanted = t.nowNs()
                            + t.rttNs() / 2
                            - 16 * p.ack(0).fields().list("path_blocks").get(0).get("echo_stamp");
                    p.send(p.ack(0));
                    t.effective("done again", t.until(() -> t.iut().isDone(2)));
                    long first = t.iut().paths().get(0).get("srtt_ns").asLong();
                    t.that(
                            "R-ACK-014",
                            Math.abs(first - wanted) <= 64,
                            "SRTT is the sample of " + wanted + " ns: " + first);
                });
        c.sender("ACK-16", "the slot that fills the first window asks with flag A")
                .proves("R-ACK-016@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    p.acknowledging(false).answeringProbes(false);
                    Region m = t.iut().region(1024 * K, 1);
                    t.iut().write(1, m, 0, 1024 * K);
                    t.run(t.rttNs() * 2);
                    Traffic all = t.sent().slots().fresh();
                    t.effective("a first window", all.count() > 4 && all.count() < 256);
                    t.that(
                            "R-ACK-016",
                            all.last().orElseThrow().packet().hasFlags(Packet.A),
                            "A on the last of it",
                            all);
                    t.that(
                            "R-ACK-016",
                            all.where(s -> s.packet().hasFlags(Packet.A)).count() == 1,
                            "and on no other",
                            all);
                });
    }
}

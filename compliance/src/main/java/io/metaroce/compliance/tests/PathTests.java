package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** PATH: numbers, stamps and windows of single paths, and what moves a path to another route. */
final class PathTests {
    private static final int K = 1024;
    private static final int STRIDE = 0x9E3779B1;

    private PathTests() {}

    static void fill(Catalogue c) {
        numbers(c);
        receiving(c);
    }

    private static void numbers(Catalogue c) {
        c.sender("PATH-01", "each path counts its slots from its own beginning, by one, and has its own source port")
                .proves("R-PATH-001@1", "R-PATH-006@1", "R-PATH-008@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(1024 * K, 1);
                    t.iut().write(1, m, 0, 1024 * K);
                    t.effective("message done", t.until(() -> t.iut().isDone(1)));
                    Traffic fresh = t.sent().slots().fresh();
                    t.effective("four paths carry", fresh.values("path_id").size() == 4);
                    boolean isRight = true;
                    boolean isGrowing = true;
                    Set<Integer> ports = new HashSet<>();
                    for (int path : p.paths()) {
                        List<Seen> slots = fresh.on(path).list();
                        for (int i = 0; i < slots.size(); i++) {
                            isRight &=
                                    slots.get(i).psn() == p.theirs("PSN_SEED").int32("psn_seed") + path * STRIDE + i;
                            isGrowing &= i == 0
                                    || slots.get(i).stamp() - slots.get(i - 1).stamp() > 0;
                        }
                        ports.addAll(t.sent().slots().on(path).ports());
                    }
                    t.that("R-PATH-001", isRight, "seed + i * stride, then + 1, on 4 paths");
                    t.that("R-PATH-006", isGrowing, "stamps grow strictly");
                    t.that("R-PATH-008", fresh.count() == 256, "256 fragments, 256 slots");
                    t.that("R-PATH-001", ports.size() == 4, "four source ports: " + ports);
                });
        c.sender("PATH-02", "no slot is opened at or beyond CumPSN + Wt, however long the oldest is missing")
                .proves("R-PATH-003@1")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    Region m = t.iut().region(4096 * K, 1);
                    p.lose(60, LossTests.nthSlotOf(p, 0, 0));
                    t.iut().write(1, m, 0, 2048 * K);
                    t.effective(
                            "the window fills",
                            t.until(() -> t.sent().slots().fresh().count() > 32));
                    t.run(t.rttNs() * 40);
                    t.effective("the oldest is missing, later ones came", p.cum(0) == p.firstPsn(0));
                    int highest = t.sent().slots().psns().stream()
                            .mapToInt(psn -> psn - p.firstPsn(0))
                            .max()
                            .orElse(0);
                    t.that("R-PATH-003", highest < 256 && highest > 32, "the highest slot is number " + highest);
                    p.loseNothing();
                    t.that("R-PATH-003", t.until(() -> t.iut().isDone(1)), "it goes on once the oldest came");
                });
        c.sender("PATH-09", "a quarter of the window at most is unacknowledged on a path")
                .proves("R-PATH-009@1")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    Region m = t.iut().region(1024 * K, 1);
                    for (int i = 1; i <= 16; i++) {
                        t.iut().write(i, m, 0, 1024 * K);
                    }
                    t.effective("flows", t.until(() -> t.iut().isDone(4)));
                    p.acknowledging(false).answeringProbes(false);
                    int acknowledged = p.cum(0);
                    t.effective("slots are open", t.until(() -> openSlots(t, acknowledged) >= 2));
                    t.run(20 * t.rttNs());
                    int open = openSlots(t, acknowledged);
                    t.advise("R-PATH-009", open <= 256 / 4, open + " of 256 are open");
                });
        c.sender("PATH-23", "a slot sent again is the same slot: what may differ differs, nothing else")
                .proves("R-PATH-007@1", "R-PATH-023@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    for (int path = 0; path < 4; path++) {
                        p.lose(1, LossTests.nthSlotOf(p, path, 1));
                    }
                    t.iut().write(1, m, 0, 256 * K);
                    t.effective(
                            "four were lost, all came", t.until(() -> t.iut().isDone(1)) && p.lost() == 4);
                    boolean isSame = true;
                    for (Seen again : t.sent().resent().list()) {
                        Seen first = t.sent().slot(again.psn()).fresh().first().orElseThrow();
                        isSame &= java.util.Arrays.equals(
                                first.packet().payload(), again.packet().payload());
                        for (String name : List.of("stream_id", "msn", "message_offset", "rkey", "remote_address")) {
                            isSame &= first.packet().get(name) == again.packet().get(name);
                        }
                    }
                    t.that("R-PATH-023", isSame, "headers and payload are those of the first transmission");
                    t.that(
                            "R-PATH-007",
                            t.sent().resent().count() == 4,
                            "R is set",
                            t.sent().resent());
                });
        c.sender("PATH-24", "a path that has carried something and rests is probed now and then")
                .proves("R-PATH-024@2")
                .needs("vtime")
                .by(t -> {
                    t.set("paths", 1);
                    t.connected();
                    Region m = t.iut().region(16 * K, 1);
                    t.iut().write(1, m, 0, 4 * K);
                    t.effective("message done", t.until(() -> t.iut().isDone(1)));
                    int mark = t.mark();
                    long begin = t.nowNs();
                    long pause = t.param("idle_probe_ns", 1_000_000_000);
                    t.run(5 * pause + pause / 2);
                    Traffic tails = t.since(mark).tails().from(begin + pause / 2);
                    // Each may come an eighth of a second later.
                    boolean isPaced = tails.count() == 5 || tails.count() == 4;
                    t.that("R-PATH-024", isPaced, "one per second", tails);
                });
    }

    private static int openSlots(Trial t, int acknowledged) {
        return t.sent().slots().fresh().last().orElseThrow().psn() + 1 - acknowledged;
    }

    private static void receiving(Catalogue c) {
        c.receiver("PATH-04", "a slot beyond the window is dropped, reported by flag O at once, and moves nothing")
                .proves("R-PATH-004@1", "R-ACK-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    int first = p.nextPsn(0);
                    int last = WireTests.windowOf(p) - 1;
                    p.skip(0, last);
                    p.send(p.slot(0, WireTests.small(m, 1, 64, 3)));
                    t.settle();
                    t.effective("slot 255 is accepted", t.iut().counter("rx_slots") == 1);
                    int mark = t.mark();
                    long before = t.nowNs();
                    p.send(p.slot(0, WireTests.small(m, 2, 128, 3)));
                    t.effective(
                            "an answer",
                            t.until(() -> !t.since(mark).named("ACK").isEmpty()));
                    Fields block = Talk.block(t.since(mark), 0).orElseThrow();
                    t.that("R-PATH-004", (block.get("flags") & 0x20) != 0, "flag O: " + block);
                    t.that("R-PATH-004", block.int32("cum_psn") == first, "CumPSN has not moved");
                    t.that("R-PATH-004", t.iut().isBlank(m, 128, 64), "it is not placed");
                    t.that(
                            "R-ACK-002",
                            t.isPrompt(t.since(mark)
                                            .named("ACK")
                                            .first()
                                            .orElseThrow()
                                            .atNs()
                                    - before),
                            "without delay");
                });
        c.receiver("PATH-05", "a duplicate is counted and acknowledged at once, and never placed, whatever its route")
                .proves("R-PATH-005@1", "R-MEM-001@1", "R-ACK-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    Packet slot = p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    t.effective("placed", t.iut().holds(m, 0, 64, 3, 0));
                    t.iut().fill(m, 0x77);
                    for (int i = 0; i < 3; i++) {
                        int mark = t.mark();
                        long before = t.nowNs();
                        p.sendFrom(60_100 + i, i == 0 ? slot : p.again(slot));
                        boolean came = t.until(() -> !t.since(mark).named("ACK").isEmpty(), 3 * t.lazyNs());
                        t.that("R-ACK-002", came && t.isPrompt(t.nowNs() - before), "acknowledged at once");
                        t.that(
                                "R-PATH-005",
                                Talk.block(t.since(mark), 0).orElseThrow().get("duplicates") == i + 1,
                                "duplicates are counted");
                    }
                    t.that("R-MEM-001", t.iut().isBlank(m, 0, K, 0x77), "memory is the application's");
                });
        c.receiver("PATH-06", "order survives the wrap of PSNs and stamps")
                .proves("R-PATH-002@1")
                .by(t -> {
                    Peer p = t.peer();
                    p.term("PSN_SEED", new Fields().put("psn_seed", 0xFFFF_FFFEL));
                    t.connected(p, 1);
                    Region m = t.iut().blank(4 * K);
                    Packet[] slots = new Packet[6];
                    for (int i = 0; i < 6; i++) {
                        slots[i] = p.slot(0, WireTests.small(m, i, 64 * i, 3))
                                .set("tx_stamp", 0xFFFF_FFFDL + i & 0xFFFF_FFFFL);
                    }
                    for (int i = 0; i < 6; i++) {
                        if (i != 2) {
                            p.send(slots[i]);
                        }
                    }
                    t.settle();
                    Fields block = Talk.block(t.sent(), 0).orElseThrow();
                    t.effective("five of six", block.get("rx_packets") == 5);
                    t.that("R-PATH-002", block.int32("cum_psn") == 0, "CumPSN is 0: " + block);
                    t.that("R-PATH-002", block.longs("bitmap")[0] == 0b1110, "three behind the gap");
                    t.that("R-PATH-002", block.get("echo_stamp") == 2, "the newest stamp is 2");
                    p.send(slots[2]);
                    t.settle();
                    t.that("R-PATH-002", t.iut().holds(m, 0, 384, 3, 0), "all is placed");
                });
        c.receiver("PATH-07", "a slot is accepted whatever its epoch, and a late stamp never moves the echo")
                .proves("R-PATH-012@1", "R-PATH-013@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    Packet late = p.slot(0, WireTests.small(m, 0, 0, 3));
                    Packet lost = p.slot(0, WireTests.small(m, 1, 64, 3));
                    t.run(t.rttNs());
                    p.rebind(0, 51_999);
                    Packet again = p.send(p.again(lost));
                    t.settle();
                    Fields block = Talk.block(t.sent(), 0).orElseThrow();
                    t.effective("the new epoch is echoed", block.get("epoch") == 1);
                    p.sendFrom(50_100, late);
                    p.sendFrom(50_100, lost);
                    t.settle();
                    block = Talk.block(t.sent(), 0).orElseThrow();
                    t.that("R-PATH-012", t.iut().holds(m, 0, 64, 3, 0), "a new slot of the old epoch is placed");
                    t.that("R-PATH-012", block.get("duplicates") == 1, "one it had is a duplicate");
                    t.that(
                            "R-PATH-013",
                            block.get("echo_stamp") == again.get("tx_stamp") && block.get("epoch") == 1,
                            "the echo is that of the newest stamp: " + block);
                });
        c.receiver("PATH-19", "after 16 s of silence the next packet sets the echo whatever its stamp")
                .proves("R-PATH-019@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    Packet first = p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.run(17_000_000_000L);
                    long older = (first.get("tx_stamp") - 5) & 0xFFFF_FFFFL;
                    int mark = t.mark();
                    p.send(p.slot(0, WireTests.small(m, 1, 64, 3))
                            .set("tx_stamp", older)
                            .withFlags(Packet.A));
                    t.settle();
                    t.effective("acknowledged", Talk.block(t.since(mark), 0).isPresent());
                    t.that(
                            "R-PATH-019",
                            Talk.block(t.since(mark), 0).orElseThrow().get("echo_stamp") == older,
                            "the echo is the stamp of the packet that came");
                });
        c.receiver("PATH-22", "a PROBE with flag C is echoed and changes no path")
                .proves("R-PATH-022@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    Fields before = Talk.block(t.sent(), 0).orElseThrow();
                    int mark = t.mark();
                    p.send(p.challenge(0xABCDEFL)
                            .set("tx_stamp", before.get("echo_stamp") + 1000)
                            .set("path_epoch", 9));
                    t.effective(
                            "an answer",
                            t.until(() -> !t.since(mark).named("ACK").isEmpty()));
                    Fields echo = t.codec()
                            .option(
                                    t.since(mark)
                                            .named("ACK")
                                            .first()
                                            .orElseThrow()
                                            .packet(),
                                    "PROBE_ECHO");
                    t.that(
                            "R-PATH-022",
                            echo != null && echo.get("challenge") == 0xABCDEFL,
                            "the challenge comes back");
                    p.send(p.slot(0, WireTests.small(m, 1, 64, 3)).withFlags(Packet.A));
                    t.settle();
                    Fields after = Talk.block(t.sent(), 0).orElseThrow();
                    t.that(
                            "R-PATH-022",
                            after.get("rx_packets") == before.get("rx_packets") + 1 && after.get("epoch") == 0,
                            "it is not counted and not echoed as a stamp: " + after);
                });
    }
}

package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Packet;

/** PLANE: what planes carry, and what their loss does. */
final class PlaneTests {
    private static final int K = 1024;

    private PlaneTests() {}

    static void fill(Catalogue c) {
        planes(c);
    }

    private static void planes(Catalogue c) {
        c.sender("PLANE-01", "planes carry equal cost")
                .proves("R-PLANE-001@1")
                .planes(2)
                .needs("planes", "vtime")
                .by(t -> {
                    t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 70);
                    t.effective("done", t.until(() -> t.iut().isDone(70)));
                    Traffic all = t.sent().slots();
                    t.effective("a thousand packets", all.count() >= 1000);
                    long one = all.where(s -> s.plane() == 0).bytes();
                    long two = all.where(s -> s.plane() == 1).bytes();
                    t.that("R-PLANE-001", Math.abs(one - two) * 20 <= Math.max(one, two), one + " and " + two);
                });
        c.sender("PLANE-02", "the loss of one of two planes stops no stream and fails none")
                .proves("R-PLANE-002@1")
                .planes(2)
                .needs("planes", "vtime")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 2);
                    Region m = t.iut().region(1024 * K, 1);
                    for (int i = 1; i <= 30; i++) {
                        t.iut().write(i, m, 0, 1024 * K);
                    }
                    for (int i = 0; i < 10; i++) {
                        t.iut().write(1, 200 + i, m, 0, 1024 * K, Peer.MEMORY);
                    }
                    t.effective("flows", t.until(() -> t.iut().isDone(3)));
                    long began = t.nowNs();
                    t.run(t.rttNs() * 10);
                    long before = t.sent().slots().fresh().from(began).payload();
                    p.lose(1 << 20, s -> s.plane() == 1 && Preambles.isOnPath(s));
                    t.run(t.rttNs() * 20);
                    long later = t.nowNs();
                    t.run(t.rttNs() * 10);
                    long after = t.sent().slots().fresh().from(later).payload();
                    t.that("R-PLANE-002", after * 100 >= before * 45, before + " bytes, then " + after);
                    t.effective(
                            "done", t.until(() -> t.iut().isDone(30) && t.iut().isDone(209)));
                    t.that(
                            "R-PLANE-002",
                            t.iut().completions().stream()
                                    .allMatch(e -> e.get("status").asString().equals("SUCCESS")),
                            "without error");
                });
        c.sender("PLANE-03", "a cleared bit of PlaneUp stops traffic to that plane, and a set one brings it back")
                .proves("R-PLANE-003@1", "R-PLANE-004@1")
                .planes(2)
                .needs("planes", "vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 100);
                    t.effective(
                            "both carry",
                            t.until(() -> t.sent().slots().any(s -> s.plane() == 0)
                                    && t.sent().slots().any(s -> s.plane() == 1)));
                    p.planeUp(1);
                    p.send(p.ack());
                    t.run(2 * t.rttNs());
                    int mark = t.mark();
                    t.run(20 * t.rttNs());
                    Traffic there = t.since(mark).where(s -> s.plane() == 1);
                    t.effective("flows on", !t.since(mark).slots().isEmpty());
                    t.that("R-PLANE-003", there.isEmpty(), "nothing to plane 1", there);
                    p.planeUp(3);
                    int back = t.mark();
                    Preambles.stream(t, m, 201, 200);
                    t.until(() -> t.iut().isDone(400), 1_000_000_000);
                    t.that("R-PLANE-004", t.since(back).slots().any(s -> s.plane() == 1), "plane 1 carries again");
                    t.that(
                            "R-PLANE-004",
                            t.iut().completions().stream()
                                    .allMatch(e -> e.get("status").asString().equals("SUCCESS")),
                            "without error");
                });
        c.sender("PLANE-05", "the dead port of one peer moves no path to another one")
                .proves("R-PLANE-005@1")
                .planes(2)
                .needs("planes", "vtime")
                .by(t -> {
                    Peer a = t.connected();
                    int first = t.iut().conn();
                    Region m = t.iut().region(64 * K, 1);
                    Peer b = t.connected();
                    int second = t.iut().conn();
                    t.iut().on(first);
                    Preambles.stream(t, m, 1, 100);
                    t.iut().on(second);
                    Preambles.stream(t, m, 1001, 100);
                    t.run(t.rttNs() * 5);
                    a.lose(1 << 20, s -> s.plane() == 1 && Preambles.isOnPath(s));
                    t.effective("a is done", t.until(() -> t.iut().on(first).isDone(100)));
                    t.effective("b is done", t.until(() -> t.iut().on(second).isDone(1100)));
                    Traffic toB = t.sent().slots().where(s -> s.packet().int32("dst_conn_id") == b.connId());
                    t.that(
                            "R-PLANE-005",
                            toB.all(s -> s.epoch() == 0) && toB.any(s -> s.plane() == 1),
                            "b stays on both");
                });
        c.sender("PLANE-06", "no slot goes to a plane whose address was not validated")
                .proves("R-PLANE-006@1")
                .planes(2)
                .needs("planes")
                .by(t -> {
                    Peer p = t.peer();
                    p.lose(1 << 20, s -> s.plane() == 1 && s.is("PROBE"));
                    t.connected(p, 1);
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    t.effective("done", t.until(() -> t.iut().isDone(20)));
                    t.effective("asked", t.sent().challenges().any(s -> s.plane() == 1));
                    Traffic there = t.sent().slots().where(s -> s.plane() == 1);
                    t.that("R-PLANE-006", there.isEmpty(), "no slot on plane 1", there);
                });
        c.sender("PLANE-08", "a plane that the peer does not have ends nothing, and carries nothing")
                .proves("R-PLANE-008@1")
                .planes(3)
                .needs("planes")
                .by(t -> {
                    t.connected(t.peer().planes(0, 2), 1);
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    t.effective("done", t.until(() -> t.iut().isDone(20)));
                    t.that("R-PLANE-008", t.sent().slots().any(s -> s.plane() == 2), "slots on plane 2");
                    Traffic between = t.sent().where(s -> s.plane() == 1);
                    t.that("R-PLANE-008", between.isEmpty(), "nothing on plane 1", between);
                });
        c.receiver("PLANE-07", "an own plane that is lost is told at once, and lowers the hints")
                .proves("R-HINT-006@1", "R-PLANE-003@1")
                .planes(2)
                .needs("planes", "vtime")
                .by(t -> {
                    t.set("rx_capacity", 1_000_000_000);
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3))
                            .set("demand", 0xFF)
                            .withFlags(Packet.A));
                    t.settle();
                    long before =
                            t.sent().named("ACK").last().orElseThrow().packet().get("rate_hint");
                    int mark = t.mark();
                    t.iut().plane(1, false);
                    t.effective(
                            "told",
                            t.until(() -> !t.since(mark).named("PLANE_STATUS").isEmpty()));
                    Packet told = t.since(mark)
                            .named("PLANE_STATUS")
                            .first()
                            .orElseThrow()
                            .packet();
                    t.that("R-PLANE-003", told.get("plane_up") == 1 && told.get("changed") == 2, told.toString());
                    p.send(p.slot(0, WireTests.small(m, 1, 64, 3))
                            .set("demand", 0xFF)
                            .withFlags(Packet.A));
                    t.settle();
                    long after =
                            t.sent().named("ACK").last().orElseThrow().packet().get("rate_hint");
                    t.that(
                            "R-HINT-006",
                            after <= before - 0x700,
                            "half: 0x" + Long.toHexString(before) + " then 0x" + Long.toHexString(after));
                });
    }
}

package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Pattern;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** PLC: what touches memory, and when. */
final class PlacementTests {
    private static final int K = 1024;
    private static final int REM_ACCESS = 2;
    private static final int FAILED = 0x40;

    private PlacementTests() {}

    static void fill(Catalogue c) {
        placing(c);
        refusing(c);
        ending(c);
    }

    private static void placing(Catalogue c) {
        c.receiver("PLC-01", "fragments in any order over any paths give the same memory and one completion")
                .proves("R-ORD-001@1", "R-SACK-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Random random = new Random(7);
                    for (int round = 0; round < 20; round++) {
                        Region m = t.iut().blank(16 * K);
                        List<Packet> parts = new ArrayList<>(Talk.write(0, round, m, 0, 16 * K, K, 5 + round));
                        Collections.shuffle(parts, random);
                        for (int i = 0; i < parts.size(); i++) {
                            p.send(p.slot(i % 4, parts.get(i)));
                        }
                        t.settle();
                        t.effective("acknowledged as a whole", Talk.nextMsn(t, 0) == round + 1);
                        t.that("R-ORD-001", t.iut().holds(m, 0, 16 * K, 5 + round, 0), "memory is that of the message");
                        t.that(
                                "R-SACK-002",
                                t.iut().holds(m, 0, 16 * K, 5 + round, 0),
                                "what is acknowledged is in memory");
                    }
                });
        c.receiver("PLC-08", "an operation of zero length completes without key and address")
                .proves("R-MEM-008@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.send(p.slot(
                            0,
                            Talk.request("WRITE", 0, 0, 0, 0)
                                    .set("rkey", 0x777777)
                                    .set("remote_address", 99)));
                    t.settle();
                    t.effective("an ACK", !t.sent().named("ACK").isEmpty());
                    t.that("R-MEM-008", Talk.nextMsn(t, 0) == 1, "the message is complete");
                    Region m = t.iut().region(K, 1);
                    t.iut().write(0, 5, m, 0, 0, 0);
                    t.that("R-MEM-008", t.until(() -> t.iut().isDone(5)), "and its own completes");
                });
        c.receiver("PLC-05", "withdrawn packets place nothing and fill their slot")
                .proves("R-MEM-005@1")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 2);
                    Region m = t.iut().blank(4 * K);
                    Packet part = WireTests.small(m, 0, 0, 3).set("message_flags", 2);
                    int psn = p.nextPsn(0);
                    p.send(p.slot(0, part));
                    t.settle();
                    t.effective(
                            "acknowledged", Talk.says(Talk.block(t.sent(), 0).orElseThrow(), psn));
                    t.that("R-MEM-005", t.iut().isBlank(m, 0, 4 * K), "memory is as it was");
                });
    }

    /**
     * A Write that must be refused: nothing is placed, the stream fails with REM_ACCESS, and the requester hears it.
     */
    private static void refused(Trial t, Peer p, Region watched, Packet bad, String why) {
        p.send(p.slot(0, bad));
        t.effective(why + ": received", t.until(() -> t.iut().counter("rx_slots") > 0));
        t.settle();
        t.that("R-MEM-002", t.iut().isBlank(watched, 0, watched.length()), why + ": nothing is placed");
        boolean isTold = Talk.update(t, 0)
                .filter(u -> (u.get("flags") & FAILED) != 0 && u.get("code") == REM_ACCESS)
                .isPresent();
        t.that("R-MEM-003", isTold, why + ": REM_ACCESS is told");
    }

    private static void refusing(Catalogue c) {
        record Bad(String id, String title, java.util.function.BiFunction<Trial, Region, Packet> make) {}
        List<Bad> all = List.of(
                new Bad(
                        "PLC-11",
                        "one byte before the region",
                        (t, m) -> WireTests.small(m, 0, 0, 3).set("remote_address", m.address() - 1)),
                new Bad(
                        "PLC-12",
                        "one byte behind the region",
                        (t, m) -> WireTests.small(m, 0, 0, 3).set("remote_address", m.address() + m.length() - 63)),
                new Bad(
                        "PLC-13",
                        "an address that overflows",
                        (t, m) -> WireTests.small(m, 0, 0, 3).set("remote_address", -32L)),
                new Bad(
                        "PLC-14",
                        "a key that was never given",
                        (t, m) -> WireTests.small(m, 0, 0, 3).set("rkey", m.rkey() + 0x100 & 0xFFFF_FFFFL)),
                new Bad(
                        "PLC-15",
                        "another variant of the key",
                        (t, m) -> WireTests.small(m, 0, 0, 3).set("rkey", (m.rkey() ^ 0x55) & 0xFFFF_FFFFL)));
        for (Bad bad : all) {
            c.receiver(bad.id(), "a Write with " + bad.title() + " places nothing and fails its stream")
                    .proves("R-MEM-002@1", "R-MEM-003@1")
                    .by(t -> {
                        Peer p = t.connected();
                        Region m = t.iut().blank(4 * K);
                        refused(t, p, m, bad.make().apply(t, m), bad.title());
                    });
        }
        c.receiver(
                        "PLC-16",
                        "both edges of a region can be written, and a region of another domain or without permission cannot")
                .proves("R-MEM-002@1", "R-MEM-003@1", "R-ERR-002@1")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 3);
                    Region m = t.iut().blank(4 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    p.send(p.slot(0, WireTests.small(m, 1, 4 * K - 64, 3)));
                    t.settle();
                    t.effective(
                            "edges are written",
                            t.iut().holds(m, 0, 64, 3, 0) && t.iut().holds(m, 4 * K - 64, 64, 3, 4L * K - 64));
                    Region foreign = t.iut().fill(t.iut().region(K, 1, "local_write", "remote_write"), 0x11);
                    Region readOnly = t.iut().fill(t.iut().region(K, 0, "local_write", "remote_read"), 0x11);
                    p.send(p.slot(0, WireTests.small(foreign, 0, 0, 3).set("stream_id", 2)));
                    p.send(p.slot(0, WireTests.small(readOnly, 0, 0, 3).set("stream_id", 4)));
                    t.settle();
                    for (int stream : new int[] {2, 4}) {
                        Fields update = Talk.update(t, stream).orElseThrow();
                        t.that(
                                "R-MEM-003",
                                update.get("code") == REM_ACCESS,
                                "stream " + stream + " failed with REM_ACCESS");
                    }
                    t.that(
                            "R-MEM-002",
                            t.iut().isBlank(foreign, 0, K) && t.iut().isBlank(readOnly, 0, K),
                            "nothing is placed");
                    p.send(p.slot(1, WireTests.small(m, 2, 128, 3)));
                    t.settle();
                    t.that("R-ERR-002", t.iut().holds(m, 128, 64, 3, 128), "stream 0 goes on, on the same paths");
                });
        c.sender("PLC-17", "what the peer refuses for access ends as REM_ACCESS_ERR, and the rest is flushed in order")
                .proves("R-MEM-003@1", "R-ERR-001@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    p.responder().stream(0).hold(true);
                    for (int i = 1; i <= 3; i++) {
                        t.iut().write(i, m, 0, 512);
                    }
                    t.effective("sent", t.until(() -> t.sent().slots().count() >= 3));
                    p.responder().stream(0).fail(REM_ACCESS);
                    p.send(p.ack());
                    t.effective("ended", t.until(() -> !t.iut().status(3).isEmpty()));
                    t.that(
                            "R-MEM-003",
                            t.iut().status(1).equals("REM_ACCESS_ERR"),
                            "the first: " + t.iut().status(1));
                    t.that(
                            "R-ERR-001",
                            t.iut().status(2).equals("WR_FLUSH_ERR")
                                    && t.iut().status(3).equals("WR_FLUSH_ERR"),
                            "the others are flushed");
                    t.that(
                            "R-ERR-001",
                            t.iut().order().equals(List.of(1L, 2L, 3L)),
                            "in order: " + t.iut().order());
                });
    }

    private static void ending(Catalogue c) {
        c.receiver("PLC-04", "once a region is gone no packet with its key reaches memory, nor one with a former key")
                .proves("R-MEM-004@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    List<Packet> parts = Talk.write(0, 0, m, 0, 32 * K, K, 5);
                    for (int i = 0; i < 16; i++) {
                        p.send(p.slot(i % 4, parts.get(i)));
                    }
                    t.settle();
                    t.effective("half of it is there", t.iut().holds(m, 0, 16 * K, 5, 0));
                    t.iut().deregister(m);
                    for (int i = 16; i < 32; i++) {
                        p.send(p.slot(i % 4, parts.get(i)));
                    }
                    t.settle();
                    t.that("R-MEM-004", t.iut().isBlank(m, 16 * K, 48 * K), "late packets change nothing");
                    Region again = t.iut().blank(64 * K);
                    t.that("R-MEM-004", again.rkey() != m.rkey(), "a new registration has a new key");
                });
        c.receiver("PLC-06", "after a stream has failed nothing is written to the buffers it gave back")
                .proves("R-MEM-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    Preambles.receives(t, m, 1, 8 * K);
                    List<Packet> parts = Talk.send(0, 1, 0, 4 * K, K, 7);
                    p.send(p.slot(0, parts.get(0)));
                    t.settle();
                    t.effective("first fragment is placed", t.iut().holds(m, 0, K, 7, 0));
                    p.send(p.slot(
                            0,
                            Talk.write(0, 0, m, 0, 0, 64, Pattern.bytes(1, 0, 64))
                                    .set("rkey", 0x7777)));
                    t.effective("flushed", t.until(() -> !t.iut().status(10).isEmpty()));
                    t.iut().fill(m, 0x33);
                    for (int i = 1; i < 4; i++) {
                        p.send(p.slot(1, parts.get(i)));
                    }
                    t.settle();
                    t.that("R-MEM-006", t.iut().isBlank(m, 0, 16 * K, 0x33), "late fragments change nothing");
                    t.that("R-MEM-006", !t.iut().isDone(10), "and the receive was not a success");
                });
        c.receiver("PLC-07", "packets of a closed connection leave memory unchanged")
                .proves("R-MEM-007@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    t.effective("placed", t.iut().holds(m, 0, 64, 3, 0));
                    Packet late = p.slot(0, WireTests.small(m, 1, 64, 3));
                    p.send(p.control("CLOSE")
                            .set("close_flags", 0x80)
                            .set("code", 1)
                            .set("close_id", 5));
                    t.effective(
                            "closed", t.until(() -> t.iut().states().stream().anyMatch(s -> s.startsWith("closed"))));
                    p.send(late);
                    t.settle();
                    t.that("R-MEM-007", t.iut().isBlank(m, 64, 15 * K), "the late packet changes nothing");
                });
        c.both("PLC-02", "a Send with invalidate makes the key invalid when it completes")
                .proves("R-MEM-004@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(4 * K);
                    Region inbox = t.iut().blank(K);
                    Preambles.receives(t, inbox, 1, K);
                    Packet send = Talk.request("SEND_INV", 0, 0, 0, 16)
                            .set("rsn", 0)
                            .set("invalidate_rkey", m.rkey() & 0xFFFF_FFFFL)
                            .payload(new byte[16]);
                    p.send(p.slot(0, send));
                    t.effective("received", t.until(() -> t.iut().isDone(10)));
                    t.that(
                            "R-MEM-004",
                            t.iut()
                                            .completion(10)
                                            .orElse(Json.object())
                                            .path("inv")
                                            .asLong()
                                    == (m.rkey() & 0xFFFF_FFFFL),
                            "the completion says so");
                    p.send(p.slot(0, WireTests.small(m, 1, 0, 3)));
                    t.settle();
                    t.that("R-MEM-004", t.iut().isBlank(m, 0, 4 * K), "the key opens nothing any more");
                });
    }
}

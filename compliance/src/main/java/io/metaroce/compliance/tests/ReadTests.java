package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.Pattern;
import java.util.ArrayList;
import java.util.List;

/** READ and ATOM: requests that are answered. */
final class ReadTests {
    private static final int K = 1024;

    private ReadTests() {}

    static void fill(Catalogue c) {
        serving(c);
        asking(c);
        atomics(c);
        ordered(c);
    }

    static Packet readRequest(Region from, int msn, int tag, int at, int length) {
        return Talk.request("READ_REQ", 0, msn, 0, 0)
                .set("rkey", from.rkey() & 0xFFFF_FFFFL)
                .set("remote_address", from.address() + at)
                .set("length", length)
                .set("rd_tag", tag);
    }

    static Packet atomic(Region on, int msn, int tag, int op, long a, long b) {
        return Talk.request("ATOMIC_REQ", 0, msn, 0, 0)
                .set("rkey", on.rkey() & 0xFFFF_FFFFL)
                .set("remote_address", on.address())
                .set("at_tag", tag)
                .set("op", op)
                .set("size", 8)
                .set("operand_a", a)
                .set("operand_b", b);
    }

    private static void serving(Catalogue c) {
        c.receiver("READ-01", "a Read is executed once however often its request comes, after what stands before it")
                .proves("R-READ-001@1", "R-ORD-004@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    Packet write = p.slot(
                            0, Talk.write(0, 0, m, 0, 8 * K, 8 * K, 5).get(0).payload(Pattern.bytes(5, 0, 4 * K)));
                    Packet rest = p.slot(0, Talk.write(0, 0, m, 0, 4 * K, 8 * K, Pattern.bytes(5, 4 * K, 4 * K)));
                    Packet read = p.slot(1, readRequest(m, 1, 77, 0, 8 * K));
                    p.send(read);
                    p.send(p.again(read));
                    p.send(write);
                    t.settle();
                    t.that(
                            "R-ORD-004",
                            t.sent().named("READ_RESP").isEmpty(),
                            "no answer while a Write before is missing");
                    p.send(rest);
                    t.effective(
                            "answered",
                            t.until(() -> t.sent().named("READ_RESP").fresh().payload() >= 8 * K));
                    p.send(p.again(read));
                    t.settle();
                    Traffic all = t.sent().named("READ_RESP").fresh();
                    t.that("R-READ-001", all.payload() == 8 * K, "8 KiB in all", all);
                    boolean isRight = true;
                    for (Seen s : all.list()) {
                        isRight &= java.util.Arrays.equals(
                                s.packet().payload(),
                                Pattern.bytes(
                                        5, s.packet().get("offset"), s.packet().payloadLength()));
                    }
                    t.that("R-ORD-004", isRight, "with what the Write brought");
                });
        c.receiver("READ-03", "answers make progress without credits and without room for open messages")
                .proves("R-READ-003@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.peer().term("MAX_OPEN_MSGS", new Fields().put("max_open_messages", 2));
                    t.connected(p, 1);
                    Region m = t.iut().region(64 * K, 5);
                    p.responder().stream(0).hold(true);
                    for (int i = 1; i <= 6; i++) {
                        t.iut().write(i, m, 0, 512);
                        t.iut().send(0, 100 + i, m, 0, 512);
                    }
                    t.run(t.rttNs() * 4);
                    t.effective(
                            "its own requests wait",
                            t.sent().slots().values("msn").size() <= 2);
                    p.send(p.slot(0, readRequest(m, 0, 9, 0, 16 * K)));
                    t.that(
                            "R-READ-003",
                            t.until(() -> t.sent().named("READ_RESP").fresh().payload() == 16 * K),
                            "the whole answer comes");
                });
        c.receiver("READ-04", "more Reads at once than was offered fail the stream with INV_REQ")
                .proves("R-READ-004@1")
                .needs("reads")
                .by(t -> {
                    t.set("max_reads", 2);
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 5);
                    for (int i = 1; i <= 4; i++) {
                        p.send(p.slot(0, readRequest(m, i, i, 0, 64)));
                    }
                    t.settle();
                    t.effective("all arrived", t.iut().counter("rx_slots") == 4);
                    p.send(p.slot(0, WireTests.small(t.iut().blank(K), 0, 0, 3)));
                    t.settle();
                    Fields update = Talk.update(t, 0).orElseThrow();
                    t.that(
                            "R-READ-004",
                            update.get("code") == 3 && (update.get("flags") & 0x40) != 0,
                            "INV_REQ: " + update);
                });
        c.receiver("READ-05", "a Read that cannot be finished ends with one STATUS_RESP")
                .proves("R-READ-005@1")
                .needs("reads")
                .by(t -> {
                    t.set("tx_capacity", 12_500_000);
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 5);
                    p.send(p.slot(0, readRequest(m, 0, 9, 0, 256 * K)));
                    t.effective(
                            "begun", t.until(() -> t.sent().named("READ_RESP").count() > 2));
                    t.iut().deregister(m);
                    t.effective(
                            "ended",
                            t.until(() -> !t.sent().named("STATUS_RESP").isEmpty()));
                    t.run(20_000_000);
                    Traffic status = t.sent().named("STATUS_RESP").fresh();
                    t.that("R-READ-005", status.count() == 1, "one", status);
                    Packet said = status.first().orElseThrow().packet();
                    t.that(
                            "R-READ-005",
                            said.get("tag") == 9 && said.get("kind") == 0 && said.get("code") == 2,
                            said.toString());
                    long after = status.first().orElseThrow().atNs();
                    t.that(
                            "R-READ-005",
                            t.sent()
                                    .named("READ_RESP")
                                    .from(after + 1)
                                    .all(s -> s.packet().payloadLength() == 0),
                            "no bytes after it");
                });
    }

    /** Waits for the next request for a Read or atomic, and takes it. */
    private static Packet query(Trial t, Peer p) {
        t.effective("asked", t.until(() -> !p.responder().queries().isEmpty()));
        return p.responder().queries().remove(0);
    }

    static Packet response(Packet request, long offset, byte[] bytes) {
        return new Packet("READ_RESP")
                .set("rd_tag", request.get("rd_tag"))
                .set("offset", offset)
                .set("tot_len", request.get("length"))
                .payload(bytes);
    }

    private static void asking(Catalogue c) {
        c.sender("READ-02", "bytes of an answer are placed by tag and offset, in any order, and counted exactly")
                .proves("R-READ-002@1", "R-ORD-006@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(32 * K);
                    t.iut().read(0, 1, m, 0, 8 * K, Peer.MEMORY);
                    t.iut().read(0, 2, m, 16 * K, 8 * K, Peer.MEMORY + 8 * K);
                    Packet first = query(t, p);
                    Packet second = query(t, p);
                    List<Packet> parts = new ArrayList<>();
                    for (int i = 7; i >= 0; i--) {
                        parts.add(response(second, (long) K * i, Pattern.bytes(4, 8 * K + (long) K * i, K)));
                        parts.add(response(first, (long) K * i, Pattern.bytes(4, (long) K * i, K)));
                    }
                    Packet last = parts.remove(parts.size() - 1);
                    for (int i = 0; i < parts.size(); i++) {
                        Packet slot = p.send(p.slot(i % 3, parts.get(i)));
                        if (i % 5 == 0) {
                            p.send(p.again(slot));
                        }
                    }
                    t.settle();
                    t.effective("the second is whole", t.iut().holds(m, 16 * K, 8 * K, 4, 8L * K));
                    t.that("R-READ-002", t.iut().completions().isEmpty(), "a byte of the first is missing");
                    p.send(p.slot(0, last));
                    t.effective("done", t.until(() -> t.iut().isDone(2)));
                    t.that("R-READ-002", t.iut().holds(m, 0, 8 * K, 4, 0), "the first is whole");
                    t.that(
                            "R-ORD-006",
                            t.iut().order().equals(List.of(1L, 2L)),
                            "in order " + t.iut().order());
                    t.that(
                            "R-READ-002",
                            t.iut().isBlank(m, 8 * K, 8 * K) && t.iut().isBlank(m, 24 * K, 8 * K),
                            "and nothing else is touched");
                });
        c.sender("READ-06", "no more Reads are out than the peer serves; the first answer lets the next one go")
                .proves("R-READ-004@1", "R-HINT-008@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.peer().term("MAX_READS", new Fields().put("max_reads", 2));
                    t.connected(p, 1);
                    Region m = t.iut().blank(32 * K);
                    for (int i = 1; i <= 4; i++) {
                        t.iut().read(0, i, m, K * i, 64, Peer.MEMORY);
                    }
                    t.run(t.rttNs() * 10);
                    Traffic out = t.sent().named("READ_REQ").fresh();
                    t.effective("asked", !out.isEmpty());
                    t.that("R-READ-004", out.count() <= 2, "two at most", out);
                    t.that("R-HINT-008", out.all(s -> s.packet().get("rate_hint") != 0), "each carries a hint", out);
                    for (int i = 1; i <= 4; i++) {
                        p.send(p.slot(0, response(query(t, p), 0, new byte[64])));
                    }
                    t.that("R-READ-004", t.until(() -> t.iut().isDone(4)), "all four are done");
                });
        c.sender("READ-07", "an answer that does not fit its request places nothing and gives BAD_RESP_ERR")
                .proves("R-READ-007@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 3);
                    Region m = t.iut().blank(32 * K);
                    t.iut().read(0, 1, m, 0, 4 * K, Peer.MEMORY);
                    t.iut().read(1, 2, m, 8 * K, 4 * K, Peer.MEMORY);
                    t.iut().read(2, 3, m, 16 * K, 4 * K, Peer.MEMORY);
                    Packet first = query(t, p);
                    Packet second = query(t, p);
                    Packet third = query(t, p);
                    p.send(p.slot(0, response(first, 0, Pattern.bytes(1, 0, K)).set("tot_len", 5 * K)));
                    p.send(p.slot(0, response(second, 4 * K, Pattern.bytes(1, 0, K))));
                    p.send(p.slot(
                            0,
                            new Packet("ATOMIC_RESP")
                                    .set("at_tag", third.get("rd_tag"))
                                    .set("original", 5)));
                    t.effective(
                            "ended",
                            t.until(() -> !t.iut().status(1).isEmpty()
                                    && !t.iut().status(2).isEmpty()));
                    t.that(
                            "R-READ-007",
                            t.iut().status(1).equals("BAD_RESP_ERR"),
                            "another length: " + t.iut().status(1));
                    t.that(
                            "R-READ-007",
                            t.iut().status(2).equals("BAD_RESP_ERR"),
                            "beyond the end: " + t.iut().status(2));
                    t.that("R-READ-007", t.iut().isBlank(m, 0, 32 * K), "nothing is placed");
                });
        c.sender("READ-08", "patience with an answer does not end while bytes of it arrive")
                .proves("R-READ-006@1")
                .needs("reads", "vtime")
                .by(t -> {
                    t.set("dead_ms", 1000);
                    Peer p = t.connected();
                    Region m = t.iut().blank(32 * K);
                    t.iut().read(0, 1, m, 0, 8 * K, Peer.MEMORY);
                    Packet request = query(t, p);
                    for (int i = 0; i < 7; i++) {
                        t.run(800_000_000);
                        p.send(p.slot(0, response(request, (long) K * i, Pattern.bytes(4, (long) K * i, K))));
                    }
                    t.run(t.rttNs());
                    t.effective("seven parts in 5.6 s", t.iut().holds(m, 0, 7 * K, 4, 0));
                    t.that("R-READ-006", t.iut().status(1).isEmpty(), "no error so far");
                    p.send(p.slot(0, response(request, 7 * K, Pattern.bytes(4, 7 * K, K))));
                    t.that("R-READ-006", t.until(() -> t.iut().isDone(1)), "and it is done in the end");
                });
        c.sender("ORD-06", "a fenced request waits until all Reads before it are answered in full")
                .proves("R-ORD-005@1")
                .needs("reads")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(32 * K);
                    t.iut().read(0, 1, m, 0, 2 * K, Peer.MEMORY);
                    var fenced = Json.object().put("rva", Peer.MEMORY + 64 * K).put("rkey", Peer.RKEY);
                    fenced.putArray("flags").add("FENCE");
                    t.iut().post("post_write", 0, 2, m, 0, 64, fenced);
                    Packet request = query(t, p);
                    p.send(p.slot(0, response(request, 0, Pattern.bytes(4, 0, K))));
                    t.run(t.rttNs() * 5);
                    t.effective("half answered", t.iut().holds(m, 0, K, 4, 0));
                    t.that(
                            "R-ORD-005",
                            t.sent().named("WRITE").isEmpty(),
                            "the Write waits",
                            t.sent().named("WRITE"));
                    p.send(p.slot(0, response(request, K, Pattern.bytes(4, K, K))));
                    t.that("R-ORD-005", t.until(() -> t.iut().isDone(2)), "and goes then");
                });
    }

    private static void atomics(Catalogue c) {
        c.receiver(
                        "ATOM-01",
                        "an atomic is executed exactly once under loss, repetition and a rebind, and its answer repeats")
                .proves("R-ATOM-001@1", "R-ATOM-002@1")
                .needs("atomics")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().fill(t.iut().blank(64), 0);
                    p.lose(1, s -> s.is("ATOMIC_RESP"));
                    Packet add = p.slot(0, atomic(m, 0, 5, 1, 7, 0));
                    p.send(add);
                    p.send(p.again(add));
                    p.rebind(0, 51_111);
                    p.send(p.again(add));
                    t.effective(
                            "answered",
                            t.until(() -> !t.sent().named("ATOMIC_RESP").isEmpty()));
                    t.effective(
                            "answered again",
                            t.until(() -> t.sent().named("ATOMIC_RESP").count() >= 2, 2_000_000_000));
                    Traffic all = t.sent().named("ATOMIC_RESP");
                    t.that(
                            "R-ATOM-002",
                            all.all(s -> s.packet().get("original") == 0
                                    && s.packet().get("at_tag") == 5),
                            "0 was found",
                            all);
                    t.that("R-ATOM-001", all.fresh().count() == 1, "one slot of answer", all);
                    p.send(p.slot(0, atomic(m, 1, 6, 1, 0, 0)));
                    t.effective(
                            "second answered",
                            t.until(() -> t.sent()
                                    .named("ATOMIC_RESP")
                                    .any(s -> s.packet().get("at_tag") == 6)));
                    Seen second = t.sent()
                            .named("ATOMIC_RESP")
                            .where(s -> s.packet().get("at_tag") == 6)
                            .first()
                            .orElseThrow();
                    t.that("R-ATOM-001", second.packet().get("original") == 7, "7 was added once: " + second.packet());
                });
        c.receiver("ATOM-02", "compare-and-swap stores only what compares, and swap stores always")
                .proves("R-ATOM-001@1")
                .needs("atomics")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().fill(t.iut().blank(64), 0);
                    p.send(p.slot(0, atomic(m, 0, 1, 0, 0, 41)));
                    p.send(p.slot(0, atomic(m, 1, 2, 0, 0, 99)));
                    p.send(p.slot(0, atomic(m, 2, 3, 2, 55, 0)));
                    p.send(p.slot(0, atomic(m, 3, 4, 1, 0, 0)));
                    t.effective(
                            "four answers",
                            t.until(() -> t.sent().named("ATOMIC_RESP").fresh().count() == 4));
                    long[] wanted = {0, 0, 41, 41, 55};
                    boolean isRight = true;
                    for (Seen s : t.sent().named("ATOMIC_RESP").fresh().list()) {
                        isRight &= s.packet().get("original")
                                == wanted[(int) s.packet().get("at_tag")];
                    }
                    t.that(
                            "R-ATOM-001",
                            isRight,
                            "each finds what the one before left",
                            t.sent().named("ATOMIC_RESP"));
                });
        record Odd(String id, String title, java.util.function.Consumer<Packet> change, int code) {}
        for (Odd odd : List.of(
                new Odd(
                        "ATOM-03",
                        "a misaligned address",
                        q -> q.set("remote_address", q.get("remote_address") + 4),
                        2),
                new Odd("ATOM-04", "another size", q -> q.set("size", 4), 3),
                new Odd("ATOM-05", "an unknown operation", q -> q.set("op", 9), 3))) {
            c.receiver(odd.id(), "an atomic with " + odd.title() + " changes nothing and fails its stream")
                    .proves("R-ATOM-003@1")
                    .needs("atomics")
                    .by(t -> {
                        Peer p = t.connected();
                        Region m = t.iut().fill(t.iut().blank(64), 0);
                        Packet bad = atomic(m, 0, 5, 1, 7, 0);
                        odd.change().accept(bad);
                        p.send(p.slot(0, bad));
                        t.settle();
                        t.effective("told", Talk.update(t, 0).isPresent());
                        t.that("R-ATOM-003", t.iut().isBlank(m, 0, 64, 0), "memory is as it was");
                        Fields update = Talk.update(t, 0).orElseThrow();
                        boolean isTold = update.get("code") == odd.code()
                                || t.sent()
                                        .named("ATOMIC_RESP", "STATUS_RESP")
                                        .any(s -> s.packet().get("status") == odd.code()
                                                || s.packet().get("code") == odd.code());
                        t.that("R-ATOM-003", isTold, "code " + odd.code() + ": " + update);
                    });
        }
    }

    private static void ordered(Catalogue c) {
        c.receiver("ORD-11", "an ordered Write shows only after everything before it is complete")
                .proves("R-ORD-011@1")
                .needs("ordered")
                .by(t -> {
                    t.set("ordered_writes", 8);
                    Peer p = t.peer()
                            .term("FEATURES", new Fields().put("features_supported", 2))
                            .term("ORDERED_STASH", new Fields().put("ordered_stash", 8));
                    t.connected(p, 1);
                    Region m = t.iut().blank(16 * K);
                    Packet signal = WireTests.small(m, 1, 8 * K, 3).set("message_flags", 8);
                    int psn = p.nextPsn(0);
                    p.send(p.slot(0, signal).withFlags(Packet.A));
                    t.settle();
                    t.effective(
                            "its slot is acknowledged",
                            Talk.says(Talk.block(t.sent(), 0).orElseThrow(), psn));
                    t.that("R-ORD-011", t.iut().isBlank(m, 0, 16 * K), "it does not show");
                    p.send(p.slot(1, WireTests.small(m, 0, 0, 3)));
                    t.settle();
                    t.that("R-ORD-011", t.iut().holds(m, 8 * K, 64, 3, 8L * K), "it shows in its turn");
                });
    }
}

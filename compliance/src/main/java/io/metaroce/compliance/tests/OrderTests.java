package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.List;

/** ORD: streams and their completions. */
final class OrderTests {
    private static final int K = 1024;

    private OrderTests() {}

    static void fill(Catalogue c) {
        order(c);
    }

    private static void order(Catalogue c) {
        c.receiver("ORD-01", "a stream that stands still delays no other")
                .proves("R-ORD-003@1")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 2);
                    Region m = t.iut().blank(16 * K);
                    Packet held = p.slot(0, Talk.write(0, 0, m, 0, 4 * K, K, 5).get(0));
                    List<Packet> other = Talk.write(2, 0, m, 8 * K, 4 * K, K, 5);
                    other.forEach(part -> p.send(p.slot(0, part)));
                    t.settle();
                    t.effective("stream 2 is told of", Talk.update(t, 2).isPresent());
                    t.that("R-ORD-003", Talk.nextMsn(t, 2) == 1, "stream 2 has completed behind a hole of stream 0");
                    t.that("R-ORD-003", t.iut().holds(m, 8 * K, 4 * K, 5, 8L * K), "its bytes are in place");
                    p.send(held);
                });
        c.both("ORD-02", "completions come in the order of MSN on both sides, whatever order packets have")
                .proves("R-ORD-002@1", "R-ORD-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    Preambles.receives(t, m, 8, K);
                    for (int i = 7; i >= 0; i--) {
                        p.send(p.slot(i % 4, Talk.send(0, i, i, 256, K, i).get(0)));
                    }
                    t.effective(
                            "eight received",
                            t.until(() -> t.iut().completions().size() == 8));
                    t.that(
                            "R-ORD-002",
                            t.iut().order().equals(List.of(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L)),
                            "in order: " + t.iut().order());
                    boolean isRight = true;
                    for (int i = 0; i < 8; i++) {
                        isRight &= t.iut().holds(m, i * K, 256, i, 0);
                    }
                    t.that("R-ORD-002", isRight, "each in its own buffer");
                    p.responder().stream(0).hold(true);
                    for (int i = 0; i < 4; i++) {
                        t.iut().write(100 + i, m, 0, 512);
                    }
                    t.run(t.rttNs() * 3);
                    t.that("R-ORD-006", t.iut().status(100).isEmpty(), "slots acknowledged are no completion");
                    p.responder().stream(0).hold(false);
                    p.send(p.ack());
                    t.effective("four sent", t.until(() -> t.iut().isDone(103)));
                    List<Long> all = t.iut().order();
                    t.that("R-ORD-006", all.subList(8, 12).equals(List.of(100L, 101L, 102L, 103L)), "in order: " + all);
                });
        c.sender("ORD-07", "messages begun and not complete stay within MAX_OPEN_MSGS of the peer")
                .proves("R-ORD-007@1", "R-CONN-008@1")
                .by(t -> {
                    Peer p = t.peer().term("MAX_OPEN_MSGS", new Fields().put("max_open_messages", 3));
                    t.connected(p, 1);
                    Region m = t.iut().region(64 * K, 1);
                    p.responder().stream(0).hold(true);
                    for (int i = 1; i <= 10; i++) {
                        t.iut().write(i, m, 0, 512);
                    }
                    t.run(t.rttNs() * 5);
                    int begun = t.sent().slots().values("msn").size();
                    t.effective("some are begun", begun > 0);
                    t.that("R-ORD-007", begun <= 3, begun + " messages are begun");
                    p.responder().stream(0).hold(false);
                    p.send(p.ack());
                    t.that("R-CONN-008", t.until(() -> t.iut().isDone(10)), "and the others follow");
                });
        c.sender("ORD-08", "nothing is sent on a stream that the peer has not announced open")
                .proves("R-ORD-008@1")
                .by(t -> {
                    Peer p = t.peer();
                    t.open();
                    Seen request = t.requested(p, Json.object().put("streams", 2));
                    p.streams(1);
                    t.sendHandshake(p.accept(request.packet()));
                    p.established();
                    t.effective("established", t.until(() -> t.iut().states().contains("established")));
                    Region m = t.iut().region(K, 1);
                    t.iut().write(1, 1, m, 0, 512, Peer.MEMORY);
                    t.iut().write(0, 2, m, 0, 512, Peer.MEMORY);
                    t.effective("stream 0 works", t.until(() -> t.iut().isDone(2)));
                    Traffic early = t.sent().slots().where(s -> s.packet().get("stream_id") == 2);
                    t.that("R-ORD-008", early.isEmpty(), "nothing of stream 2", early);
                    p.responder().stream(2);
                    p.send(p.ack());
                    t.that("R-ORD-008", t.until(() -> t.iut().isDone(1)), "it follows once stream 2 is open");
                });
        c.sender("ORD-09", "when all is acknowledged and NextMSN stands still the stream is asked about, and again")
                .proves("R-ORD-009@1", "R-SEND-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(K, 1);
                    p.responder().stream(0).hold(true);
                    t.iut().write(1, m, 0, 512);
                    t.effective(
                            "asked",
                            t.until(() -> t.sent().named("STREAM_QUERY").count() >= 2));
                    Traffic asked = t.sent().named("STREAM_QUERY");
                    t.that(
                            "R-ORD-009",
                            asked.all(s ->
                                    s.packet().fields().list("streams").get(0).get("stream_id") == 0),
                            "about stream 0",
                            asked);
                    p.responder().stream(0).hold(false);
                    Packet answer = p.report("STREAM_STATUS");
                    answer.fields().put("stream_updates", p.ack().fields().list("stream_updates"));
                    p.send(answer);
                    t.that("R-SEND-006", t.until(() -> t.iut().isDone(1)), "the answer completes the message");
                    int mark = t.mark();
                    t.run(t.rttNs() * 40);
                    t.that("R-ORD-009", t.since(mark).named("STREAM_QUERY").isEmpty(), "then it is quiet");
                });
        c.sender("ORD-10", "news of streams only moves forward, and an older refusal changes nothing")
                .proves("R-ORD-010@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.responder().stream(0).limit(8);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    Region m = t.iut().region(K, 1);
                    Packet older = p.ack(List.<Fields>of());
                    older.fields()
                            .put(
                                    "stream_updates",
                                    List.of(new Fields()
                                            .put("stream_id", 0)
                                            .put("flags", 0x80 | 0x20 | 0x10)
                                            .put("code", 0)
                                            .put("next_msn", 1)
                                            .put("rsn_limit", 0)));
                    t.iut().send(0, 1, m, 0, 100);
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    p.responder().stream(0).hold(true);
                    t.iut().send(0, 2, m, 0, 100);
                    t.effective(
                            "second sent", t.until(() -> t.sent().named("SEND").count() == 2));
                    int mark = t.mark();
                    p.send(older);
                    t.run(t.rttNs() * 3);
                    p.responder().stream(0).hold(false);
                    p.send(p.ack());
                    t.effective("second done", t.until(() -> t.iut().isDone(2)));
                    Traffic again =
                            t.since(mark).named("SEND").where(s -> s.packet().get("attempt") != 0);
                    t.that("R-ORD-010", again.isEmpty(), "no other attempt", again);
                });
        c.receiver("ORD-05", "a Write with immediate consumes a receive and tells its number")
                .proves("R-ORD-001@1", "R-ORD-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    Preambles.receives(t, m, 1, 0);
                    Packet write = Talk.write(0, 0, m, K, 0, 64, io.metaroce.compliance.utp.Pattern.bytes(3, 0, 64));
                    Packet imm = Talk.request("WRITE_IMM", 0, 0, 0, 64)
                            .set("rkey", write.get("rkey"))
                            .set("remote_address", write.get("remote_address"))
                            .set("rsn", 0)
                            .set("immediate", 0xFEEDF00DL)
                            .payload(write.payload());
                    p.send(p.slot(0, imm));
                    t.effective("received", t.until(() -> t.iut().isDone(10)));
                    t.that("R-ORD-001", t.iut().holds(m, K, 64, 3, 0), "the bytes are in place");
                    t.that(
                            "R-ORD-002",
                            t.iut()
                                            .completion(10)
                                            .orElse(Json.object())
                                            .path("imm")
                                            .asLong()
                                    == 0xFEEDF00DL,
                            "the immediate comes along");
                });
    }
}

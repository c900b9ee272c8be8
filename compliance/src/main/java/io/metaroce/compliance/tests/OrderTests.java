package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.ArrayList;
import java.util.List;

/** ORD and SEND: streams, completions, matching, credits and refusals. */
final class OrderTests {
    private static final int K = 1024;
    private static final int RNR = 1;
    private static final int REFUSED = 0x80;

    private OrderTests() {}

    static void fill(Catalogue c) {
        order(c);
        matching(c);
        refusals(c);
        credits(c);
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
                    for (int i = 0; i < 8; i++) {
                        t.iut().receive(0, 10 + i, m, i * K, K);
                    }
                    t.run(t.rttNs() * 2);
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
    }

    private static void matching(Catalogue c) {
        c.receiver("SEND-01", "a Send lands on arrival in the buffer its number names, though all before it is missing")
                .proves("R-SEND-001@1", "R-SEND-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    for (int i = 0; i < 3; i++) {
                        t.iut().receive(0, 10 + i, m, 8 * K * i, 8 * K);
                    }
                    t.run(t.rttNs() * 2);
                    List<Packet> third = Talk.send(0, 2, 2, 4 * K, K, 7);
                    p.send(p.slot(0, third.get(2)));
                    t.settle();
                    t.effective("acknowledged", !t.sent().named("ACK").isEmpty());
                    t.that("R-SEND-001", t.iut().holds(m, 16 * K + 2 * K, K, 7, 2L * K), "in the third buffer");
                    t.that("R-SEND-002", t.iut().status(12).isEmpty(), "placed, and not complete");
                    Talk.send(0, 0, 0, K, K, 5).forEach(part -> p.send(p.slot(1, part)));
                    Talk.send(0, 1, 1, 2 * K, K, 6).forEach(part -> p.send(p.slot(2, part)));
                    p.send(p.slot(0, third.get(0)));
                    p.send(p.slot(0, third.get(1)));
                    p.send(p.slot(0, third.get(3)));
                    t.effective(
                            "three received",
                            t.until(() -> t.iut().completions().size() == 3));
                    t.that("R-SEND-001", t.iut().order().equals(List.of(10L, 11L, 12L)), "in order of MSN");
                    t.that("R-SEND-002", t.iut().holds(m, 16 * K, 4 * K, 7, 0), "and whole");
                });
        c.receiver("SEND-07", "a Send longer than its buffer fails both sides and writes nothing beyond the buffer")
                .proves("R-SEND-007@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    t.iut().receive(0, 10, m, 0, 2 * K);
                    t.run(t.rttNs() * 2);
                    Talk.send(0, 0, 0, 4 * K, K, 7).forEach(part -> p.send(p.slot(0, part)));
                    t.effective("ended", t.until(() -> !t.iut().status(10).isEmpty()));
                    t.that(
                            "R-SEND-007",
                            t.iut().status(10).equals("LOC_LEN_ERR"),
                            "LOC_LEN_ERR: " + t.iut().status(10));
                    t.that("R-SEND-007", t.iut().isBlank(m, 2 * K, 14 * K), "nothing beyond the buffer");
                    t.settle();
                    t.that("R-SEND-007", Talk.update(t, 0).orElseThrow().get("code") == 3, "INV_REQ is told");
                });
        c.receiver("ORD-05", "a Write with immediate consumes a receive and tells its number")
                .proves("R-ORD-001@1", "R-ORD-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    t.iut().receive(0, 10, m, 0, 0);
                    t.run(t.rttNs() * 2);
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

    private static void refusals(Catalogue c) {
        c.receiver(
                        "SEND-04",
                        "a message without buffer is consumed, refused by NAK and sticky R, and delivered once later")
                .proves("R-SEND-004@1", "R-SEND-005@1", "R-SEND-008@1", "R-ERR-003@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    List<Packet> old = Talk.send(0, 0, 0, 4 * K, K, 7);
                    int psn = p.nextPsn(0);
                    p.send(p.slot(0, old.get(0)));
                    t.effective("a NAK", t.until(() -> !t.sent().named("NAK").isEmpty()));
                    t.that(
                            "R-SEND-004",
                            t.sent().named("NAK").all(s -> s.packet().get("code") == RNR),
                            "RNR");
                    t.settle();
                    t.that("R-SEND-004", Talk.says(Talk.block(t.sent(), 0).orElseThrow(), psn), "its slot is consumed");
                    t.iut().receive(0, 10, m, 0, 8 * K);
                    p.send(p.slot(0, old.get(1)).withFlags(Packet.A));
                    p.send(p.slot(0, old.get(2)).withFlags(Packet.A));
                    t.settle();
                    t.that("R-SEND-008", t.iut().isBlank(m, 0, 8 * K), "fragments of the refused attempt are dropped");
                    Traffic told = t.sent()
                            .named("ACK")
                            .where(s ->
                                    !s.packet().fields().list("stream_updates").isEmpty());
                    Fields update = Talk.update(t, 0).orElseThrow();
                    t.that("R-ERR-003", (update.get("flags") & REFUSED) != 0, "R stands in the newest update", told);
                    List<Packet> fresh = Talk.send(0, 0, 0, 4 * K, K, 9);
                    fresh.forEach(part -> p.send(p.slot(1, part.set("attempt", 1))));
                    p.send(p.slot(0, old.get(3)).withFlags(Packet.A));
                    t.effective("received", t.until(() -> t.iut().isDone(10)));
                    t.that("R-SEND-005", t.iut().holds(m, 0, 4 * K, 9, 0), "the bytes are those of attempt 1");
                    t.settle();
                    t.that("R-SEND-004", t.iut().completions().size() == 1 && Talk.nextMsn(t, 0) == 1, "once");
                });
        c.sender(
                        "SEND-09",
                        "the next attempt starts once all of the former is acknowledged and a credit or the delay permits")
                .proves("R-SEND-009@1", "R-SEND-010@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.responder().stream(0).limit(1).hold(true);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    Region m = t.iut().region(64 * K, 1);
                    List<Seen> missing = new ArrayList<>();
                    p.lose(1 << 20, s -> {
                        if (s.is("SEND") && missing.isEmpty()) {
                            missing.add(s);
                        }
                        return s.is("SEND")
                                && s.path() == missing.get(0).path()
                                && s.psn() == missing.get(0).psn();
                    });
                    t.iut().send(0, 1, m, 0, 32 * K);
                    t.effective("sent", t.until(() -> t.sent().named("SEND").count() >= 8));
                    p.responder().stream(0).refuse(0);
                    Packet nak = p.report("NAK")
                            .set("code", RNR)
                            .set("stream_id", 0)
                            .set("msn", 0)
                            .set("rsn_limit", 0)
                            .set("attempt", 0)
                            .set("retry_delay", 20);
                    p.send(nak);
                    long refusedNs = t.nowNs();
                    t.run(t.rttNs() * 30);
                    Traffic second =
                            t.sent().named("SEND").where(s -> s.packet().get("attempt") == 1);
                    boolean isAllThere =
                            p.has(missing.get(0).path(), missing.get(0).psn());
                    t.that(
                            "R-SEND-009",
                            isAllThere || second.isEmpty(),
                            "a slot is missing, so no new attempt",
                            second);
                    p.loseNothing();
                    t.effective(
                            "attempt 1",
                            t.until(() ->
                                    t.sent().named("SEND").any(s -> s.packet().get("attempt") == 1)));
                    Seen first = t.sent()
                            .named("SEND")
                            .where(s -> s.packet().get("attempt") == 1)
                            .first()
                            .orElseThrow();
                    long waited = first.atNs() - refusedNs;
                    t.that("R-SEND-010", waited >= 200_000, "not before 200 us have passed: " + waited);
                    t.that(
                            "R-SEND-009",
                            first.packet().get("message_offset") == 0 && !first.isResent(),
                            "from the beginning");
                });
        c.sender("SEND-11", "after rnr_retry attempts the work request fails with RNR_RETRY_EXC_ERR")
                .proves("R-SEND-011@1", "R-ERR-001@1")
                .by(t -> {
                    Peer p = t.peer();
                    t.connected(p, Json.object().put("streams", 1).put("rnr_retries", 2));
                    Region m = t.iut().region(K, 1);
                    p.responder().stream(0).limit(8).hold(true);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    t.iut().send(0, 1, m, 0, 100);
                    t.iut().send(0, 2, m, 0, 100);
                    for (int attempt = 0; attempt <= 2; attempt++) {
                        int n = attempt;
                        t.effective(
                                "attempt " + n,
                                t.until(() -> t.sent()
                                        .named("SEND")
                                        .any(s -> s.packet().get("attempt") == n
                                                && s.packet().get("msn") == 0)));
                        p.responder().stream(0).refuse(n);
                        p.send(p.report("NAK")
                                .set("code", RNR)
                                .set("rsn_limit", 8)
                                .set("attempt", n)
                                .set("retry_delay", 1));
                        p.send(p.ack());
                        t.run(t.rttNs() * 3);
                    }
                    t.effective("ended", t.until(() -> !t.iut().status(2).isEmpty()));
                    t.that(
                            "R-SEND-011",
                            t.iut().status(1).equals("RNR_RETRY_EXC_ERR"),
                            "the first: " + t.iut().status(1));
                    t.that(
                            "R-ERR-001",
                            t.iut().status(2).equals("WR_FLUSH_ERR"),
                            "the second: " + t.iut().status(2));
                });
        c.sender("SEND-10", "without a credit a refused message waits for the delay it was told")
                .proves("R-SEND-010@1")
                .by(t -> {
                    Peer p = t.connected(
                            t.peer(), Json.object().put("streams", 1).put("rnr_retries", 3));
                    Region m = t.iut().region(K, 1);
                    p.responder().stream(0).hold(true);
                    t.iut().send(0, 1, m, 0, 100);
                    t.effective(
                            "tried without a credit",
                            t.until(() -> t.sent().named("SEND").count() == 1));
                    p.responder().stream(0).refuse(0);
                    long refused = t.nowNs();
                    p.send(p.report("NAK")
                            .set("code", RNR)
                            .set("rsn_limit", 0)
                            .set("attempt", 0)
                            .set("retry_delay", 100));
                    t.effective(
                            "tried again",
                            t.until(() ->
                                    t.sent().named("SEND").any(s -> s.packet().get("attempt") == 1)));
                    Seen again = t.sent()
                            .named("SEND")
                            .where(s -> s.packet().get("attempt") == 1)
                            .first()
                            .orElseThrow();
                    t.that(
                            "R-SEND-010",
                            again.atNs() - refused >= 1_000_000,
                            "after " + (again.atNs() - refused) + " ns");
                });
        c.receiver(
                        "SEND-12",
                        "where receives are shared the first packet takes the next buffer; without one it is refused")
                .proves("R-SEND-012@1")
                .needs("srq")
                .by(t -> {
                    Peer p = t.peer().streams(2);
                    t.connected(p, Json.object().put("streams", 2).put("shared", true));
                    Region m = t.iut().blank(16 * K);
                    t.iut().receive(0, 10, m, 0, K);
                    t.run(t.rttNs() * 2);
                    p.send(p.slot(0, Talk.send(2, 0, 0, 100, K, 5).get(0)));
                    t.effective("received", t.until(() -> t.iut().isDone(10)));
                    t.that("R-SEND-012", t.iut().holds(m, 0, 100, 5, 0), "stream 2 took the shared buffer");
                    p.send(p.slot(0, Talk.send(0, 0, 0, 100, K, 6).get(0)));
                    t.that(
                            "R-SEND-012",
                            t.until(() -> !t.sent().named("NAK").isEmpty()),
                            "stream 0 finds none and is refused");
                });
        c.receiver(
                        "SEND-14",
                        "an earlier message is never refused while a later one of its stream holds a shared buffer")
                .proves("R-SEND-014@1")
                .needs("srq")
                .by(t -> {
                    Peer p = t.peer().streams(1);
                    t.connected(p, Json.object().put("streams", 1).put("shared", true));
                    Region m = t.iut().blank(16 * K);
                    t.iut().receive(0, 10, m, 0, K);
                    t.run(t.rttNs() * 2);
                    p.send(p.slot(0, Talk.send(0, 1, 1, 100, K, 5).get(0)));
                    t.settle();
                    p.send(p.slot(0, Talk.send(0, 0, 0, 100, K, 6).get(0)));
                    t.effective("received", t.until(() -> t.iut().isDone(10)));
                    t.that("R-SEND-014", t.iut().holds(m, 0, 100, 6, 0), "the earlier one has the buffer");
                    t.settle();
                    t.that(
                            "R-SEND-014",
                            t.sent().named("NAK").all(s -> s.packet().get("msn") == 1),
                            "the later one is refused");
                });
        c.sender("SEND-13", "when shared receives have run out, a credit is no permission to try again")
                .proves("R-SEND-013@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(K, 1);
                    p.responder().stream(0).limit(100).hold(true);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    t.iut().send(0, 1, m, 0, 100);
                    t.effective("sent", t.until(() -> t.sent().named("SEND").count() == 1));
                    p.responder().stream(0).refuse(0);
                    long refused = t.nowNs();
                    p.send(p.report("NAK")
                            .set("code", RNR)
                            .set("rsn_limit", 100)
                            .set("attempt", 0)
                            .set("retry_delay", 100));
                    p.responder().stream(0).limit(200);
                    p.send(p.ack());
                    t.effective(
                            "tried again",
                            t.until(() ->
                                    t.sent().named("SEND").any(s -> s.packet().get("attempt") == 1)));
                    Seen again = t.sent()
                            .named("SEND")
                            .where(s -> s.packet().get("attempt") == 1)
                            .first()
                            .orElseThrow();
                    t.that(
                            "R-SEND-013",
                            again.atNs() - refused >= 1_000_000,
                            "after " + (again.atNs() - refused) + " ns");
                });
    }

    private static void credits(Catalogue c) {
        c.sender("SEND-03", "no message is sent beyond the credits, and lost news of credits hangs nothing")
                .proves("R-SEND-003@1", "R-SEND-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    p.responder().stream(0).limit(2);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    Region m = t.iut().region(K, 1);
                    for (int i = 1; i <= 5; i++) {
                        t.iut().send(0, i, m, 0, 100);
                    }
                    t.effective("two done", t.until(() -> t.iut().isDone(2)));
                    t.run(t.rttNs() * 20);
                    Traffic beyond =
                            t.sent().named("SEND").where(s -> s.packet().get("rsn") >= 2);
                    t.that("R-SEND-003", beyond.isEmpty(), "nothing beyond RSN 1", beyond);
                    p.responder().stream(0).limit(5);
                    Packet credit = p.report("CREDIT");
                    credit.fields().put("stream_updates", p.ack().fields().list("stream_updates"));
                    p.send(credit);
                    t.that("R-SEND-006", t.until(() -> t.iut().isDone(5)), "the rest follows the credit");
                });
        c.receiver("SEND-06", "credits are told, and told again to whoever asks")
                .proves("R-SEND-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    for (int i = 0; i < 4; i++) {
                        t.iut().receive(0, 10 + i, m, K * i, K);
                    }
                    t.effective(
                            "told of half of them at least",
                            t.until(() -> Talk.update(t, 0)
                                    .filter(u -> u.get("rsn_limit") >= 2)
                                    .isPresent()));
                    int mark = t.mark();
                    Packet query = p.report("STREAM_QUERY");
                    query.fields().put("streams", List.of(new Fields().put("stream_id", 0)));
                    p.send(query);
                    boolean came =
                            t.until(() -> !t.since(mark).named("STREAM_STATUS").isEmpty());
                    t.that("R-SEND-006", came, "a STREAM_STATUS answers");
                    Fields update = t.since(mark)
                            .named("STREAM_STATUS")
                            .first()
                            .orElseThrow()
                            .packet()
                            .fields()
                            .list("stream_updates")
                            .get(0);
                    t.that("R-SEND-006", update.get("rsn_limit") == 4, "with the credits: " + update);
                });
    }
}

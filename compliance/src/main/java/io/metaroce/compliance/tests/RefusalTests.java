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
import java.util.ArrayList;
import java.util.List;

/** SEND: messages that find no buffer, and when they are sent again. */
final class RefusalTests {
    private static final int K = 1024;
    private static final int RNR = 1;
    private static final int REFUSED = 0x80;

    private RefusalTests() {}

    static void fill(Catalogue c) {
        refusals(c);
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
                    long refused = refuse(t, p, 0);
                    isTriedAfter(t, "R-SEND-010", refused);
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
                    t.settle();
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
                    t.settle();
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
                    long refused = refuse(t, p, 100);
                    p.responder().stream(0).limit(200);
                    p.send(p.ack());
                    isTriedAfter(t, "R-SEND-013", refused);
                });
    }

    /** The first attempt is refused for a millisecond; returns when. */
    private static long refuse(Trial t, Peer p, int rsnLimit) {
        p.responder().stream(0).refuse(0);
        long refused = t.nowNs();
        p.send(p.report("NAK")
                .set("code", RNR)
                .set("rsn_limit", rsnLimit)
                .set("attempt", 0)
                .set("retry_delay", 100));
        return refused;
    }

    private static void isTriedAfter(Trial t, String requirement, long refused) {
        t.effective(
                "tried again",
                t.until(() -> t.sent().named("SEND").any(s -> s.packet().get("attempt") == 1)));
        Seen again = t.sent()
                .named("SEND")
                .where(s -> s.packet().get("attempt") == 1)
                .first()
                .orElseThrow();
        long waited = again.atNs() - refused;
        t.that(requirement, waited >= 1_000_000, "after " + waited + " ns");
    }
}

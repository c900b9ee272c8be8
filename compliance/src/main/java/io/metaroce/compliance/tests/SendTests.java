package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;

/** SEND: which buffer a message takes, and what credits permit. */
final class SendTests {
    private static final int K = 1024;

    private SendTests() {}

    static void fill(Catalogue c) {
        matching(c);
        credits(c);
    }

    private static void matching(Catalogue c) {
        c.receiver("SEND-01", "a Send lands on arrival in the buffer its number names, though all before it is missing")
                .proves("R-SEND-001@1", "R-SEND-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(64 * K);
                    Preambles.receives(t, m, 3, 8 * K);
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
                    Preambles.receives(t, m, 1, 2 * K);
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
                    Preambles.receives(t, m, 4, K);
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

package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.util.List;

/** CONN, SEC and ERR: how connections come and go, and who can disturb them. */
final class ConnTests {
    private static final int K = 1024;
    private static final long NONCE = 0x1122_3344_5566L;

    private ConnTests() {}

    static void fill(Catalogue c) {
        opening(c);
        refusing(c);
        closing(c);
        security(c);
    }

    private static void opening(Catalogue c) {
        c.receiver(
                        "CONN-01",
                        "without a valid cookie nothing is kept; with one there is one connection, however often asked")
                .proves("R-CONN-001@1", "R-CONN-003@1")
                .by(t -> {
                    t.listen();
                    Peer p = t.peer();
                    Packet request = p.request(NONCE);
                    for (int i = 0; i < 20; i++) {
                        t.sendHandshake(request);
                    }
                    t.settle();
                    Traffic retries = t.sent().named("CONN_RETRY");
                    t.effective("asked for proof", !retries.isEmpty());
                    t.that("R-CONN-001", t.events().isEmpty(), "the application hears nothing");
                    t.that("R-CONN-001", t.sent().named("CONN_ACCEPT").isEmpty(), "nothing is accepted");
                    Packet retry = retries.first().orElseThrow().packet();
                    Packet bad = retry.copy().set("cookie", new byte[16]);
                    t.sendHandshake(p.request(bad));
                    t.settle();
                    t.that("R-CONN-001", t.events().isEmpty(), "nor with another cookie");
                    Packet proven = p.request(retry);
                    for (int i = 0; i < 3; i++) {
                        t.sendHandshake(proven);
                        t.settle();
                    }
                    Traffic accepts = t.sent().named("CONN_ACCEPT");
                    t.effective("accepted", accepts.count() >= 1);
                    t.that(
                            "R-CONN-003",
                            accepts.values("resp_conn_id").size() == 1,
                            "one number in all answers",
                            accepts);
                    long offered = t.events().stream()
                            .filter(e -> e.path("state").asString("").equals("offered"))
                            .count();
                    t.that("R-CONN-003", offered == 1, "the application was asked once");
                });
        c.receiver("CONN-02", "an address that is not validated gets at most three times what was received for it")
                .proves("R-CONN-002@1")
                .by(t -> {
                    t.listen();
                    Peer p = t.peer();
                    Packet answer = t.asks(p);
                    t.effective("accepted", answer.is("CONN_ACCEPT"));
                    t.run(t.isVirtual() ? 10_000_000_000L : 3_000_000_000L);
                    long in = t.ledger().stream()
                            .filter(s -> !s.fromIut())
                            .mapToLong(s -> s.raw().length)
                            .sum();
                    long out = t.sent().bytes();
                    t.that("R-CONN-002", out <= 3 * in, out + " bytes for " + in);
                });
        c.receiver("CONN-03", "a request of a connection that is gone is refused and opens nothing")
                .proves("R-CONN-003@1", "R-CONN-010@1")
                .by(t -> {
                    t.listen();
                    Peer p = t.peer();
                    t.sendHandshake(p.request(NONCE));
                    t.effective(
                            "asked for proof",
                            t.until(() -> !t.sent().named("CONN_RETRY").isEmpty()));
                    Packet proven = p.request(
                            t.sent().named("CONN_RETRY").first().orElseThrow().packet());
                    t.sendHandshake(proven);
                    t.effective(
                            "accepted",
                            t.until(() -> !t.sent().named("CONN_ACCEPT").isEmpty()));
                    p.learn(t.sent().named("CONN_ACCEPT").first().orElseThrow().packet(), false);
                    p.established();
                    p.send(p.confirm());
                    t.settle();
                    p.send(p.control("CLOSE").set("close_id", 5));
                    t.effective(
                            "closed", t.until(() -> !t.sent().named("CLOSE_ACK").isEmpty()));
                    int mark = t.mark();
                    p.send(p.control("CLOSE").set("close_id", 5));
                    t.that(
                            "R-CONN-010",
                            t.until(() -> !t.since(mark).named("CLOSE_ACK").isEmpty()),
                            "CLOSE is answered again");
                    t.sendHandshake(proven);
                    t.settle();
                    t.that("R-CONN-003", t.since(mark).named("CONN_ACCEPT").isEmpty(), "no second connection");
                    t.that("R-CONN-003", !t.since(mark).named("CONN_REJECT").isEmpty(), "a CONN_REJECT");
                });
        c.sender("CONN-05", "a request without answer is repeated, and a round trip is measured from the first copy")
                .proves("R-CONN-011@1", "R-CONN-010@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.peer();
                    Seen first = t.requested(p, Json.object().put("streams", 1));
                    t.effective(
                            "repeated", t.until(() -> t.sent().named("CONN_REQ").count() == 3, 1_000_000_000));
                    List<Seen> all = t.sent().named("CONN_REQ").list();
                    long gap = all.get(1).atNs() - first.atNs();
                    t.that("R-CONN-010", gap == 50_000_000, "the second after 50 ms: " + gap);
                    t.that(
                            "R-CONN-010",
                            all.get(2).atNs() - all.get(1).atNs() == 100_000_000,
                            "the third after 100 ms");
                    t.sendHandshake(p.accept(first.packet()));
                    p.established();
                    t.effective("established", t.until(() -> t.iut().states().contains("established")));
                    long srtt = t.iut().paths().get(0).get("srtt_ns").asLong();
                    t.that("R-CONN-011", srtt > 140_000_000, "paths begin with the time since the first copy: " + srtt);
                });
        c.sender("CONN-08", "each side stays within what the other has stated: paths and payload")
                .proves("R-CONN-008@1")
                .by(t -> {
                    Peer p = t.peer()
                            .term("MAX_PATHS", new Fields().put("max_paths", 2))
                            .term("MAX_PAYLOAD", new Fields().put("max_payload", 1024));
                    t.connected(p, 1);
                    Region m = t.iut().region(256 * K, 1);
                    t.iut().write(1, m, 0, 256 * K);
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    t.that("R-CONN-008", p.paths().equals(List.of(0, 1)), "two paths: " + p.paths());
                    Traffic all = t.sent().slots();
                    t.that("R-CONN-008", all.all(s -> s.packet().payloadLength() <= K), "1024 bytes", all);
                });
        c.both("CONN-09", "connection numbers are not used again while packets of them may live")
                .proves("R-CONN-005@1")
                .by(t -> {
                    t.listen();
                    java.util.Set<Integer> numbers = new java.util.HashSet<>();
                    for (int i = 0; i < 12; i++) {
                        Peer p = t.peer();
                        Packet accept = t.asks(p);
                        t.effective("accepted", accept.is("CONN_ACCEPT"));
                        p.learn(accept, false);
                        p.established();
                        p.send(p.confirm());
                        t.run(t.rttNs() * 2);
                        t.that("R-CONN-005", numbers.add(p.theirConnId()), "a number that was not used before");
                        p.send(p.control("CLOSE").set("close_flags", 0x80).set("close_id", i));
                        t.run(t.rttNs() * 2);
                    }
                });
    }

    private static void refusing(Catalogue c) {
        c.receiver(
                        "CONN-04",
                        "a version nobody speaks ends in VERSION_NEG, a missing feature, integrity or service in CONN_REJECT")
                .proves("R-CONN-004@1")
                .by(t -> {
                    t.listen();
                    Peer other = t.peer();
                    byte[] bytes = t.codec().encode(other.request(NONCE), 0);
                    bytes[0] = (byte) ((bytes[0] & 0x0F) | 0x50);
                    other.sendRaw(Codec.sealed(bytes, 0));
                    t.effective(
                            "an answer",
                            t.until(() -> !t.sent().named("VERSION_NEG").isEmpty()));
                    Packet versions =
                            t.sent().named("VERSION_NEG").first().orElseThrow().packet();
                    t.that(
                            "R-CONN-004",
                            (versions.get("versions") & 2) != 0 && versions.get("nonce") == NONCE,
                            "version 1 is listed");
                    Packet feature = t.asks(t.peer().term("FEATURES", new Fields().put("features_required", 1L << 30)));
                    t.that(
                            "R-CONN-004",
                            feature.is("CONN_REJECT") && feature.get("reason") == 2,
                            "FEATURE: " + feature);
                    Packet integrity = t.asks(t.peer().term("INTEGRITY", new Fields().put("integrity", 4)));
                    t.that(
                            "R-CONN-004",
                            integrity.is("CONN_REJECT") && integrity.get("reason") == 8,
                            "INTEGRITY: " + integrity);
                    Packet twice = t.asks(t.peer()
                            .term(
                                    "STREAMS_OPEN",
                                    new Fields()
                                            .put(
                                                    "streams_open",
                                                    List.of(
                                                            new Fields().put("stream_id", 0),
                                                            new Fields().put("stream_id", 0)))));
                    t.that("R-CONN-004", twice.is("CONN_REJECT") && twice.get("reason") == 6, "PARAMETER: " + twice);
                });
        c.sender("CONN-12", "who is refused hears why, and does not ask again")
                .proves("R-CONN-004@1")
                .by(t -> {
                    Peer p = t.peer();
                    Seen request = t.requested(p, Json.object().put("streams", 1));
                    Packet reject = new Packet("CONN_REJECT")
                            .withFlags(Packet.X)
                            .set("dst_conn_id", request.packet().get("init_conn_id"))
                            .set("nonce", request.packet().get("nonce"))
                            .set("reason", 5);
                    t.sendHandshake(reject);
                    t.effective("ended", t.until(() -> !t.iut().states().isEmpty()));
                    t.that(
                            "R-CONN-004",
                            t.iut().states().get(0).equals("failed REJECTED_REFUSED"),
                            t.iut().states().toString());
                    int mark = t.mark();
                    t.run(500_000_000);
                    t.that("R-CONN-004", t.since(mark).isEmpty(), "silence", t.since(mark));
                });
    }

    private static void closing(Catalogue c) {
        c.both("CONN-06", "a graceful close finishes the work of both sides, then forgets")
                .proves("R-CONN-009@1", "R-CONN-010@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    t.iut().write(1, m, 0, 256 * K);
                    t.iut().close();
                    t.effective("work is done", t.until(() -> t.iut().isDone(1)));
                    t.effective("closes", t.until(() -> !t.sent().named("CLOSE").isEmpty()));
                    Seen close = t.sent().named("CLOSE").first().orElseThrow();
                    t.that("R-CONN-009", t.sent().named("WRITE").fresh().count() == 64, "all 64 packets went before");
                    t.that("R-CONN-009", close.packet().get("code") == 0, "NORMAL");
                    Region inbox = t.iut().blank(K);
                    p.send(p.slot(0, WireTests.small(inbox, 0, 0, 3)));
                    t.settle();
                    t.that("R-CONN-009", t.iut().holds(inbox, 0, 64, 3, 0), "the peer is still served");
                    t.effective("repeats", t.until(() -> t.sent().named("CLOSE").count() >= 2));
                    t.that(
                            "R-CONN-010",
                            t.sent().named("CLOSE").values("close_id").size() == 1,
                            "the same CLOSE is repeated");
                    p.send(p.control("CLOSE_ACK").set("close_id", close.packet().get("close_id")));
                    t.that(
                            "R-CONN-010",
                            t.until(() -> t.iut().states().stream().anyMatch(s -> s.startsWith("closed"))),
                            "the final CLOSE_ACK ends it");
                });
        c.both("CONN-07", "a close that gives up flushes what is outstanding, in posting order")
                .proves("R-CONN-006@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    p.responder().stream(0).hold(true);
                    for (int i = 1; i <= 5; i++) {
                        t.iut().write(i, m, 0, 512);
                    }
                    t.run(t.rttNs() * 2);
                    t.effective("sent", t.sent().slots().count() == 5);
                    p.send(p.control("CLOSE")
                            .set("close_flags", 0x80)
                            .set("code", 1)
                            .set("close_id", 9));
                    t.effective("ended", t.until(() -> !t.iut().status(5).isEmpty()));
                    boolean isFlushed = true;
                    for (int i = 1; i <= 5; i++) {
                        isFlushed &= t.iut().status(i).equals("WR_FLUSH_ERR")
                                || (i == 1 && !t.iut().isDone(1));
                    }
                    t.that("R-CONN-006", isFlushed, "all are flushed");
                    t.that(
                            "R-CONN-006",
                            t.iut().order().equals(List.of(1L, 2L, 3L, 4L, 5L)),
                            "in order " + t.iut().order());
                    t.that(
                            "R-CONN-006",
                            t.until(() -> !t.sent().named("CLOSE_ACK").isEmpty()),
                            "and CLOSE is answered");
                });
        c.both("KEEP-01", "an idle live peer stays; a dead one is found by three keepalives over the dead time")
                .proves("R-CONN-007@1", "R-ERR-001@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    t.run(60_000_000_000L);
                    t.effective("a live one stays", t.iut().states().equals(List.of("established")));
                    int mark = t.mark();
                    p.answeringProbes(false).echoing(false).acknowledging(false);
                    t.effective("gone", t.until(() -> t.iut().states().size() > 1, 40_000_000_000L));
                    Traffic asked =
                            t.since(mark).named("PROBE").where(s -> (s.packet().get("probe_flags") & 0x20) != 0);
                    t.that("R-CONN-007", asked.count() >= 3, "keepalives: " + asked.count());
                    t.that(
                            "R-CONN-007",
                            t.iut().states().get(1).startsWith("closed PEER_DEAD"),
                            t.iut().states().toString());
                    long first = asked.first().orElseThrow().atNs();
                    t.that("R-CONN-007", t.nowNs() - first <= 10_500_000_000L, "within the dead time of the first");
                    t.that("R-ERR-001", t.iut().completions().isEmpty(), "nothing was posted, nothing is told");
                });
        c.sender("CONN-13", "work towards a dead peer ends with RETRY_EXC_ERR, the rest is flushed")
                .proves("R-ERR-001@1", "R-CONN-006@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    p.answeringProbes(false).echoing(false).acknowledging(false);
                    Region m = t.iut().region(K, 1);
                    for (int i = 1; i <= 3; i++) {
                        t.iut().write(i, m, 0, 512);
                    }
                    t.effective("ended", t.until(() -> !t.iut().status(3).isEmpty(), 30_000_000_000L));
                    t.that(
                            "R-ERR-001",
                            t.iut().status(1).equals("RETRY_EXC_ERR"),
                            "the first: " + t.iut().status(1));
                    t.that(
                            "R-CONN-006",
                            t.iut().status(2).equals("WR_FLUSH_ERR"),
                            "the second: " + t.iut().status(2));
                    int mark = t.mark();
                    t.run(5_000_000_000L);
                    t.that("R-ERR-001", t.since(mark).slots().isEmpty(), "silence afterwards", t.since(mark));
                });
    }

    private static void security(Catalogue c) {
        c.both("SEC-01", "unsolicited packets draw no more bytes than they bring, and answers draw none")
                .proves("R-SEC-004@1")
                .by(t -> {
                    t.listen();
                    Peer p = t.peer();
                    for (String name : t.codec().table().packetNames()) {
                        Packet stray =
                                new Packet(name).set("dst_conn_id", 0x7777).set("psn", 1);
                        for (int i = 0; i < 40; i++) {
                            p.sendFrom(50_000 + i, stray);
                        }
                    }
                    t.settle();
                    t.effective("dropped", WireTests.drops(t) > 400);
                    long in = t.ledger().stream()
                            .filter(s -> !s.fromIut())
                            .mapToLong(s -> s.raw().length)
                            .sum();
                    t.that("R-SEC-004", t.sent().bytes() <= in, t.sent().bytes() + " bytes for " + in);
                    Traffic replies =
                            t.sent().where(s -> !s.is("CONN_RETRY") && !s.is("CONN_REJECT") && !s.is("RESET"));
                    t.that("R-SEC-004", replies.isEmpty(), "nothing else is sent", replies);
                    int mark = t.mark();
                    p.sendFrom(50_000, new Packet("RESET").set("dead_conn_id", 0x7777));
                    p.sendFrom(50_000, new Packet("VERSION_NEG").set("dst_conn_id", 0x7777));
                    p.sendFrom(50_000, new Packet("CONN_RETRY").set("dst_conn_id", 0x7777));
                    t.settle();
                    t.that("R-SEC-004", t.rawSince(mark).isEmpty(), "answers draw no answer");
                });
        c.both("SEC-03", "a RESET without the announced token is ignored; with it the connection ends")
                .proves("R-SEC-003@1")
                .by(t -> {
                    byte[] token = new byte[16];
                    java.util.Arrays.fill(token, (byte) 0x5A);
                    Peer p = t.peer().term("RESET_TOKEN", new Fields().put("reset_token", token));
                    t.connected(p, 1);
                    byte[] wrong = token.clone();
                    wrong[15] ^= 1;
                    Packet reset = new Packet("RESET").set("dead_conn_id", p.connId() & 0xFFFF_FFFFL);
                    p.send(reset.copy().set("token", wrong));
                    t.settle();
                    t.effective("counted", t.iut().counter("drop_reset_token") == 1);
                    t.that("R-SEC-003", t.iut().states().equals(List.of("established")), "it stands");
                    p.send(reset.copy().set("token", token));
                    t.that("R-SEC-003", t.until(() -> t.iut().states().size() == 2), "the right one ends it");
                });
        c.receiver("ERR-04", "the 64th slot beyond the window ends the connection with WINDOW")
                .proves("R-ERR-004@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(K);
                    p.skip(0, WireTests.windowOf(p) + 44);
                    for (int i = 0; i < 63; i++) {
                        p.send(p.slot(0, WireTests.small(m, i, 0, 3)));
                    }
                    t.settle();
                    t.effective("63 are dropped", t.iut().counter("drop_window") == 63);
                    t.that("R-ERR-004", t.sent().named("CLOSE").isEmpty(), "63 are borne");
                    p.send(p.slot(0, WireTests.small(m, 64, 0, 3)));
                    boolean ended = t.until(() -> !t.sent().named("CLOSE").isEmpty());
                    t.that(
                            "R-ERR-004",
                            ended
                                    && t.sent()
                                                    .named("CLOSE")
                                                    .first()
                                                    .orElseThrow()
                                                    .packet()
                                                    .get("code")
                                            == 0x108,
                            "WINDOW");
                });
        c.both("ERR-03", "an error is told in every update of its stream, and other streams go on")
                .proves("R-ERR-003@1", "R-ERR-002@1")
                .by(t -> {
                    Peer p = t.connected(t.peer(), 2);
                    Region m = t.iut().blank(4 * K);
                    p.send(p.slot(0, WireTests.small(m, 0, 0, 3).set("rkey", 0x7777)));
                    t.settle();
                    t.effective(
                            "failed",
                            Talk.update(t, 0)
                                    .filter(u -> (u.get("flags") & 0x40) != 0)
                                    .isPresent());
                    int mark = t.mark();
                    for (int i = 0; i < 3; i++) {
                        p.send(p.slot(i, WireTests.small(m, i, 64 * i, 3).set("stream_id", 2))
                                .withFlags(Packet.A));
                        t.settle();
                    }
                    t.that("R-ERR-002", t.iut().holds(m, 0, 192, 3, 0), "stream 2 goes on on the same paths");
                    Packet query = p.report("STREAM_QUERY");
                    query.fields().put("streams", List.of(new Fields().put("stream_id", 0)));
                    p.send(query);
                    t.effective(
                            "asked",
                            t.until(() -> !t.since(mark).named("STREAM_STATUS").isEmpty()));
                    boolean isTold = t.since(mark).named("ACK", "STREAM_STATUS").list().stream()
                            .flatMap(s -> s.packet().fields().list("stream_updates").stream())
                            .filter(u -> u.get("stream_id") == 0)
                            .allMatch(u -> (u.get("flags") & 0x40) != 0);
                    t.that("R-ERR-003", isTold, "E stands in every update of stream 0");
                });
    }
}

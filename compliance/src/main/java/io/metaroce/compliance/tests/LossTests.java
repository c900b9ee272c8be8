package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** REL and LOSS: how a sender finds and repairs what was lost. */
final class LossTests {
    private static final int K = 1024;
    private static final int PACKET = 4 * K;

    private LossTests() {}

    static Predicate<Seen> nthSlotOf(Peer peer, int path, int index) {
        return seen -> seen.packet().fields().has("stream_id")
                && seen.path() == path
                && seen.psn() == peer.firstPsn(path) + index;
    }

    static void fill(Catalogue c) {
        c.sender("REL-01", "a gap is repaired at once, by that slot alone, on its path")
                .proves("R-LOSS-001@1", "R-LOSS-002@1", "R-PATH-007@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(128 * PACKET, 1);
                    p.lose(1, s -> s.is("WRITE") && s.psn() == p.firstPsn(s.path()) + 2);
                    t.iut().write(1, m, 0, 128 * PACKET);
                    t.effective("message done", t.until(() -> t.iut().isDone(1)));
                    t.effective("a slot was lost", p.lost() == 1);
                    Seen first = t.sent().where(Seen::isLost).first().orElseThrow();
                    Traffic again = t.sent().resent();
                    t.that(
                            "R-LOSS-002",
                            again.psns().equals(List.of(first.psn())),
                            "exactly the lost slot goes again",
                            again);
                    t.that(
                            "R-PATH-007",
                            again.on(first.path()).all(s -> s.stamp() - first.stamp() > 0),
                            "R and a new stamp",
                            again);
                    Traffic later = t.sent().on(first.path()).slots().where(s -> s.psn() == first.psn() + 1);
                    t.effective("a later one shows the gap", !later.isEmpty());
                    Seen next = later.first().orElseThrow();
                    t.that(
                            "R-LOSS-001",
                            again.any(s -> t.isPrompt(s.atNs() - next.atNs())),
                            "within a round trip of the packet that shows the gap",
                            again);
                });
        c.sender("REL-07", "a lost resend is found from later packets, within one round trip each")
                .proves("R-LOSS-003@1", "R-PATH-020@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * PACKET, 1);
                    p.lose(3, nthSlotOf(p, 0, 2));
                    t.iut().write(1, m, 0, 256 * PACKET);
                    t.effective("message done", t.until(() -> t.iut().isDone(1)));
                    t.effective("the slot was lost three times", p.lost() == 3);
                    List<Seen> all =
                            new ArrayList<>(t.sent().slot(p.firstPsn(0) + 2).list());
                    boolean isQuick = true;
                    for (int i = 1; i < all.size(); i++) {
                        isQuick &= t.isPrompt(all.get(i).atNs() - all.get(i - 1).atNs() - 2 * t.rttNs());
                    }
                    t.that("R-LOSS-003", all.size() == 4 && isQuick, "four transmissions, a round trip apart");
                    t.that(
                            "R-PATH-020",
                            t.sent().resent().count() == 3,
                            "nothing else is resent",
                            t.sent().resent());
                });
        evidence(c);
        timers(c);
    }

    /** One path, nothing acknowledged by itself: the tester says what it wants to have seen. */
    private static Peer quiet(Trial t) {
        t.set("paths", 1);
        Peer p = t.connected();
        p.responder().stream(0).hold(true);
        return p.acknowledging(false).answeringProbes(false);
    }

    /** A block of path 0 that says what it is told to say. */
    private static Fields says(Peer p, int cum, String bits, Seen echo) {
        long word = 0;
        for (int i = 0; i < bits.length(); i++) {
            word |= bits.charAt(i) == '1' ? 1L << i : 0;
        }
        return p.block(0)
                .put("cum_psn", p.firstPsn(0) + cum & 0xFFFF_FFFFL)
                .put("bitmap", word == 0 ? new long[0] : new long[] {word})
                .put("echo_stamp", echo.stamp() & 0xFFFF_FFFFL)
                .put("epoch", echo.epoch())
                .put("rx_packets", 100);
    }

    private static Seen slot(Trial t, Peer p, int index) {
        return t.sent().slot(p.firstPsn(0) + index).last().orElseThrow();
    }

    private static void evidence(Catalogue c) {
        c.sender("REL-03", "what an ACK does not cover it does not declare lost")
                .proves("R-LOSS-009@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = quiet(t);
                    Region m = t.iut().region(64 * PACKET, 1);
                    t.iut().write(1, m, 0, 8 * K);
                    t.iut().write(2, m, 0, 8 * K);
                    t.effective("four slots", t.until(() -> t.sent().slots().count() == 4));
                    int mark = t.mark();
                    Fields block = says(p, 0, "", slot(t, p, 2)).put("sack_offset", 128);
                    p.send(p.ack(List.of(block)));
                    t.run(t.rttNs() + t.reactNs());
                    t.that(
                            "R-LOSS-009",
                            t.since(mark).resent().isEmpty(),
                            "nothing is resent",
                            t.since(mark).resent());
                    p.send(p.ack(List.of(says(p, 0, "0001", slot(t, p, 3)))));
                    t.settle();
                    t.that("R-LOSS-009", !t.since(mark).resent().isEmpty(), "the same within its coverage is a loss");
                });
        c.sender("REL-10", "a block of another epoch releases slots and is no evidence of loss")
                .proves("R-LOSS-007@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = quiet(t);
                    Region m = t.iut().region(64 * PACKET, 1);
                    t.iut().write(1, m, 0, 16 * K);
                    t.effective("four slots", t.until(() -> t.sent().slots().count() == 4));
                    int mark = t.mark();
                    p.send(p.ack(List.of(says(p, 0, "0001", slot(t, p, 3)).put("epoch", 200))));
                    t.run(t.rttNs() + t.reactNs());
                    t.that(
                            "R-LOSS-007",
                            t.since(mark).resent().isEmpty(),
                            "no loss",
                            t.since(mark).resent());
                    p.send(p.ack(List.of(says(p, 0, "0001", slot(t, p, 2)))));
                    t.run(t.rttNs() + t.reactNs());
                    List<Integer> again = t.since(mark).resent().psns();
                    int first = p.firstPsn(0);
                    t.that("R-LOSS-007", again.equals(List.of(first, first + 1)), "slot 3 was released: " + again);
                });
        c.sender("REL-11", "a slot queued for resend is not resent once it was acknowledged")
                .proves("R-PATH-020@1")
                .needs("vtime")
                .by(t -> {
                    t.set("tx_capacity", 12_500_000);
                    Peer p = quiet(t);
                    Region m = t.iut().region(64 * PACKET, 1);
                    t.iut().write(1, m, 0, 16 * K);
                    t.effective("four slots", t.until(() -> t.sent().slots().count() == 4));
                    t.run(20_000_000);
                    int mark = t.mark();
                    p.send(p.ack(List.of(says(p, 0, "0001", slot(t, p, 3)))));
                    t.effective(
                            "one is resent",
                            t.until(() -> !t.since(mark).resent().isEmpty()));
                    p.send(p.ack(List.of(says(p, 4, "", slot(t, p, 3)))));
                    t.run(50_000_000);
                    Traffic again = t.since(mark).resent();
                    t.that("R-PATH-020", again.count() < 3, "what was acknowledged meanwhile stays", again);
                });
        c.sender(
                        "LOSS-02",
                        "a spurious resend raises the tolerance of reordering, and a passed slot then waits a little")
                .proves("R-LOSS-006@1", "R-LOSS-011@1")
                .by(t -> {
                    Peer p = quiet(t);
                    Region m = t.iut().region(64 * PACKET, 1);
                    t.iut().write(1, m, 0, 16 * K);
                    t.effective("four slots", t.until(() -> t.sent().slots().count() == 4));
                    p.send(p.ack(List.of(says(p, 0, "01", slot(t, p, 1)))));
                    t.effective(
                            "slot 0 is resent", t.until(() -> t.sent().resent().count() == 1));
                    p.send(p.ack(List.of(says(p, 2, "", slot(t, p, 1)))));
                    t.run(t.rttNs());
                    int mark = t.mark();
                    p.send(p.ack(List.of(says(p, 2, "01", slot(t, p, 3)))));
                    long sent = t.nowNs();
                    t.effective(
                            "slot 2 is resent",
                            t.until(() -> !t.since(mark).resent().isEmpty()));
                    Seen again = t.since(mark).resent().first().orElseThrow();
                    long waited = again.atNs() - sent - (t.isVirtual() ? t.rttNs() : 0);
                    t.that("R-LOSS-006", waited > 0, "not at once any more: after " + waited + " ns");
                    t.that("R-LOSS-011", t.isPrompt(waited - t.rttNs()), "after a quarter of a round trip: " + waited);
                });
        c.sender(
                        "REL-12",
                        "a lost slot of a refused attempt goes again with the same headers, withdrawn, without payload")
                .proves("R-LOSS-012@1")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    p.responder().stream(0).limit(1);
                    p.send(p.ack());
                    t.run(2 * t.rttNs());
                    Region m = t.iut().region(64 * PACKET, 1);
                    p.responder().stream(0).hold(true);
                    p.lose(
                            1 << 20,
                            s -> s.is("SEND")
                                    && s.psn() - p.firstPsn(0) == 1
                                    && s.packet().payloadLength() > 0);
                    t.iut().send(0, 1, m, 0, 16 * K);
                    t.effective("sent", t.until(() -> t.sent().named("SEND").count() >= 1));
                    p.responder().stream(0).refuse(0);
                    t.effective(
                            "resent",
                            t.until(() -> t.sent().resent().any(s -> s.packet().payloadLength() == 0)));
                    Seen withdrawn = t.sent()
                            .resent()
                            .where(s -> s.packet().payloadLength() == 0)
                            .first()
                            .orElseThrow();
                    Seen first = t.sent().slot(withdrawn.psn()).fresh().first().orElseThrow();
                    t.that("R-LOSS-012", (withdrawn.packet().get("message_flags") & 2) != 0, "WITHDRAWN is set");
                    t.that(
                            "R-LOSS-012",
                            withdrawn.packet().get("msn") == first.packet().get("msn")
                                    && withdrawn.packet().get("rsn")
                                            == first.packet().get("rsn")
                                    && withdrawn.packet().get("message_offset")
                                            == first.packet().get("message_offset"),
                            "the headers are those of the first transmission");
                });
    }

    private static void timers(Catalogue c) {
        c.sender("REL-08", "a tail without a follower gets one PROBE, soon and not more than one at a time")
                .proves("R-LOSS-004@1", "R-LOSS-010@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = quiet(t);
                    Region m = t.iut().region(PACKET, 1);
                    t.iut().write(1, m, 0, 512);
                    t.effective("sent", t.until(() -> t.sent().slots().count() == 1));
                    Seen last = t.sent().slots().last().orElseThrow();
                    t.effective("probed", t.until(() -> !t.sent().tails().isEmpty()));
                    Seen probe = t.sent().tails().first().orElseThrow();
                    long after = probe.atNs() - last.atNs();
                    t.that(
                            "R-LOSS-004",
                            probe.path() == last.path() && after <= 3 * t.rttNs(),
                            "after " + after + " ns");
                    t.that("R-LOSS-004", probe.psn() == last.psn() + 1, "it names the next PSN");
                    t.run(t.rttNs());
                    Traffic early = t.sent().tails().before(probe.atNs() + t.rttNs() / 5);
                    t.that("R-LOSS-010", early.count() == 1, "one only", early);
                    t.that("R-LOSS-010", p.isEstablished(), "the connection stands");
                });
        c.sender(
                        "REL-13",
                        "a probe timeout asks first, doubles up to its cap, and brings the slot along from the fourth on")
                .proves("R-LOSS-005@1", "R-LOSS-008@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = quiet(t);
                    Region m = t.iut().region(PACKET, 1);
                    t.iut().write(1, m, 0, 512);
                    p.echoing(false);
                    t.run(900_000_000);
                    List<Seen> tails = t.sent()
                            .tails()
                            .where(s -> !t.sent()
                                    .slots()
                                    .any(x -> x.atNs() <= s.atNs()
                                            && s.atNs() - x.atNs() < 3 * t.rttNs()
                                            && x.atNs() != s.atNs()))
                            .list();
                    t.effective("many probes", tails.size() > 10);
                    Traffic again = t.sent().resent();
                    t.effective("the slot came along", !again.isEmpty());
                    long fourth = again.first().orElseThrow().atNs();
                    t.that("R-LOSS-005", t.sent().tails().before(fourth).count() >= 4, "probes alone come first");
                    t.that("R-LOSS-005", again.all(s -> s.psn() == p.firstPsn(0)), "it is the lowest slot", again);
                    boolean isGrowing = true; // a path alone is in a total stall, whose later pauses grow by a quarter
                    for (int i = 4; i < tails.size(); i++) {
                        long gap = tails.get(i).atNs() - tails.get(i - 1).atNs();
                        long before = tails.get(i - 1).atNs() - tails.get(i - 2).atNs();
                        isGrowing &=
                                gap <= 201_000_000 && (gap >= before * 6 / 5 || gap >= 199_000_000 || before < 40_000);
                    }
                    t.that("R-LOSS-008", isGrowing, "each longer than the one before by a quarter, 200 ms at most");
                    p.responder().stream(0).hold(false);
                    p.answeringProbes(true).acknowledging(true);
                    t.effective("done once answered", t.until(() -> t.iut().isDone(1), 500_000_000));
                    int mark = t.mark();
                    p.acknowledging(false).answeringProbes(false);
                    t.iut().write(2, m, 0, 512);
                    t.run(2_000_000);
                    t.that(
                            "R-LOSS-008",
                            t.since(mark).tails().count() >= 4,
                            "and it has fallen back",
                            t.since(mark).tails());
                });
        c.both("LOSS-01", "messages complete through random loss of data and reports, and memory is right")
                .proves("R-LOSS-002@1", "R-LOSS-003@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(1024 * K, 1);
                    long[] state = {7};
                    p.lose(1 << 20, s -> {
                        state[0] = state[0] * 6364136223846793005L + 1442695040888963407L;
                        return s.packet().fields().has("stream_id") && (state[0] >>> 33) % 100 < 10;
                    });
                    for (int i = 1; i <= 8; i++) {
                        t.iut().write(i, m, 0, 1024 * K);
                    }
                    boolean isDone = t.until(() -> t.iut().isDone(8), t.isVirtual() ? 500_000_000 : 20_000_000_000L);
                    t.effective("more than a hundred lost", p.lost() > 100);
                    t.that("R-LOSS-003", isDone, "all messages complete");
                    byte[] memory = p.responder().memory();
                    byte[] wanted = io.metaroce.compliance.utp.Pattern.bytes(1, 0, 1024 * K);
                    t.that(
                            "R-LOSS-002",
                            java.util.Arrays.equals(java.util.Arrays.copyOf(memory, 1024 * K), wanted),
                            "every byte is in its place");
                    t.that(
                            "R-LOSS-002",
                            t.sent().resent().count() <= p.lost() * 12L / 10 + 8,
                            "few resends without loss");
                });
    }
}

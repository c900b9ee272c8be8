package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.List;

/** CC and HINT: windows, marks, hints. Exact bounds need the virtual clock. */
final class CongestionTests {
    private static final int K = 1024;
    private static final long Q = 4096 + 122;
    private static final int GBIT = 0x4FA1;
    private static final int PAUSE = 0x0800;

    private CongestionTests() {}

    static void fill(Catalogue c) {
        marks(c);
        windows(c);
        hints(c);
        shares(c);
    }

    private static Region busy(Trial t, int messages) {
        Region m = t.iut().region(256 * K, 1);
        for (int i = 1; i <= messages; i++) {
            t.iut().write(i, m, 0, 256 * K);
        }
        return m;
    }

    private static List<Long> windowsOf(Trial t) {
        List<Long> windows = new ArrayList<>();
        t.iut().paths().forEach(path -> windows.add(path.get("window").asLong()));
        return windows;
    }

    private static void marks(Catalogue c) {
        c.sender("CC-01", "marks of one path cut that path alone, at most by half in a round, and not the connection")
                .proves("R-CC-001@1", "R-CC-004@1", "R-CC-009@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    busy(t, 60);
                    t.run(t.rttNs() * 8);
                    List<Long> before = windowsOf(t);
                    long whole = t.iut().window();
                    p.marking(s -> s.path() == 0);
                    t.run(t.rttNs() * 8 / 10);
                    List<Long> after = windowsOf(t);
                    t.effective("a window to cut", before.get(0) > 2 * Q);
                    t.that("R-CC-001", after.get(0) < before.get(0), "path 0: " + before + " then " + after);
                    t.that("R-CC-009", after.get(0) >= before.get(0) / 2 - 1, before + " then " + after);
                    boolean othersStand = true;
                    for (int i = 1; i < 4; i++) {
                        othersStand &= after.get(i) >= before.get(i);
                    }
                    t.that("R-CC-001", othersStand, before + " then " + after);
                    t.that(
                            "R-CC-004",
                            t.iut().window() >= whole,
                            "connection: " + whole + " then " + t.iut().window());
                });
        c.sender(
                        "CC-02",
                        "with all packets of all paths marked the connection falls by a quarter within two round trips")
                .proves("R-CC-005@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    busy(t, 60);
                    t.run(t.rttNs() * 8);
                    long before = t.iut().window();
                    p.marking(s -> true);
                    t.run(t.rttNs() * 25 / 10);
                    t.effective("a window", before > Q);
                    long after = t.iut().window();
                    t.that("R-CC-005", after <= before * 3 / 4, before + " then " + after);
                });
        c.sender("CC-04", "after a mark new packets take other paths while those have room")
                .proves("R-CC-002@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    p.marking(s -> s.path() == 0);
                    t.iut().write(1, m, 0, 256 * K);
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    int mark = t.mark();
                    t.iut().write(2, m, 0, 16 * K);
                    t.effective(
                            "sent", t.until(() -> t.since(mark).slots().fresh().count() == 4));
                    t.that(
                            "R-CC-002",
                            t.since(mark).slots().fresh().on(0).isEmpty(),
                            "none on the hot path",
                            t.since(mark).slots());
                });
        c.sender("CC-05", "a mark also takes what of its window nobody has used")
                .proves("R-CC-016@1")
                .needs("vtime")
                .by(t -> {
                    t.set("paths", 1);
                    Peer p = t.connected();
                    Region m = busy(t, 20);
                    t.effective("done", t.until(() -> t.iut().isDone(20)));
                    long before = windowsOf(t).get(0);
                    t.effective("a large window", before > 8 * Q);
                    t.iut().write(90, m, 0, 512);
                    p.mark(0, 1);
                    t.effective("one more done", t.until(() -> t.iut().isDone(90)));
                    long after = windowsOf(t).get(0);
                    t.that(
                            "R-CC-016",
                            after <= before * 55 / 100 && after >= before / 2 - 1,
                            before + " then " + after);
                });
        c.sender("CC-15", "towards a peer that cannot read marks, delay plays their part")
                .proves("R-CC-015@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.peer().term("ECN_MODE", new Fields().put("ecn_mode", 0));
                    t.connected(p, 1);
                    busy(t, 60);
                    t.run(t.rttNs() * 8);
                    long before = t.iut().window();
                    p.delay(t.rttNs() * 10, s -> s.is("WRITE") || s.is("PROBE"));
                    t.run(t.rttNs() * 60);
                    long after = t.iut().window();
                    t.effective("a window", before > Q);
                    t.that("R-CC-015", after < before * 3 / 4, "a standing delay cuts: " + before + " then " + after);
                });
    }

    private static void windows(Catalogue c) {
        c.sender("CC-06", "what is in flight stays within the windows, for the connection and for each path")
                .proves("R-CC-003@1")
                .needs("vtime")
                .by(t -> {
                    t.connected();
                    busy(t, 40);
                    boolean isWithin = true;
                    long sum = 0;
                    for (int i = 0; i < 60; i++) {
                        t.run(t.rttNs() / 4);
                        sum = 0;
                        for (var path : t.iut().paths()) {
                            isWithin &= path.get("inflight").asLong()
                                    <= path.get("window").asLong() + Q;
                            sum += path.get("inflight").asLong();
                        }
                        isWithin &= sum <= t.iut().window() + Q;
                    }
                    t.effective("something was in flight", sum > 0);
                    t.that("R-CC-003", isWithin, "window + Q at most, in 60 samples");
                });
        c.sender("CC-10", "a window that is not used up does not grow")
                .proves("R-CC-010@1")
                .needs("vtime")
                .by(t -> {
                    t.connected();
                    Region m = t.iut().region(256 * K, 1);
                    t.iut().write(1, m, 0, 512);
                    t.effective("done", t.until(() -> t.iut().isDone(1)));
                    List<Long> before = windowsOf(t);
                    long whole = t.iut().window();
                    for (int i = 2; i < 52; i++) {
                        t.iut().write(i, m, 0, 512);
                        t.run(t.rttNs() * 2);
                    }
                    t.effective("fifty done", t.iut().isDone(51));
                    t.that("R-CC-010", windowsOf(t).equals(before), before + " then " + windowsOf(t));
                    t.that(
                            "R-CC-010",
                            t.iut().window() == whole,
                            whole + " then " + t.iut().window());
                });
        c.sender("CC-12", "a cold connection has no more than INIT_BUDGET under way before its first acknowledgement")
                .proves("R-CC-012@1")
                .by(t -> {
                    Peer p = t.peer().term("INIT_BUDGET", new Fields().put("init_budget", 20_000));
                    p.acknowledging(false).answeringProbes(false);
                    t.connected(p, 1);
                    busy(t, 2);
                    t.effective(
                            "a first flight",
                            t.until(() -> t.sent().slots().fresh().count() > 1));
                    t.run(t.rttNs() * 3);
                    Traffic first = t.sent().slots().fresh();
                    long cost = first.bytes() + 66L * first.count();
                    t.that("R-CC-012", cost <= 20_000, cost + " bytes", first);
                });
        c.sender("CC-13", "not more than burstPackets in a row take one path while another has room")
                .proves("R-CC-013@2")
                .needs("vtime")
                .by(t -> {
                    t.set("burst", 2);
                    t.connected();
                    busy(t, 2);
                    t.effective("done", t.until(() -> t.iut().isDone(2)));
                    int run = 0;
                    int longest = 0;
                    int last = -1;
                    for (Seen s : t.sent().slots().fresh().list().subList(0, 8)) {
                        run = s.path() == last ? run + 1 : 1;
                        longest = Math.max(longest, run);
                        last = s.path();
                    }
                    t.that("R-CC-013", longest <= 2, longest + " in a row");
                });
    }

    private static void hints(Catalogue c) {
        c.sender(
                        "CC-08",
                        "over any millisecond the rate stays within 1.1 times the hint, and an older report changes nothing")
                .proves("R-CC-008@1", "R-HINT-007@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Packet older = p.hint(0x95F5).ack();
                    p.hint(GBIT);
                    busy(t, 8);
                    t.run(2_000_000);
                    t.effective("flows", t.sent().slots().count() > 20);
                    t.that("R-CC-008", !t.iut().isDone(8), "2 MiB take 16 ms at 1 Gbit/s, not 2");
                    long from = t.nowNs();
                    t.run(1_000_000);
                    Traffic one = t.sent().slots().from(from);
                    long cost = one.bytes() + 66L * one.count();
                    t.that("R-CC-008", cost <= 137_500 + 3 * Q, cost + " bytes in a millisecond at 125 000");
                    p.send(older);
                    long then = t.nowNs();
                    t.run(1_000_000);
                    Traffic two = t.sent().slots().from(then);
                    long more = two.bytes() + 66L * two.count();
                    t.that("R-HINT-007", more <= 137_500 + 3 * Q, more + " bytes after the older report");
                });
        c.sender("HINT-09", "under a pause nothing is sent but a PROBE now and then")
                .proves("R-HINT-009@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    busy(t, 8);
                    t.run(t.rttNs() * 4);
                    p.hint(PAUSE);
                    t.run(t.rttNs() * 2);
                    p.send(p.ack());
                    t.run(t.rttNs() * 2);
                    int mark = t.mark();
                    t.run(1_000_000);
                    t.effective("some was sent before", !t.sent().slots().isEmpty());
                    t.that(
                            "R-HINT-009",
                            t.since(mark).slots().isEmpty(),
                            "no slots",
                            t.since(mark).slots());
                    long probes = t.since(mark).tails().count();
                    t.that("R-HINT-009", probes >= 8 && probes <= 12, "one PROBE per 100 us: " + probes);
                    p.hint(0x95F5);
                    t.that("R-HINT-009", t.until(() -> t.iut().isDone(8)), "it ends with the next hint");
                });
        c.sender("HINT-05", "once its hint is forgotten a connection begins cold again")
                .proves("R-HINT-005@1", "R-CC-012@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    p.hint(0x95F5);
                    busy(t, 8);
                    t.effective("done", t.until(() -> t.iut().isDone(8)));
                    long warm = t.iut().window();
                    t.run(1_000_000_000);
                    p.acknowledging(false).answeringProbes(false);
                    Region m = t.iut().region(256 * K, 1);
                    int mark = t.mark();
                    t.iut().write(90, m, 0, 256 * K);
                    t.run(t.rttNs() * 2);
                    Traffic first = t.since(mark).slots().fresh();
                    t.effective("a flight after a second", !first.isEmpty() && warm > 0);
                    long cost = first.bytes() + 66L * first.count();
                    t.that("R-CC-012", cost <= 65_536 + Q, cost + " bytes");
                    t.that("R-HINT-005", cost <= 65_536 + Q, "not the " + warm + " of before: " + cost);
                });
    }

    private static void shares(Catalogue c) {
        c.receiver("RATE-01", "equal senders get equal hints, which together stay within what there is")
                .proves("R-HINT-002@1", "R-HINT-003@1", "R-HINT-004@1")
                .needs("vtime")
                .by(t -> {
                    t.set("rx_capacity", 1_000_000_000);
                    t.listen();
                    List<Peer> senders = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        senders.add(t.connects(t.peer()));
                    }
                    Region m = t.iut().blank(64 * K);
                    int[] msn = new int[4];
                    rounds(t, senders, m, msn, 4, 3);
                    List<Long> hints = hintsOf(t, senders);
                    long sum = 0;
                    boolean isEqual = true;
                    for (long hint : hints) {
                        sum += hint;
                        isEqual &= Math.abs(hint - 250_000_000L) <= 5_000_000L;
                    }
                    t.effective("four hints", hints.size() == 4);
                    t.that("R-HINT-003", isEqual, "a quarter each: " + hints);
                    t.that("R-HINT-002", sum <= 1_000_000_000L * 1001 / 1000, "together " + sum);
                    Peer leaving = senders.get(3);
                    leaving.send(
                            leaving.slot(0, WireTests.small(m, msn[3]++, 0, 3)).withFlags(Packet.A));
                    t.run(t.rttNs());
                    rounds(t, senders.subList(0, 3), m, msn, 3, 4);
                    List<Long> after = hintsOf(t, senders.subList(0, 3));
                    t.that("R-HINT-004", after.stream().allMatch(h -> h > 320_000_000L), "a third each: " + after);
                });
    }

    private static void rounds(Trial t, List<Peer> senders, Region m, int[] msn, int count, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < count; i++) {
                Peer p = senders.get(i);
                p.send(p.slot(round % 4, WireTests.small(m, msn[i]++, 64 * i, 3))
                        .set("demand", 0xFF)
                        .withFlags(Packet.A));
            }
            t.run(t.rttNs());
        }
    }

    /** The newest hint for each, in bytes per second. */
    private static List<Long> hintsOf(Trial t, List<Peer> senders) {
        List<Long> hints = new ArrayList<>();
        for (Peer p : senders) {
            t.sent()
                    .named("ACK")
                    .where(s -> s.packet().int32("dst_conn_id") == p.connId())
                    .last()
                    .ifPresent(s -> {
                        long code = s.packet().get("rate_hint");
                        hints.add(((code & 0x7FF) << (code >>> 11)) * 125);
                    });
        }
        return hints;
    }
}

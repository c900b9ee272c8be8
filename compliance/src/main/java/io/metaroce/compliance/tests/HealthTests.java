package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/** HEALTH: what is a failure of a path and what is none. */
final class HealthTests {
    private static final int K = 1024;

    private HealthTests() {}

    static void fill(Catalogue c) {
        paths(c);
        stalls(c);
    }

    private static void paths(Catalogue c) {
        c.sender("PATH-04S", "a path that answers later than the others loses nothing and is no failure")
                .proves("R-HEALTH-002@1", "R-LOSS-002@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    p.delay(2 * t.rttNs(), s -> s.path() == 3 && Preambles.isOnPath(s));
                    Preambles.stream(t, m, 1, 60);
                    t.effective("done", t.until(() -> t.iut().isDone(60)));
                    t.effective("path 3 has carried", !t.sent().slots().on(3).isEmpty());
                    t.that("R-HEALTH-002", t.sent().slots().all(s -> s.epoch() == 0), "no path is left");
                    Traffic others = t.sent().resent().where(s -> s.path() != 3);
                    t.that("R-LOSS-002", others.isEmpty(), "nothing of the other paths is resent", others);
                });
        c.sender(
                        "HEALTH-04",
                        "a route of its own is looked for on fresh ports, ever more slowly, and only the newest echo counts")
                .proves("R-HEALTH-004@1", "R-HEALTH-005@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 40);
                    Preambles.allCarry(t);
                    int dead = t.sent().slots().on(2).last().orElseThrow().port();
                    p.echoing(false);
                    p.lose(1 << 20, s -> s.port() == dead && Preambles.isOnPath(s));
                    t.effective("borrowed", t.until(() -> t.sent().slots().on(2).any(s -> s.epoch() == 1)));
                    t.effective("done", t.until(() -> t.iut().isDone(40)));
                    t.run(20_000_000);
                    List<Seen> asked = t.sent().challenges().on(2).list();
                    t.effective("asked several times", asked.size() >= 4);
                    Set<Integer> ports = new HashSet<>();
                    boolean isGrowing = true;
                    for (int i = 0; i < asked.size(); i++) {
                        ports.add(asked.get(i).port());
                        isGrowing &= i < 2 || interval(asked, i) >= interval(asked, i - 1);
                    }
                    boolean isFresh = ports.size() * 10 >= asked.size() * 7;
                    for (int path : List.of(0, 1, 3)) {
                        isFresh &= t.sent().slots().on(path).ports().stream().noneMatch(ports::contains);
                    }
                    t.that("R-HEALTH-004", isFresh, asked.size() + " tests on fresh ports: " + ports);
                    isGrowing &= interval(asked, asked.size() - 1) >= 2 * interval(asked, 1);
                    t.that("R-HEALTH-004", isGrowing, "intervals grow, to more than twice the first");
                    for (Seen old : asked.subList(0, asked.size() - 1)) {
                        echo(t, p, old.packet().get("challenge"));
                    }
                    echo(t, p, asked.get(asked.size() - 1).packet().get("challenge") + 1);
                    int mark = t.mark();
                    Preambles.stream(t, m, 101, 20);
                    t.effective("more done", t.until(() -> t.iut().isDone(120)));
                    t.effective("path 2 carries", !t.since(mark).slots().on(2).isEmpty());
                    t.that("R-HEALTH-004", t.sent().slots().on(2).all(s -> s.epoch() < 2), "an old echo moves nobody");
                    echo(
                            t,
                            p,
                            t.sent()
                                    .challenges()
                                    .on(2)
                                    .last()
                                    .orElseThrow()
                                    .packet()
                                    .get("challenge"));
                    Preambles.stream(t, m, 201, 60);
                    t.effective("more done", t.until(() -> t.iut().isDone(260)));
                    t.that("R-HEALTH-005", t.sent().slots().on(2).any(s -> s.epoch() == 2), "the newest does");
                });
        c.sender("HEALTH-06", "the loss of one way back fails nobody while reports come by another")
                .proves("R-HEALTH-006@1")
                .by(t -> {
                    t.connected().deafOn(2);
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 60);
                    t.effective("done", t.until(() -> t.iut().isDone(60)));
                    t.effective("path 2 has carried", !t.sent().slots().on(2).isEmpty());
                    t.that("R-HEALTH-006", t.sent().slots().all(s -> s.epoch() == 0), "no path is left");
                });
        c.sender("HEALTH-07", "losses beside marks are congestion, not failure")
                .proves("R-HEALTH-007@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    int[] n = {0};
                    p.lose(1 << 20, s -> {
                        boolean isHit = s.path() == 2 && s.is("WRITE") && n[0]++ % 2 == 0;
                        if (s.path() == 2 && s.is("WRITE") && !isHit) {
                            p.mark(2, 1);
                        }
                        return isHit;
                    });
                    Preambles.stream(t, m, 1, 80);
                    t.effective("done", t.until(() -> t.iut().isDone(80), 500_000_000));
                    t.effective("many lost", p.lost() > 6);
                    t.that("R-HEALTH-007", t.sent().slots().on(2).all(s -> s.epoch() == 0), "path 2 is not left");
                });
        c.sender("HEALTH-08", "a path that loses nine of ten is left at the latest with its 16th loss")
                .proves("R-HEALTH-008@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    t.effective("flows", t.until(() -> t.iut().isDone(10)));
                    int[] n = {0};
                    p.lose(1 << 20, s -> s.path() == 2 && s.epoch() == 0 && s.is("WRITE") && n[0]++ % 10 != 9);
                    Preambles.stream(t, m, 101, 100);
                    t.effective("done", t.until(() -> t.iut().isDone(200), 500_000_000));
                    Traffic onTwo = t.sent().on(2).where(s -> s.is("WRITE") && s.epoch() == 0);
                    int lost = 0;
                    long toldNs = Long.MAX_VALUE;
                    for (Seen s : onTwo.list()) {
                        lost += s.isLost() ? 1 : 0;
                        toldNs = lost >= 16 && !s.isLost() ? Math.min(toldNs, s.atNs()) : toldNs;
                    }
                    t.effective("many lost", lost >= 8);
                    long lateNs = toldNs == Long.MAX_VALUE ? toldNs : toldNs + t.rttNs();
                    Traffic late = onTwo.where(s -> s.atNs() > lateNs);
                    t.that("R-HEALTH-008", late.isEmpty(), lost + " lost; none after the report of the 16th", late);
                });
        c.sender("HEALTH-09", "an ICMP error makes a path suspect, and moves nobody")
                .proves("R-HEALTH-009@1")
                .needs("vtime")
                .by(t -> {
                    t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    Preambles.allCarry(t);
                    int port = t.sent().slots().on(1).last().orElseThrow().port();
                    int mark = t.mark();
                    t.iut().unreachable(0, port);
                    t.effective(
                            "asked", t.until(() -> !t.since(mark).tails().on(1).isEmpty()));
                    t.effective("done", t.until(() -> t.iut().isDone(20)));
                    t.that("R-HEALTH-009", t.sent().slots().all(s -> s.epoch() == 0), "no path is left");
                    t.that(
                            "R-HEALTH-009",
                            t.iut().paths().get(1).get("state").asString().equals("ACTIVE"),
                            "and it is active again");
                });
    }

    private static long interval(List<Seen> all, int index) {
        return all.get(index).atNs() - all.get(index - 1).atNs();
    }

    private static void echo(Trial t, Peer p, long challenge) {
        Packet ack = p.ack(List.<Fields>of()).withFlags(Packet.X).set("ack_flags", 0x80);
        p.send(t.codec().addOption(ack, "PROBE_ECHO", new Fields().put("challenge", challenge)));
        t.run(t.rttNs());
    }

    private static void silence(Peer p, boolean isSilent) {
        p.acknowledging(!isSilent).answeringProbes(!isSilent).echoing(!isSilent);
    }

    private static void stalls(Catalogue c) {
        c.sender("PATH-07S", "total silence fails nobody, and everything goes on when the peer does")
                .proves("R-HEALTH-003@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    t.run(t.rttNs() * 3);
                    silence(p, true);
                    t.run(300_000_000);
                    t.effective("silence", !t.iut().isDone(20));
                    t.that("R-HEALTH-003", t.sent().slots().all(s -> s.epoch() == 0), "no path is left");
                    silence(p, false);
                    t.that("R-HEALTH-003", t.until(() -> t.iut().isDone(20), 400_000_000), "all is done");
                    t.that("R-HEALTH-003", t.iut().states().equals(List.of("established")), "without error");
                });
        c.sender("HEALTH-12", "in a long stall one path per plane asks in each step, not every path")
                .proves("R-HEALTH-012@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    t.run(t.rttNs() * 3);
                    silence(p, true);
                    t.run(1_000_000_000);
                    int mark = t.mark();
                    t.run(2_000_000_000);
                    t.effective("still asking", !t.since(mark).tails().isEmpty());
                    boolean isOne = true;
                    for (Seen s : t.since(mark).tails().list()) {
                        long at = s.atNs();
                        isOne &= t.since(mark)
                                        .tails()
                                        .from(at - 1_000_000)
                                        .before(at + 1_000_000)
                                        .values("path_id")
                                        .size()
                                <= 2;
                    }
                    t.that(
                            "R-HEALTH-012",
                            isOne,
                            "one path at a time",
                            t.since(mark).tails());
                    SortedSet<Long> asked = t.since(mark).tails().values("path_id");
                    t.that("R-HEALTH-012", asked.size() >= 2, "each time another: " + asked);
                });
        c.sender("HEALTH-13", "a challenge echoed in a stall moves all waiting paths to its route")
                .proves("R-HEALTH-013@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    Preambles.allCarry(t);
                    Set<Integer> dead = new HashSet<>(t.sent().slots().ports());
                    p.lose(1 << 20, s -> dead.contains(s.port()) && Preambles.isOnPath(s));
                    t.effective("done after all", t.until(() -> t.iut().isDone(20), 2_000_000_000));
                    Traffic moved = t.sent().slots().where(s -> s.epoch() == 1);
                    t.that("R-HEALTH-013", moved.values("path_id").size() == 4, "all four have moved");
                    Seen first = moved.first().orElseThrow();
                    t.that(
                            "R-HEALTH-013",
                            t.sent().challenges().before(first.atNs()).any(s -> s.port() == first.port()),
                            "to a route whose challenge was echoed");
                });
    }
}

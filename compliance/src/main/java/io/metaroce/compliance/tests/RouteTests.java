package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** PATH: what moves a path to another route, and how it goes there. */
final class RouteTests {
    private static final int K = 1024;

    private RouteTests() {}

    static void fill(Catalogue c) {
        moving(c);
    }

    private static void moving(Catalogue c) {
        c.sender(
                        "PATH-03",
                        "a dead route: the path borrows a healthy one, epoch + 1, and everything unacknowledged goes first")
                .proves("R-PATH-010@1", "R-PATH-011@1", "R-PATH-016@1", "R-PATH-017@1", "R-HEALTH-001@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 60);
                    Preambles.allCarry(t);
                    int port = Preambles.killRoute(t, p, 2);
                    int mark = t.mark();
                    t.effective(
                            "moves", t.until(() -> t.since(mark).slots().on(2).any(s -> s.epoch() == 1)));
                    Preambles.stream(t, m, 101, 120);
                    t.effective("all messages done", t.until(() -> t.iut().isDone(220)));
                    Traffic moved = t.since(mark).on(2).where(s -> s.epoch() != 0 && (s.is("WRITE") || s.is("PROBE")));
                    t.effective("path 2 has moved", !moved.isEmpty());
                    Seen first = moved.first().orElseThrow();
                    long silentNs = first.atNs()
                            - t.since(mark).on(2).slots().first().orElse(first).atNs();
                    t.that(
                            "R-HEALTH-001",
                            silentNs < (t.isVirtual() ? 100 * t.rttNs() : 10_000_000_000L),
                            "left after " + silentNs + " ns");
                    t.that("R-PATH-010", first.epoch() == 1 && first.port() != port, "epoch 1 on another port", moved);
                    Set<Integer> donors = new HashSet<>();
                    for (int path : List.of(0, 1, 3)) {
                        donors.addAll(t.sent().slots().on(path).ports());
                    }
                    t.that("R-PATH-017", donors.contains(first.port()), "on the route of another path", moved);
                    Traffic slots = moved.slots();
                    t.effective("it carries new slots as well", slots.any(s -> !s.isResent()));
                    boolean isStranded = true;
                    boolean isNew = false;
                    Set<Integer> there = new HashSet<>();
                    for (Seen each : slots.where(s -> s.epoch() == 1).list()) {
                        isStranded &= !there.add(each.psn()) || !each.isResent() || !isNew;
                        isNew |= !each.isResent();
                    }
                    t.that("R-PATH-016", isStranded, "stranded slots go before new ones", slots);
                    List<Integer> fresh = t.sent().slots().on(2).fresh().psns();
                    boolean isUnbroken = true;
                    for (int i = 1; i < fresh.size(); i++) {
                        isUnbroken &= fresh.get(i) - fresh.get(i - 1) == 1;
                    }
                    t.that("R-PATH-011", isUnbroken, "PSNs go on unbroken");
                });
        c.sender("PATH-14", "two routes die one after the other: never three epochs with unacknowledged slots")
                .proves("R-PATH-014@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 60);
                    Preambles.allCarry(t);
                    Preambles.killRoute(t, p, 2);
                    t.effective(
                            "moved once", t.until(() -> t.sent().slots().on(2).any(s -> s.epoch() == 1)));
                    Preambles.killRoute(t, p, 2);
                    t.effective(
                            "moved twice", t.until(() -> t.sent().slots().on(2).any(s -> s.epoch() == 2)));
                    t.effective("all messages done", t.until(() -> t.iut().isDone(60)));
                    Seen second = t.sent()
                            .slots()
                            .on(2)
                            .where(s -> s.epoch() == 2)
                            .first()
                            .orElseThrow();
                    Traffic old = t.sent().slots().on(2).from(second.atNs()).where(s -> s.epoch() < 2);
                    t.that("R-PATH-014", old.isEmpty(), "nothing of an older epoch is sent after the second move", old);
                    Set<Integer> lastEpochs = new HashSet<>();
                    java.util.Map<Integer, Integer> latest = new java.util.TreeMap<>();
                    t.sent().slots().on(2).before(second.atNs()).list().forEach(s -> latest.put(s.psn(), s.epoch()));
                    lastEpochs.addAll(latest.values());
                    t.that("R-PATH-014", lastEpochs.size() <= 2, "epochs of latest transmissions: " + lastEpochs);
                });
        c.sender("PATH-18", "a lodger tests a route of its own, drains, and moves there once a challenge was echoed")
                .proves("R-PATH-018@1", "R-HEALTH-005@1", "R-PATH-015@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 40);
                    Preambles.allCarry(t);
                    int dead = Preambles.killRoute(t, p, 2);
                    t.effective("borrowed", t.until(() -> t.sent().slots().on(2).any(s -> s.epoch() == 1)));
                    int lodging = t.sent()
                            .slots()
                            .on(2)
                            .where(s -> s.epoch() == 1)
                            .first()
                            .orElseThrow()
                            .port();
                    t.effective("messages done", t.until(() -> t.iut().isDone(40)));
                    Preambles.stream(t, m, 101, 200);
                    t.effective(
                            "moved again", t.until(() -> t.sent().on(2).slots().any(s -> s.epoch() == 2)));
                    Seen own = t.sent()
                            .on(2)
                            .slots()
                            .where(s -> s.epoch() == 2)
                            .first()
                            .orElseThrow();
                    Traffic asked = t.sent().challenges().before(own.atNs()).where(s -> s.port() == own.port());
                    t.that("R-HEALTH-005", !asked.isEmpty(), "a challenge on that route came before", asked);
                    t.that("R-PATH-018", own.port() != lodging && own.port() != dead, "a port of its own");
                    t.that("R-PATH-015", !own.isResent(), "nothing was unacknowledged when it moved");
                });
        c.sender("PATH-15", "a path told to leave and to return drains first, and comes back by a tested route")
                .proves("R-PATH-015@1", "R-PATH-010@1", "R-PATH-021@1")
                .by(t -> {
                    t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 20);
                    Preambles.allCarry(t);
                    t.iut().park(1, false);
                    t.effective("messages done", t.until(() -> t.iut().isDone(20)));
                    int mark = t.mark();
                    Preambles.stream(t, m, 101, 10);
                    t.effective("more done", t.until(() -> t.iut().isDone(110)));
                    t.that("R-PATH-015", t.since(mark).slots().on(1).isEmpty(), "a parked path carries nothing");
                    t.iut().park(1, true);
                    t.run(20 * t.rttNs());
                    Preambles.stream(t, m, 201, 40);
                    t.effective("done again", t.until(() -> t.iut().isDone(240)));
                    Traffic back = t.since(mark).slots().on(1);
                    t.effective("the path is back", !back.isEmpty());
                    Seen first = back.first().orElseThrow();
                    t.that("R-PATH-010", first.epoch() == 1, "one epoch further", back);
                    t.that("R-PATH-015", !first.isResent(), "with new slots", back);
                    t.that("R-PATH-021", t.iut().paths().get(1).get("window").asLong() > 4096, "its window is whole");
                });
        c.sender("PATH-25", "a path tests no route while slots of it wait to be sent again; few paths test at once")
                .proves("R-PATH-025@1", "R-PATH-026@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 60);
                    Preambles.allCarry(t);
                    Preambles.killRoute(t, p, 1);
                    Preambles.killRoute(t, p, 2);
                    t.effective(
                            "both borrowed",
                            t.until(() -> t.sent().slots().on(1).any(s -> s.epoch() == 1)
                                    && t.sent().slots().on(2).any(s -> s.epoch() == 1)));
                    t.effective("messages done", t.until(() -> t.iut().isDone(60)));
                    t.run(100 * t.rttNs());
                    boolean isPatient = true;
                    for (int path : List.of(1, 2)) {
                        long moved = t.sent()
                                .slots()
                                .on(path)
                                .where(s -> s.epoch() == 1)
                                .first()
                                .orElseThrow()
                                .atNs();
                        Traffic tests = t.sent().challenges().on(path).from(moved);
                        isPatient &=
                                tests.isEmpty() || tests.first().orElseThrow().atNs() > moved + t.rttNs() / 2;
                    }
                    t.that("R-PATH-025", isPatient, "no test before the new route was heard of");
                    Traffic tests = t.sent()
                            .challenges()
                            .where(s -> s.path() == 1 || s.path() == 2)
                            .from(t.rttNs() * 20);
                    boolean isApart = true;
                    List<Seen> list = tests.list();
                    for (int i = 1; i < list.size(); i++) {
                        isApart &= list.get(i).path() == list.get(i - 1).path()
                                || list.get(i).atNs() - list.get(i - 1).atNs() >= t.rttNs() * 9 / 10;
                    }
                    t.that("R-PATH-026", isApart, "one path begins a test per round trip", tests);
                });
    }
}

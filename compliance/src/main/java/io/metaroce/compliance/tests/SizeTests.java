package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
import io.metaroce.compliance.lt.Trial;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** PATH: how large a packet may be, and how that is found out. */
final class SizeTests {
    private static final int K = 1024;

    private SizeTests() {}

    static void fill(Catalogue c) {
        payload(c);
    }

    private static void payload(Catalogue c) {
        c.sender("PATH-27", "nothing longer than 1024 bytes of payload leaves before a probe of its size was echoed")
                .proves("R-PATH-027@1")
                .by(t -> {
                    Peer p = t.peer().echoing(false);
                    t.connected(p, 1);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(1, m, 0, 64 * K);
                    t.run(3 * t.rttNs());
                    t.effective("asked", !t.sent().challenges().isEmpty());
                    Traffic longOnes = t.sent().slots().where(s -> s.packet().payloadLength() > K);
                    t.that("R-PATH-027", longOnes.isEmpty(), "nothing long is sent", longOnes);
                    p.echoing(true);
                    t.that("R-PATH-027", t.until(() -> t.iut().isDone(1)), "it goes on once echoed");
                });
        c.sender("PATH-28", "when only smaller probes come back, messages take the largest size that did")
                .proves("R-PATH-028@1")
                .by(t -> {
                    Peer p = t.peer();
                    servedInSmallSize(t, p);
                    Traffic all = t.sent().slots();
                    t.that(
                            "R-PATH-028",
                            all.any(s -> s.packet().payloadLength() == 2 * K)
                                    && all.all(s -> s.packet().payloadLength() <= 2 * K),
                            "2048 bytes each",
                            all);
                });
        c.sender("PATH-30", "a larger size is taken up only once every active path has echoed it")
                .proves("R-PATH-030@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.peer();
                    Region m = servedInSmallSize(t, p);
                    p.loseNothing();
                    int mark = t.mark();
                    t.run(5_000_000_000L);
                    t.effective(
                            "larger sizes were asked for",
                            t.since(mark).challenges().any(s -> s.raw().length > 4000));
                    t.iut().write(2, m, 0, 32 * K);
                    t.effective("second message done", t.until(() -> t.iut().isDone(2)));
                    Traffic longOnes =
                            t.since(mark).slots().where(s -> s.packet().payloadLength() > 2 * K);
                    Set<Integer> asked = new HashSet<>();
                    t.since(mark)
                            .challenges()
                            .where(s -> s.raw().length > 4000)
                            .list()
                            .forEach(s -> asked.add(s.path()));
                    t.that(
                            "R-PATH-030",
                            !longOnes.isEmpty() && asked.size() == 4,
                            "all four paths were asked: " + asked);
                });
        c.sender("PATH-31", "who sends small packets looks for a larger size, ever more rarely")
                .proves("R-PATH-031@1")
                .needs("vtime")
                .by(t -> {
                    Peer p = t.peer();
                    servedInSmallSize(t, p);
                    int mark = t.mark();
                    t.run(400_000_000_000L);
                    List<Seen> asked = t.since(mark)
                            .challenges()
                            .where(s -> s.raw().length > 2200)
                            .list();
                    t.effective("time passes", t.nowNs() > 400_000_000_000L);
                    boolean isGrowing = asked.size() >= 3;
                    long last = isGrowing ? asked.get(asked.size() - 1).atNs() : 0;
                    long first = isGrowing ? asked.get(0).atNs() : 0;
                    t.advise("R-PATH-031", isGrowing, asked.size() + " larger probes in 400 s");
                    long early = asked.stream()
                            .filter(s -> s.atNs() - first < (last - first) / 2)
                            .count();
                    t.advise(
                            "R-PATH-031",
                            early * 2 > asked.size(),
                            early + " of " + asked.size() + " in the first half");
                });
        c.sender("PATH-32", "a path whose route carries only short packets leaves it, and messages run to their end")
                .proves("R-PATH-032@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().region(64 * K, 1);
                    Preambles.stream(t, m, 1, 100);
                    Preambles.allCarry(t);
                    int port = t.sent().slots().on(2).last().orElseThrow().port();
                    p.lose(1 << 20, s -> s.port() == port && s.raw().length > 2200);
                    int mark = t.mark();
                    t.that("R-PATH-032", t.until(() -> t.iut().isDone(100)), "messages run to their end");
                    Traffic moved = t.since(mark).on(2).slots().where(s -> s.port() != port);
                    t.that("R-PATH-032", !moved.isEmpty(), "path 2 has left its route", moved);
                });
        c.sender(
                        "PATH-29",
                        "when no route carries the size any more, only the streams with long fragments under way end")
                .proves("R-PATH-029@1")
                .needs("vtime")
                .by(t -> {
                    t.set("dead_ms", 20);
                    Peer p = t.connected(t.peer(), 2);
                    Region m = t.iut().region(64 * K, 1);
                    t.iut().write(0, 1, m, 0, 64 * K, Peer.MEMORY);
                    t.effective("flows", t.until(() -> t.iut().isDone(1)));
                    p.lose(1 << 24, s -> s.raw().length > 1400);
                    t.iut().write(0, 2, m, 0, 16 * K, Peer.MEMORY);
                    long began = t.nowNs();
                    t.effective("ended", t.until(() -> !t.iut().status(2).isEmpty(), 9_000_000_000L));
                    long tookNs = t.nowNs() - began;
                    t.that(
                            "R-PATH-029",
                            t.iut().status(2).equals("RETRY_EXC_ERR"),
                            t.iut().status(2));
                    t.that("R-PATH-029", tookNs >= 20_000_000, "not before the dead time is over: " + tookNs + " ns");
                    int mark = t.mark();
                    t.iut().write(1, 3, m, 0, 16 * K, Peer.MEMORY);
                    t.that("R-PATH-029", t.until(() -> t.iut().isDone(3), 3_000_000_000L), "another stream goes on");
                    Traffic later = t.since(mark).slots().where(s -> s.packet().get("stream_id") == 2);
                    t.that(
                            "R-PATH-029",
                            !later.isEmpty() && later.all(s -> s.raw().length <= 1400),
                            "in packets that pass",
                            later);
                    t.that("R-PATH-029", t.iut().states().equals(List.of("established")), "the connection stands");
                });
    }

    /** Longer packets than those of 2 KiB of payload are lost, and a first message is done all the same. */
    private static Region servedInSmallSize(Trial t, Peer p) {
        p.lose(1 << 20, s -> s.raw().length > 2200);
        t.connected(p, 1);
        Region m = t.iut().region(64 * K, 1);
        t.iut().write(1, m, 0, 32 * K);
        t.effective("message done in small size", t.until(() -> t.iut().isDone(1)));
        return m;
    }
}

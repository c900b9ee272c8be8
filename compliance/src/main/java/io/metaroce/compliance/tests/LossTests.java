package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Traffic;
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
                    Region m = t.iut().region(64 * PACKET, 1);
                    p.lose(1, nthSlotOf(p, 0, 2));
                    t.iut().write(1, m, 0, 32 * PACKET);
                    t.effective("message done", t.until(() -> t.iut().isDone(1)));
                    t.effective("a slot was lost", p.lost() == 1);
                    Traffic again = t.sent().resent();
                    int psn = p.firstPsn(0) + 2;
                    Seen first = t.sent().slot(psn).fresh().first().orElseThrow();
                    t.that("R-LOSS-002", again.psns().equals(List.of(psn)), "exactly the lost slot goes again", again);
                    t.that("R-PATH-007", again.on(0).all(s -> s.stamp() - first.stamp() > 0), "R and a new stamp", again);
                    Seen next = t.sent().on(0).slots().where(s -> s.psn() == psn + 1).first().orElseThrow();
                    t.that(
                            "R-LOSS-001",
                            again.any(s -> s.atNs() - next.atNs() <= t.reactNs()),
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
                    List<Seen> all = new ArrayList<>(t.sent().slot(p.firstPsn(0) + 2).list());
                    boolean isQuick = true;
                    for (int i = 1; i < all.size(); i++) {
                        isQuick &= all.get(i).atNs() - all.get(i - 1).atNs() <= 2 * t.rttNs() + t.reactNs();
                    }
                    t.that("R-LOSS-003", all.size() == 4 && isQuick, "four transmissions, a round trip apart");
                    t.that("R-PATH-020", t.sent().resent().count() == 3, "nothing else is resent", t.sent().resent());
                });
    }
}

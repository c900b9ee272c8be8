package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.codec.Packet;
import java.util.List;

/** PLC: what touches memory, and when. */
final class PlacementTests {
    private static final int K = 1024;

    private PlacementTests() {}

    static void fill(Catalogue c) {
        c.receiver("PLC-01", "fragments in any order over any paths give the same memory and one completion")
                .proves("R-ORD-001@1", "R-SACK-002@1")
                .by(t -> {
                    Peer p = t.connected();
                    Region m = t.iut().blank(16 * K);
                    List<Packet> parts = Talk.write(0, 0, m, 0, 16 * K, K, 5);
                    for (int i = parts.size() - 1; i >= 0; i--) {
                        p.send(p.slot(i % 4, parts.get(i)));
                    }
                    t.settle();
                    t.effective("every slot acknowledged", Talk.nextMsn(t, 0) == 1);
                    t.that("R-ORD-001", t.iut().holds(m, 0, 16 * K, 5, 0), "memory is that of the message");
                    t.that("R-SACK-002", t.iut().holds(m, 0, 16 * K, 5, 0), "acknowledged bytes are in memory");
                });
    }
}

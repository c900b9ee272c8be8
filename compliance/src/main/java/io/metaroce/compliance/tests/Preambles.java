package io.metaroce.compliance.tests;

import io.metaroce.compliance.lt.App.Region;
import io.metaroce.compliance.lt.Peer;
import io.metaroce.compliance.lt.Seen;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.Trial;

/** What many tests begin with. */
final class Preambles {
    private static final int K = 1024;

    private Preambles() {}

    /** Writes of 64 KiB each, numbered from {@code from} on. */
    static void stream(Trial t, Region m, int from, int messages) {
        for (int i = 0; i < messages; i++) {
            t.iut().write(from + i, m, 0, 64 * K);
        }
    }

    /** All four paths have carried slots. */
    static void allCarry(Trial t) {
        t.effective(
                "all paths carry",
                t.until(() -> t.sent().slots().values("path_id").size() == 4));
    }

    /** Whether a packet belongs to a path of the implementation, so that it shares the fate of its route. */
    static boolean isOnPath(Seen s) {
        return s.is("WRITE") || s.is("PROBE");
    }

    /** The route of a path is dead from now on, for its own packets and for those that borrowed it; its port. */
    static int killRoute(Trial t, Peer p, int path) {
        t.effective(
                "path " + path + " carries",
                t.until(() -> !t.sent().slots().on(path).isEmpty()));
        int port = t.sent().slots().on(path).last().orElseThrow().port();
        p.lose(1 << 20, s -> s.port() == port && isOnPath(s));
        return port;
    }

    /** Receives of {@code bytes} each one behind the other, numbered from 10 on, and the tester knows of them. */
    static void receives(Trial t, Region m, int count, int bytes) {
        for (int i = 0; i < count; i++) {
            t.iut().receive(0, 10 + i, m, i * bytes, bytes);
        }
        int known = (count + 1) / 2;
        t.effective(
                "told of half of them at least",
                t.until(() -> Talk.update(t, 0)
                        .filter(u -> u.get("rsn_limit") >= known)
                        .isPresent()));
        t.settle(); // the others are taken by then
    }
}

package io.metaroce.compliance.selftest;

import static io.metaroce.compliance.selftest.Mutants.blocks;
import static io.metaroce.compliance.selftest.Mutants.field;
import static io.metaroce.compliance.selftest.Mutants.isAgain;
import static io.metaroce.compliance.selftest.Mutants.isSlot;
import static io.metaroce.compliance.selftest.Mutants.named;

import io.metaroce.compliance.lt.codec.Packet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Senders that make the wrong thing of marks, hints, losses and silence, as packets or their own numbers show it. */
final class SignalMutants {
    private SignalMutants() {}

    static void addTo(Mutants to) {
        reports(to);
        windows(to);
        losses(to);
    }

    private static void reports(Mutants to) {
        to.add("an older report is ignored", "ACK-06", "R-ACK-006", () -> {
            long[] newest = {0};
            return new Fault().deafTo(p -> {
                boolean isOlder = p.is("ACK") && p.get("psn") < newest[0];
                newest[0] = p.is("ACK") ? Math.max(newest[0], p.get("psn")) : newest[0];
                return isOlder;
            });
        });
        to.add(
                "slots stay in flight when their message is over",
                "ACK-11",
                "R-ACK-011",
                () -> paths((n, path) -> path.put("inflight", 4096)));
        to.add(
                "the first sample is averaged",
                "ACK-12",
                "R-ACK-014",
                () -> paths((n, path) -> path.put("srtt_ns", path.get("srtt_ns").asLong() / 2)));
        to.add(
                "a round trip is measured from the last copy",
                "CONN-05",
                "R-CONN-011",
                () -> paths((n, path) -> path.put("srtt_ns", 10_000)));
        to.add(
                "nobody asks an idle peer",
                "KEEP-01",
                "R-CONN-007",
                () -> new Fault().outMany(p -> p.is("PROBE") && (p.get("probe_flags") & 0x20) != 0, p -> List.of()));
        to.add("a share that was cut never grows", "RATE-01", "R-HINT-004", () -> {
            Map<Long, Long> least = new HashMap<>();
            return new Fault()
                    .out(
                            named("ACK"),
                            p -> p.set("rate_hint", least.merge(p.get("dst_conn_id"), p.get("rate_hint"), Math::min)));
        });
    }

    /** What the agent tells of each path; the first argument counts the answers from 0. */
    private static Fault paths(BiConsumer<Integer, ObjectNode> change) {
        int[] n = {0};
        return new Fault().lie("paths", answer -> {
            answer.get("paths").forEach(path -> change.accept(n[0], (ObjectNode) path));
            n[0]++;
        });
    }

    private static Fault whole(BiConsumer<Integer, ObjectNode> change) {
        int[] n = {0};
        return new Fault().lie("paths", answer -> change.accept(n[0]++, answer));
    }

    private static void windows(Mutants to) {
        to.add(
                "more is in flight than the window permits",
                "CC-06",
                "R-CC-003",
                () -> paths(
                        (n, path) -> path.put("inflight", 2 * path.get("window").asLong() + 10_000)));
        to.add(
                "marks of one path cut the connection",
                "CC-01",
                "R-CC-004",
                () -> whole((n, answer) -> answer.put(
                        "window",
                        n < 3
                                ? answer.get("window").asLong()
                                : answer.get("window").asLong() / 2)));
        to.add(
                "several cuts in one round",
                "CC-01",
                "R-CC-009",
                () -> paths((n, path) -> path.put(
                        "window",
                        n < 2 ? path.get("window").asLong() : path.get("window").asLong() / 4)));
        to.add(
                "a window grows though nobody uses it",
                "CC-10",
                "R-CC-010",
                () -> paths((n, path) -> path.put("window", path.get("window").asLong() + 4096L * n)));
        to.add("a mark takes only what is used", "CC-05", "R-CC-016", () -> {
            long[] most = {0};
            return paths((n, path) -> {
                most[0] = Math.max(most[0], path.get("window").asLong());
                path.put("window", most[0]);
            });
        });
        to.add(
                "a marked path goes on as before",
                "CC-04",
                "R-CC-002",
                () -> new Fault().out(p -> isSlot(p) && p.get("msn") == 1, field("path_id", 0)));
        to.add("long bursts take one path", "CC-13", "R-CC-013", () -> {
            List<Packet> kept = new ArrayList<>();
            boolean[] isOver = {false};
            return new Fault().outMany(p -> isSlot(p) && !isOver[0], p -> {
                kept.add(p);
                if (kept.size() < 16) {
                    return List.of();
                }
                isOver[0] = true;
                kept.sort(Comparator.comparingLong(each -> each.get("path_id")));
                return List.copyOf(kept);
            });
        });
        to.add(
                "a window of long ago is used again",
                "HINT-05",
                "R-HINT-005",
                () -> new Fault()
                        .outMany(
                                p -> isSlot(p) && p.get("msn") >= 8,
                                p -> List.of(p, p.copy().set("tx_stamp", p.get("tx_stamp") + 1), p)));
    }

    private static void losses(Mutants to) {
        to.add("the tolerance of reordering never rises", "LOSS-02", "R-LOSS-006", () -> {
            long[] resent = {0};
            return new Fault()
                    .outMany(Mutants::isAgain, p -> {
                        resent[0] = p.get("tx_stamp");
                        return List.of(p);
                    })
                    .in(named("ACK"), blocks(b -> b.put("echo_stamp", Math.max(b.get("echo_stamp"), resent[0]))));
        });
        to.add("a passed slot waits long", "LOSS-02", "R-LOSS-011", () -> {
            int[] n = {0};
            return new Fault().delay(500_000, p -> isAgain(p) && n[0]++ > 0);
        });
        to.add(
                "timeouts do not back off",
                "REL-13",
                "R-LOSS-008",
                () -> new Fault()
                        .outMany(Mutants::isTail, p -> List.of(p, p.copy().set("tx_stamp", p.get("tx_stamp") + 1))));
        to.add(
                "acknowledged slots go again",
                "REL-07",
                "R-PATH-020",
                () -> new Fault()
                        .outMany(
                                Mutants::isAgain,
                                p -> List.of(
                                        p,
                                        p.copy().set("psn", p.get("psn") - 1).set("tx_stamp", p.get("tx_stamp") + 1))));
        to.add("losses are repaired twice", "LOSS-01", "R-LOSS-002", twice());
        to.add("acknowledged slots that wait go again", "REL-11", "R-PATH-020", twice());
    }

    private static Supplier<Fault> twice() {
        Consumer<Packet> later = p -> p.set("tx_stamp", p.get("tx_stamp") + 1);
        return () -> new Fault().outMany(Mutants::isAgain, p -> {
            Packet second = p.copy();
            later.accept(second);
            return List.of(p, second, p);
        });
    }
}

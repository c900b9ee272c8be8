package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The whole engine under every set of losses up to a bound: two paths, small windows, a message each way, and each
 * subset of the first packets of both hosts lost, on links that keep order, on links that do not, and with every packet
 * delivered twice. Nothing is drawn at random: what passes here holds for all of these worlds.
 */
class LossExplorationTest {
    /** Packets of each host that may be lost; {@code -Dmetaroce.exploration.packets=16} for a longer look. */
    private static final int PACKETS = Integer.getInteger("metaroce.exploration.packets", 12);

    /** Losses at once; {@code -Dmetaroce.exploration.losses=3}. */
    private static final int LOSSES = Integer.getInteger("metaroce.exploration.losses", 2);

    private static final int IN_ORDER_NS = 0;
    private static final int OVERTAKING_NS = 2_500;
    private static final String TRAFFIC = "heal 2000000; talk 0 1 drained a 0;"
            + "op 0 0 a send_with_imm 3000 0 0 none; op 0 0 b rdma_write_with_imm 2000 0 0 none;"
            + "op 0 1 a rdma_read 2500 0 0 none; op 0 1 a atomic_fetch_and_add 8 0 0 none";

    private final List<String> wrong = new ArrayList<>();
    private int runs;

    @Test
    void everySetOfLossesOnLinksThatKeepOrder() {
        explore(IN_ORDER_NS, List.of());
    }

    @Test
    void everySetOfLossesWhilePacketsOvertakeEachOther() {
        explore(OVERTAKING_NS, List.of());
    }

    @Test
    void everySetOfLossesWhileEverythingArrivesTwice() {
        explore(OVERTAKING_NS, List.of("at 0us link * dup 100% within 3us"));
    }

    private void explore(int skewNs, List<String> always) {
        SwarmCase base = CaseText.parse(
                "seed 1; net pair 2 1 2 100 1000 " + skewNs + " 0 nomark;" + "side 1024 2 4 1 4096 2 16;" + TRAFFIC);
        lose(base.withFaults(always), always, new ArrayList<>(), 0);
        assertThat(wrong).as("of %d interleavings", runs).isEmpty();
        assertThat(runs).isGreaterThan(PACKETS);
    }

    // Depth first: this set, then every set with one more packet beyond its last.
    private void lose(SwarmCase base, List<String> always, List<Integer> lost, int next) {
        List<String> faults = new ArrayList<>(always);
        mask("a", lost, 0, faults);
        mask("b", lost, PACKETS, faults);
        SwarmCase one = base.withFaults(faults);
        CaseRunner.Outcome outcome = CaseRunner.run(one);
        runs++;
        if (!outcome.isRight()) {
            wrong.add(CaseText.line(one) + "\n" + outcome.fault());
        }
        for (int i = next; i < 2 * PACKETS && lost.size() < LOSSES; i++) {
            lost.add(i);
            lose(base, always, lost, i + 1);
            lost.remove(lost.size() - 1);
        }
    }

    private static void mask(String host, List<Integer> lost, int from, List<String> faults) {
        StringBuilder numbers = new StringBuilder();
        for (int one : lost) {
            if (one >= from && one < from + PACKETS) {
                numbers.append(' ').append(one - from + 1);
            }
        }
        if (!numbers.isEmpty()) {
            faults.add("drop " + host + " all" + numbers);
        }
    }
}

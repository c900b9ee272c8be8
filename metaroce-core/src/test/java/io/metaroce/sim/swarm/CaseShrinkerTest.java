package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How far cases shrink, with predicates in place of runs. */
class CaseShrinkerTest {
    private static final int RUNS = 2_000;

    private static SwarmCase large() {
        return CaseText.parse("seed 1; net leaf_spine 3 4 3 100 1000 0 32 mark; side 4096 8 16 4 4096 9 16;"
                + "options udp 512 8 16 3 keyed; limits 64 8 16 8 1024 4 128; clock 0 100 5; order 0 10 park 1;"
                + "fault at 1us link * loss 1%; fault at 2us link * dup 1%; heal 1000000;"
                + "talk 0 1 drained a 0 7; talk 1 2 aborted b 50 9;"
                + "op 0 3 a send 5000 10 20 none fenced; op 1 2 b rdma_write 9000 30 0 none ordered");
    }

    @Test
    void whateverCanGoGoesAndThenItStops() {
        AtomicInteger runs = new AtomicInteger();
        SwarmCase small = CaseShrinker.shrink(large(), one -> runs.incrementAndGet() > 0, RUNS);
        assertThat(CaseText.line(small))
                .isEqualTo("seed 1; net leaf_spine 3 1 1 100 1000 0 0 mark; side 4096 1 64 1 4096 4 16;"
                        + " heal 1000000; talk 0 1 drained a 0");
        assertThat(runs.get()).isLessThan(RUNS / 10);
    }

    @Test
    void whatIsNeededStays() {
        SwarmCase small = CaseShrinker.shrink(large(), CaseShrinkerTest::isNeeded, RUNS);
        assertThat(CaseText.line(small))
                .isEqualTo("seed 1; net leaf_spine 3 1 3 100 1000 0 0 mark; side 4096 1 64 1 4096 4 16;"
                        + " options model 512 8 0 7 unkeyed; limits 1024 128 0 64 0 4 64; heal 1000000;"
                        + " talk 1 2 drained a 0; op 0 0 b rdma_write 1125 30 0 none ordered");
    }

    private static boolean isNeeded(SwarmCase one) {
        return one.net().spread() == 3
                && one.options().trackPackets() == 512
                && one.limits().sharedReceives() == 4
                && one.ops().stream().anyMatch(op -> op.isOrdered() && op.size() > 1000 && op.postNs() == 30);
    }
}

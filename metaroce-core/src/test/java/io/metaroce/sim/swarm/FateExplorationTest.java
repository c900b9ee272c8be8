package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole engine under every interleaving up to a bound: two paths of two links, a few small packets, and each of the
 * first packets after the handshake delivered, lost, doubled or overtaken. Nothing is drawn at random.
 *
 * <p>{@code -Dmetaroce.exploration.window=20 -Dmetaroce.exploration.fates=3} for a longer look.
 */
class FateExplorationTest {
    private static final int WINDOW = Integer.getInteger("metaroce.exploration.window", 8);
    private static final int FATES = Integer.getInteger("metaroce.exploration.fates", 2);
    private static final int RUNS = Integer.getInteger("metaroce.exploration.runs", 1 << 24);
    private static final int HANDSHAKE = 6; // packets before the first that carries work
    private static final String WORLD = "seed 1; net pair 2 1 2 100 1000 700 0 nomark; side 1024 2 4 1 256 2 8;"
            + "limits 4 2 2 4 0 0 64; heal 100000;";

    /** What is done, in few packets each. */
    enum Work {
        WRITE("talk 0 1 drained a 0; op 0 0 a rdma_write 2500 0 0 none; op 0 0 a rdma_write_with_imm 10 0 0 none"),
        ORDERED("talk 0 1 drained a 0; op 0 0 a rdma_write 1500 0 0 none; op 0 0 a rdma_write 8 0 0 none ordered;"
                + "op 0 0 a rdma_write 8 0 0 none ordered"),
        SEND("talk 0 1 drained b 0; op 0 0 a send 2500 0 0 none; op 0 1 b send_with_imm 10 0 0 none"),
        SEND_WITHOUT_RECEIVE("options model 256 4 0 6 unkeyed; talk 0 1 drained a 0; op 0 0 a send 1500 0 30000 none;"
                + "op 0 0 a send 10 0 30000 none"),
        SEND_INTO_SHARED("limits 4 2 2 4 0 1 64; talk 0 1 drained a 0; op 0 0 a send 1500 0 0 none;"
                + "op 0 1 a send 10 0 0 none"),
        READ("talk 0 1 drained a 0; op 0 0 a rdma_read 2500 0 0 none; op 0 0 a rdma_write 10 0 0 none fenced"),
        ATOMIC("talk 0 1 drained a 0; op 0 0 a atomic_fetch_and_add 8 0 0 none;"
                + "op 0 0 a atomic_cmp_and_swp 8 0 0 none; op 0 0 b atomic_swp 8 0 0 none"),
        REFUSED("talk 0 1 drained a 0; op 0 0 a rdma_write 2500 0 0 bad_key; op 0 0 a send 10 0 0 none;"
                + "op 0 1 a send 10 0 0 none"),
        ENCRYPTED("options model 256 4 2 7 unkeyed; talk 0 1 drained a 0; op 0 0 a send 2500 0 0 none"),
        CLOSE("talk 0 1 closed b 9000; op 0 0 a rdma_write 2500 0 0 none; op 0 0 b send 10 0 0 none"),
        ABORT("talk 0 1 aborted b 9000; op 0 0 a rdma_write 2500 0 0 none; op 0 0 b rdma_read 1500 0 0 none");

        private final String text;

        Work(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyInterleavingOfTheFirstPacketsOfWork(Work work) {
        explore(work, HANDSHAKE + 1, HANDSHAKE + WINDOW, FATES);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "CLOSE"})
    void everyInterleavingOfTheHandshake(Work work) {
        explore(work, 1, HANDSHAKE, FATES);
    }

    @Test
    void theSearchIsTheSameEachTime() {
        SwarmCase base = CaseText.parse(WORLD + Work.SEND.text);
        List<String> fates = List.of("drop", "late 1us");
        FateExplorer one = new FateExplorer(base, fates, 7, 12, 2, RUNS).explore();
        FateExplorer two = new FateExplorer(base, fates, 7, 12, 2, RUNS).explore();
        assertThat(one.traces()).isEqualTo(two.traces());
        // None, one of six packets, two of them: the tree is walked whole.
        assertThat(one.runs()).isEqualTo(1 + 6 * 2 + 15 * 4);
    }

    private static void explore(Work work, int first, int last, int fates) {
        SwarmCase base = CaseText.parse(WORLD + work.text);
        FateExplorer explorer = new FateExplorer(base, FateExplorer.FATES, first, last, fates, RUNS).explore();
        assertThat(explorer.wrong()).as("of %d interleavings", explorer.runs()).isEmpty();
        assertThat(explorer.isCut()).isFalse();
    }
}

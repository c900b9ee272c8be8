package io.metaroce.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receives of a stream are posted in turn also while the other end of the rings makes room at any moment. */
class ReceivesInTurnTest {
    private static final Task TASK = Task.of(Collective.ALL_REDUCE, Algorithm.RING, 2, 4096)
            .withSlices(8)
            .withStreams(2)
            .withTransfer(Transfer.SEND);

    @Test
    void roomThatAppearsMeanwhileIsForTheOneThatWaitsLongest() {
        Program program = Schedules.compile(TASK).get(0);
        List<Integer> asked = new ArrayList<>();
        RankIo io = new RankIo() {
            @Override
            public Posted post(Program of, int node, int immediate) {
                asked.add(node);
                return asked.size() == 1 ? Posted.FULL : Posted.UNDER_WAY;
            }

            @Override
            public long poll() {
                return NOTHING;
            }

            @Override
            public long nowNs() {
                return 0;
            }
        };
        ProgramRunner runner = new ProgramRunner(io, program.nodes(), 4);
        runner.begin(program);
        int refused = asked.get(0);
        List<Integer> rest = asked.subList(1, asked.size());
        assertThat(rest).as("those of other streams").isNotEmpty();
        assertThat(rest).allMatch(node -> program.stream(node) != program.stream(refused));
        int ofItsStream = 0;
        for (int node = 0; node < program.nodes(); node++) {
            boolean isReceive = program.op(node) == Op.RECV_INTO;
            ofItsStream += isReceive && program.stream(node) == program.stream(refused) ? 1 : 0;
        }
        assertThat(ofItsStream).as("others of the stream were to be posted too").isGreaterThan(1);
    }
}

package io.metaroce.bench.alloc;

import io.metaroce.collective.Algorithm;
import io.metaroce.collective.Collective;
import io.metaroce.collective.Op;
import io.metaroce.collective.Program;
import io.metaroce.collective.ProgramRunner;
import io.metaroce.collective.RankIo;
import io.metaroce.collective.Schedules;
import io.metaroce.collective.Task;
import org.junit.jupiter.api.Test;

/** A compiled collective operation allocates nothing while it runs. */
class CollectiveAllocationTest {
    private static final int ARRIVED_RUN_SHIFT = 20;
    private static final int ARRIVED_RUN_MASK = 0xFFF;

    private final AloneIo io = new AloneIo();

    @Test
    void aRunAllocatesNothing() {
        Program program = Schedules.compile(Task.of(Collective.ALL_REDUCE, Algorithm.RING, 16, 16 * 64 * 4)
                        .withSlices(8))
                .get(0);
        ProgramRunner runner = new ProgramRunner(io, program.nodes(), 4);
        AllocationMeter meter = new AllocationMeter("runs");
        meter.expectNothing(50, () -> {
            for (int i = 0; i < 50; i++) {
                meter.measure(0, () -> run(runner, program));
            }
        });
    }

    // All messages that others would send arrive in the order of the nodes that hear of them.
    private void run(ProgramRunner runner, Program program) {
        io.run++;
        runner.begin(program);
        for (int node = 0; node < program.nodes(); node++) {
            if (program.op(node) == Op.RECV) {
                io.arrival = RankIo.ARRIVED | ((long) (io.run & ARRIVED_RUN_MASK) << ARRIVED_RUN_SHIFT) | node;
                boolean unused = runner.turn();
            }
        }
        if (!runner.turn()) {
            throw new IllegalStateException("the run is not done");
        }
    }

    /** A rank whose peers exist only as arrivals. */
    private static final class AloneIo implements RankIo {
        private long arrival = NOTHING;
        private int run;

        @Override
        public Posted post(Program program, int node, int immediate) {
            return Posted.DONE;
        }

        @Override
        public long poll() {
            long event = arrival;
            arrival = NOTHING;
            return event;
        }

        @Override
        public long nowNs() {
            return 0;
        }
    }
}

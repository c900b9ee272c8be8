package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import io.metaroce.trace.Counter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Atomics through the real engine: each counts once, in the order of posting, whatever the links do. */
class AtomicSimTest {
    private static final int ATOMICS = 2000;
    private static final int COUNTER = 512;
    private static final long LIMIT_NS = 5_000_000_000L;
    private static final WrOpcode[] OPCODES = {
        WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_SWP
    };

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Covers({"R-ATOM-001", "R-ATOM-002", "R-READ-004"})
    void everyAtomicCountsOnceOverRoughLinks(long seed) {
        Transfer transfer = new Transfer(job(seed).with(Transfer.ROUGH));
        transfer.connect();
        run(transfer, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    @Covers("R-ATOM-001")
    void everyAtomicCountsOnceAlthoughPathsFail(long seed) {
        Transfer transfer = new Transfer(job(seed).over(Topology.Pair.skewed(2)).with(Transfer.ROUGH));
        transfer.world.faults(FaultScript.parse("at 40us plane 1 down\nat 400us plane 1 up\nat 900us plane 0 down"));
        transfer.connect();
        run(transfer, seed);
        long rebound = transfer.a.host.endpoint().counters().get(Counter.PATHS_REBOUND)
                + transfer.b.host.endpoint().counters().get(Counter.PATHS_REBOUND);
        assertThat(rebound).isPositive();
    }

    static Job job(long seed) {
        Integer[] sizes = new Integer[ATOMICS];
        Arrays.fill(sizes, 8);
        return Job.of(seed, WrOpcode.ATOMIC_FETCH_AND_ADD, sizes);
    }

    static void run(Transfer transfer, long seed) {
        ByteBuffer near = transfer.a.app.memory().duplicate().order(ByteOrder.nativeOrder());
        ByteBuffer far = transfer.b.app.memory().duplicate().order(ByteOrder.nativeOrder());
        Random random = new Random(seed);
        long value = far.getLong(COUNTER);
        List<Long> found = new ArrayList<>();
        for (int i = 0; i < ATOMICS; i++) {
            WrOpcode opcode = OPCODES[random.nextInt(OPCODES.length)];
            long operand = random.nextLong();
            boolean matches = random.nextBoolean();
            found.add(value);
            switch (opcode) {
                case ATOMIC_FETCH_AND_ADD -> {
                    post(transfer, i, opcode, operand, 0);
                    value += operand;
                }
                case ATOMIC_CMP_AND_SWP -> {
                    post(transfer, i, opcode, matches ? value : value + 1, operand);
                    value = matches ? operand : value;
                }
                default -> {
                    post(transfer, i, opcode, 0, operand);
                    value = operand;
                }
            }
        }
        assertThat(transfer.world.runUntil(() -> transfer.a.app.poll().size() == ATOMICS, LIMIT_NS))
                .as("all are done: %s", transfer.a.state())
                .isTrue();
        for (int i = 0; i < ATOMICS; i++) {
            App.Done done = transfer.a.app.done().get(i);
            assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.wrId()).isEqualTo(i);
            assertThat(near.getLong(COUNTER + 8 * i))
                    .as("what atomic %d found", i)
                    .isEqualTo(found.get(i));
        }
        assertThat(far.getLong(COUNTER)).isEqualTo(value);
    }

    private static void post(Transfer transfer, int i, WrOpcode opcode, long compareAdd, long swap) {
        transfer.a.app.postAtomic(i, opcode, COUNTER + 8 * i, transfer.b.app.at(COUNTER, 0), compareAdd, swap);
    }
}

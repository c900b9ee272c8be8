package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import io.metaroce.trace.Counter;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every slot takes effect exactly once, whatever of data, resends and reports is lost, late or double. */
class ExactlyOnceSimTest {
    private static final int MIB = 1 << 20;
    private static final int P = Transfer.PAYLOAD;
    private static final long MS = 1_000_000;

    @Test
    @Covers({"R-ACK-008", "R-PATH-005"})
    void anyOneReportMayBeLost() {
        for (int number = 1; number <= 10; number++) {
            run(Job.of(31, WrOpcode.SEND_WITH_IMM, 0, 3 * P, 1, 9 * P + 5), "drop b ack " + number);
        }
    }

    @Test
    @Covers({"R-LOSS-003", "R-PATH-005"})
    void resendsMayBeLostAgainAndAgain() {
        Transfer transfer =
                run(Job.of(32, WrOpcode.SEND_WITH_IMM, MIB, 0, 77, 3 * P), "at 30us link * loss 40%\nat 20ms heal all");
        assertThat(transfer.a.host.counters().get(Counter.RETRANSMIT_GAP)).isGreaterThan(20);
    }

    @Test
    @Covers({"R-LOSS-004", "R-LOSS-005"})
    void theTailMayBeLost() {
        for (int packets = 1; packets <= 6; packets++) {
            run(Job.of(33, WrOpcode.SEND, packets * P), "drop a data " + packets);
            // The flush probe that would tell of it as well.
            run(Job.of(33, WrOpcode.SEND, packets * P), "drop a data " + packets + "\ndrop a probe 1");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @Covers({"R-PATH-012", "R-PATH-014", "R-PATH-016", "R-PATH-020"})
    void pathsMayChangeTheirRouteWhilePacketsAreLost(long seed) {
        Transfer transfer = run(
                Job.of(seed, WrOpcode.SEND_WITH_IMM, 2 * MIB, 0, MIB).over(Topology.Pair.skewed(2)),
                "at 20us link * loss 5%\nat 60us plane 1 down\nat 4ms plane 1 up\nat 5ms plane 0 down\nat 8ms heal all");
        assertThat(transfer.a.host.counters().get(Counter.PATHS_REBOUND)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7, 8})
    @Covers({"R-MEM-001", "R-PATH-012", "R-MEM-006"})
    void copiesThatComeAfterTheBufferIsUsedAgainChangeNothing(long seed) {
        LinkConfig.Faults late = LinkConfig.Faults.NONE.withLoss(20_000, 1).withDuplicates(300_000, 50 * SimTime.MS);
        Transfer transfer = new Transfer(Job.of(seed, WrOpcode.RDMA_WRITE, MIB, MIB)
                .over(Topology.Pair.skewed(2))
                .with(late));
        transfer.world.faults(FaultScript.parse("at 60us plane 1 down\nat 2ms plane 1 up"));
        transfer.connect();
        transfer.post();
        assertThat(transfer.world.runUntil(() -> transfer.a.app.poll().size() == 2, 1000 * MS))
                .isTrue();
        ByteBuffer reused = transfer.b.app.memory();
        for (int i = 0; i < reused.capacity(); i++) {
            reused.put(i, (byte) (i * 31));
        }
        long before = transfer.b.host.counters().get(Counter.RX_DUPLICATES);
        transfer.world.run(100 * MS);
        assertThat(transfer.b.host.counters().get(Counter.RX_DUPLICATES)).isGreaterThan(before + 10);
        assertThat(transfer.a.host.counters().get(Counter.PATHS_REBOUND)).isPositive();
        for (int i = 0; i < reused.capacity(); i++) {
            if (reused.get(i) != (byte) (i * 31)) {
                throw new AssertionError("byte " + i + " was written by a copy, seed " + seed);
            }
        }
    }

    @Test
    @Covers({"R-PATH-002", "R-PATH-006", "R-PATH-013"})
    void stampsMayWrapThreeTimesUnderLossAndReordering() {
        long turnNs = (1L << 32) * 16;
        Transfer transfer = new Transfer(Job.of(34, WrOpcode.RDMA_WRITE, MIB, MIB, MIB, MIB)
                .with(Transfer.ROUGH.withReordering(20_000, 3, 20 * SimTime.US)));
        for (int turn = 1; turn <= 3; turn++) {
            transfer.world.run(turn * turnNs - 150_000 - transfer.world.nowNs());
            if (turn == 1) {
                transfer.connect();
            }
            int expected = 4 * turn;
            transfer.post(); // the same writes once more
            assertThat(transfer.world.runUntil(() -> transfer.a.app.poll().size() == expected, 1000 * MS))
                    .isTrue();
            assertThat(transfer.world.nowNs()).isGreaterThan(turn * turnNs);
        }
        assertThat(transfer.a.host.counters().get(Counter.RETRANSMIT_GAP)).isPositive();
        transfer.close();
    }

    @Test
    @Covers({"R-READ-001", "R-READ-002", "R-PATH-005"})
    void anyOneResponseOfAReadMayBeLost() {
        for (int number = 1; number <= 14; number++) {
            run(Job.of(35, WrOpcode.RDMA_READ, 0, 3 * P, 1, 9 * P + 5), "drop b data " + number);
            // And the report that would have told of it.
            run(Job.of(35, WrOpcode.RDMA_READ, 0, 3 * P, 1, 9 * P + 5), "drop b data " + number + "\ndrop a ack 2 3");
        }
    }

    private static Transfer run(Job job, String faults) {
        Transfer transfer = new Transfer(job);
        transfer.world.faults(FaultScript.parse(faults));
        transfer.run();
        return transfer;
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Transfer.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole transfers through the real engine: every byte, every completion, every invariant. */
class TransferSimTest {
    private static final int P = Transfer.PAYLOAD;
    private static final int MIB = 1 << 20;

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"})
    @Covers({"R-ORD-001", "R-ORD-002", "R-ORD-006", "R-READ-001", "R-READ-002"})
    void everySizeArrivesWhole(WrOpcode opcode) {
        Job job = Job.of(1, opcode, 0, 1, P - 1, P, P + 1, 2 * P + 1);
        assertThat(Transfer.run(job)).isEqualTo(Transfer.run(job));
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"})
    @Covers({"R-ORD-001", "R-ORD-002", "R-MEM-001", "R-LOSS-001", "R-LOSS-002"})
    void everySizeArrivesWholeOverRoughLinks(WrOpcode opcode) {
        Job job = Job.of(2, opcode, 0, 1, P - 1, P, P + 1, 2 * P + 1).with(Transfer.ROUGH);
        assertThat(Transfer.run(job)).isEqualTo(Transfer.run(job));
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"})
    void sixteenMebibytesArriveWhole(WrOpcode opcode) {
        Transfer.run(Job.of(3, opcode, 16 * MIB));
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"SEND", "SEND_WITH_IMM", "SEND_WITH_INV", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ"})
    void sixteenMebibytesArriveWholeOverRoughLinks(WrOpcode opcode) {
        Job job = Job.of(4, opcode, 16 * MIB).with(Transfer.ROUGH);
        assertThat(Transfer.run(job)).isEqualTo(Transfer.run(job));
    }

    @Test
    void anySeedHolds() {
        assertThat(SeedSweep.run(1, Integer.getInteger("metaroce.seeds", 40))).isEmpty();
    }

    @Test
    void anyCrowdHolds() {
        assertThat(Crowd.run(1, Integer.getInteger("metaroce.seeds", 40))).isEmpty();
    }
}

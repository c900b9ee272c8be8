package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.Loop;
import io.metaroce.param.Profiles;
import io.metaroce.param.SchedulerConfig;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import org.junit.jupiter.api.Test;

/** Whole engines that run allocate nothing per packet, message, acknowledgement or resend, on either side. */
class EngineAllocationTest {
    private static final int ROUNDS = 150;
    private static final int PACKETS = 128;
    private static final int OPERATIONS = ROUNDS * PACKETS;
    private static final long ACK_DELAY_NS = 250_000;

    private static void round(Loop loop, AllocationMeter meter) {
        meter.measure(0, loop::refill);
        meter.measure(1, () -> loop.send(PACKETS));
        loop.forth().assemble();
        meter.measure(2, loop::deliver);
        meter.measure(3, () -> loop.pass(ACK_DELAY_NS));
        meter.measure(4, loop::report);
        loop.back().assemble();
        meter.measure(5, loop::deliverReports);
    }

    private static void expectNothing(Loop loop) {
        AllocationMeter meter =
                new AllocationMeter("post and poll", "send", "receive", "time", "report", "acknowledged");
        meter.expectNothing(OPERATIONS, () -> {
            for (int i = 0; i < ROUNDS; i++) {
                round(loop, meter);
            }
        });
        assertThat(loop.completed()).as("messages").isGreaterThan(50);
        assertThat(loop.sender().failures() + loop.receiver().failures()).isZero();
        assertThat(loop.receiver().counters().dropsTotal()).isZero();
        assertThat(loop.sender().counters().dropsTotal()).isZero();
    }

    @Test
    void bulkWrites() {
        Loop loop = Loop.bulk();
        expectNothing(loop);
        assertThat(loop.receiver().counters().get(Counter.RX_PAYLOAD_BYTES)).isGreaterThan(1L << 26);
    }

    @Test
    void bulkWritesOfOnePacketAPathInARow() {
        expectNothing(new Loop(Profiles.udp().withScheduler(new SchedulerConfig(1)), WrOpcode.RDMA_WRITE, 1 << 20, 16));
    }

    @Test
    void smallWritesWithImmediates() {
        expectNothing(new Loop(Profiles.udp(), WrOpcode.RDMA_WRITE_WITH_IMM, 64, 256));
    }

    @Test
    void smallSends() {
        expectNothing(new Loop(Profiles.udp(), WrOpcode.SEND, 64, 256));
    }

    @Test
    void lossAndResends() {
        Loop loop = Loop.bulk().loseEvery(50);
        expectNothing(loop);
        assertThat(loop.sender().counters().get(Counter.RETRANSMIT_GAP)).isGreaterThan(100);
    }
}

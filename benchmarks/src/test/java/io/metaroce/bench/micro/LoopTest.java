package io.metaroce.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import org.junit.jupiter.api.Test;

/** The coupled engines do what the benchmarks take for granted. */
class LoopTest {
    private static final long STEP_NS = 100_000;

    @Test
    void everyPacketThatIsSentIsAcknowledged() {
        Loop loop = Loop.bulk();
        long sent = 0;
        for (int i = 0; i < 100; i++) {
            sent += loop.round(256);
        }
        assertThat(sent).isGreaterThan(100 * 128);
        assertThat(loop.sender().counters().get(Counter.TX_SLOTS))
                .isEqualTo(loop.receiver().counters().get(Counter.RX_SLOTS));
        assertThat(loop.sender().counters().get(Counter.RETRANSMIT_GAP)).isZero();
        assertThat(loop.receiver().counters().get(Counter.RX_DUPLICATES)).isZero();
    }

    @Test
    void whatASenderThatReadsNoPayloadSendsIsTaken() {
        Loop loop = Loop.bulkUnread();
        for (int i = 0; i < 50; i++) {
            loop.round(256);
        }
        assertThat(loop.completed()).isGreaterThan(10);
        assertThat(loop.receiver().counters().get(Counter.RX_SLOTS))
                .isEqualTo(loop.sender().counters().get(Counter.TX_SLOTS));
        assertThat(loop.receiver().counters().dropsTotal()).isZero();
    }

    // Covers R-HEALTH-003, R-PATH-016
    @Test
    void aPathCutUnderTheLastMessagesOfATransferIsFoundAlthoughNothingElseIsUnderWay() {
        Loop loop = new Loop(Profiles.udp(), WrOpcode.RDMA_WRITE, 1 << 16, 16);
        for (int i = 0; i < 50; i++) {
            loop.round(128);
        }
        loop.cut(5);
        loop.refill();
        long fromNs = loop.nowNs();
        long last = loop.completed() + 16;
        while (loop.completed() < last && loop.nowNs() - fromNs < 1_000_000_000) {
            loop.send(256);
            loop.forth().assemble();
            loop.deliver();
            loop.report();
            loop.back().assemble();
            loop.deliverReports();
            loop.pass(STEP_NS);
            loop.collect();
        }
        assertThat(loop.completed()).as("messages").isEqualTo(last);
        // On a borrowed route at once, and perhaps on a new one of its own already.
        assertThat(loop.sender().counters().get(Counter.PATHS_REBOUND)).isBetween(1L, 2L);
    }
}

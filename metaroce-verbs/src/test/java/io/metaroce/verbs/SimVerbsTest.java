package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.Profiles;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract in the simulator, and what only a world whose time stands still between calls can show. */
final class SimVerbsTest extends VerbsContract {
    @Override
    VerbsWorld open() {
        return new SimWorld(impatient(Profiles.model()));
    }

    @Test
    void anUnsolicitedResultDoesNotEndASolicitedWait() throws Exception {
        try (VerbsWorld world = open()) {
            Connected both = Connected.with(world);
            assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(1))).isTrue();
            assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(2))).isTrue();
            WorkCompletion[] some = new WorkCompletion[4];
            long began = nowNs(both.server.device);
            assertThat(both.client.qp().postSend(SendWorkRequest.send(1).build()))
                    .isTrue();
            assertThat(both.server.queue.awaitSolicited(some, Duration.ofMillis(100)))
                    .isEqualTo(1);
            long afterUnsolicited = nowNs(both.server.device);
            assertThat(afterUnsolicited - began).isGreaterThanOrEqualTo(100_000_000L);
            assertThat(both.client
                            .qp()
                            .postSend(SendWorkRequest.send(2)
                                    .with(SendFlag.SOLICITED)
                                    .build()))
                    .isTrue();
            assertThat(both.server.queue.awaitSolicited(some, LONG)).isEqualTo(1);
            assertThat(nowNs(both.server.device) - afterUnsolicited).isLessThan(1_000_000L);
        }
    }

    @Test
    void eventsAreModeratedByCountAndByPeriod() throws Exception {
        try (VerbsWorld world = open()) {
            Connected both = Connected.with(world);
            CompletionQueue queue = both.server.queue;
            for (int i = 0; i < 5; i++) {
                assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(i)))
                        .isTrue();
            }
            queue.moderate(CompletionModeration.of(4, Duration.ofMillis(3)));
            queue.requestNotify(false);
            long began = nowNs(both.server.device);
            for (int i = 0; i < 4; i++) {
                assertThat(queue.awaitEvent(Duration.ofNanos(200_000))).isFalse();
                assertThat(both.client.qp().postSend(SendWorkRequest.send(i).build()))
                        .isTrue();
            }
            assertThat(queue.awaitEvent(LONG)).as("four results").isTrue();
            assertThat(nowNs(both.server.device) - began).isLessThan(2_000_000L);
            assertThat(queue.poll(new WorkCompletion[8])).isEqualTo(4);
            queue.requestNotify(false);
            began = nowNs(both.server.device);
            assertThat(both.client.qp().postSend(SendWorkRequest.send(4).build()))
                    .isTrue();
            assertThat(queue.awaitEvent(LONG)).as("the period").isTrue();
            assertThat(nowNs(both.server.device) - began).isBetween(3_000_000L, 4_000_000L);
            assertThat(queue.poll(new WorkCompletion[8])).isEqualTo(1);
        }
    }

    @Test
    void twoRunsAreTheSameToTheLastPacket() throws Exception {
        assertThat(traceOfARun()).isEqualTo(traceOfARun());
    }

    private static long traceOfARun() throws Exception {
        SimWorld world = new SimWorld(impatient(Profiles.model()));
        Connected both = Connected.with(world, 8, how -> how);
        Connected more = Connected.with(world, 8, how -> how);
        MemoryRegion from = both.client.pattern(10_000, 1);
        MemoryRegion to = both.server.region(10_000, AccessFlag.REMOTE_WRITE);
        for (QueuePair queuePair : both.client.queuePairs) {
            for (int i = 0; i < 10; i++) {
                assertThat(queuePair.postWrite(
                                i, from.lkey(), 0, 10_000, to.address(), to.rkey(), SendFlag.SIGNALED.value()))
                        .isTrue();
            }
        }
        more.client.queuePairs.get(3).close();
        both.client.next(80);
        world.close();
        return world.world().trace().value();
    }

    private static long nowNs(Device device) {
        return device.engine().nowNs(device);
    }
}

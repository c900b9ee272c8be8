package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static io.metaroce.verbs.Connected.bytesOf;
import static io.metaroce.verbs.Connected.patternOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.trace.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several queue pairs that take their receives from one queue, wherever they run. */
@Timeout(120)
class SharedReceiveTest {
    private static final int SIGNALED = SendFlag.SIGNALED.value();
    private static final int ROOM = 10_000;

    /** Where the two devices are. */
    enum Where {
        SIMULATOR {
            @Override
            VerbsWorld open() {
                return new SimWorld(VerbsContract.impatient(Profiles.model()));
            }
        },
        LOSSY_SIMULATOR {
            @Override
            VerbsWorld open() {
                LinkConfig.Faults faults = LinkConfig.Faults.NONE
                        .withLoss(20_000, 1)
                        .withDuplicates(10_000, SimTime.US)
                        .withReordering(20_000, 3, SimTime.US);
                return new SimWorld(
                        VerbsContract.impatient(Profiles.model()),
                        LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20).withFaults(faults));
            }
        },
        SOCKETS {
            @Override
            VerbsWorld open() {
                return new UdpWorld(VerbsContract.impatient(Profiles.udp()));
            }
        };

        abstract VerbsWorld open();
    }

    /** Connected sides; the server's queue pairs share their receives. */
    private record Setup(Connected both, SharedReceiveQueue shared, MemoryRegion inbox) {
        static Setup of(VerbsWorld world, int queuePairs, int depth) throws Exception {
            return of(world, queuePairs, depth, 7);
        }

        static Setup of(VerbsWorld world, int queuePairs, int depth, int rnrRetries) throws Exception {
            Connected both = Connected.apart(world, 0, how -> how);
            SharedReceiveQueue shared = both.server.domain.createSharedReceiveQueue(depth, 2);
            for (int i = 0; i < queuePairs; i++) {
                both.client.queuePairs.add(both.client.domain.createQueuePair(
                        QpInitAttributes.of(both.client.queue).withRnrRetries(rnrRetries)));
                both.server.queuePairs.add(both.server.domain.createQueuePair(QpInitAttributes.of(both.server.queue)
                        .withSharedReceiveQueue(shared)
                        .withRnrDelay(Duration.ofMillis(2))));
            }
            both.connect(world);
            return new Setup(both, shared, both.server.region(depth * ROOM, AccessFlag.LOCAL_WRITE));
        }

        void receive(int slot) {
            assertThat(shared.postReceive(slot, inbox.lkey(), (long) slot * ROOM, ROOM))
                    .isTrue();
        }

        void send(int queuePair, MemoryRegion from, int length, int immediate) {
            assertThat(both.client
                            .queuePairs
                            .get(queuePair)
                            .postSendImmediate(immediate, from.lkey(), 0, length, immediate, SIGNALED))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyQueuePairsUseUpOneQueueEachInItsOwnOrder(Where where) throws Exception {
        try (VerbsWorld world = where.open()) {
            Setup setup = Setup.of(world, 4, 8);
            MemoryRegion from = setup.both().client.pattern(ROOM, 3);
            for (int slot = 0; slot < 8; slot++) {
                setup.receive(slot);
            }
            for (int i = 0; i < 100; i++) {
                setup.send(i % 4, from, 1 + i * 97, i);
            }
            List<List<Integer>> seen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                seen.add(new ArrayList<>());
            }
            for (int i = 0; i < 100; i++) {
                WorkCompletion received = setup.both().server.nextSuccess();
                int length = 1 + received.immediate() * 97;
                assertThat(received.byteLength()).isEqualTo(length);
                byte[] bytes = new byte[length];
                setup.inbox().get(received.wrId() * ROOM, bytes);
                assertThat(bytes).isEqualTo(patternOf(length, 3));
                seen.get(received.immediate() % 4).add(received.immediate());
                assertThat(received.qpNumber())
                        .isEqualTo(setup.both()
                                .server
                                .queuePairs
                                .get(received.immediate() % 4)
                                .qpNumber());
                setup.receive((int) received.wrId());
            }
            for (int queuePair = 0; queuePair < 4; queuePair++) {
                assertThat(seen.get(queuePair)).hasSize(25).isSorted();
            }
            assertThat(setup.both().client.next(100)).allMatch(WorkCompletion::isSuccess);
            assertThat(setup.both().server.hasNothing()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFindsTheQueueEmptyArrivesLaterAndOnce(Where where) throws Exception {
        try (VerbsWorld world = where.open()) {
            Setup setup = Setup.of(world, 2, 4);
            MemoryRegion from = setup.both().client.pattern(ROOM, 5);
            setup.send(0, from, 9_000, 1);
            setup.send(1, from, 10, 2);
            assertThat(setup.both().client.queue.await(WorkCompletion.array(1), Duration.ofMillis(20)))
                    .isZero();
            assertThat(world.client().counters().get(Counter.RNR_NAKS_RECEIVED)).isGreaterThan(1);
            setup.receive(0);
            setup.receive(1);
            assertThat(setup.both().server.next(2))
                    .extracting(WorkCompletion::immediate)
                    .containsExactlyInAnyOrder(1, 2);
            assertThat(setup.both().client.next(2)).allMatch(WorkCompletion::isSuccess);
            assertThat(setup.both().server.hasNothing()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void retriesAreCounted(Where where) throws Exception {
        try (VerbsWorld world = where.open()) {
            Setup setup = Setup.of(world, 2, 4, 2);
            MemoryRegion from = setup.both().client.pattern(100, 5);
            setup.send(0, from, 100, 1);
            assertThat(setup.both().client.next().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
            setup.receive(0);
            setup.send(1, from, 100, 2);
            assertThat(setup.both().client.nextSuccess().qpNumber())
                    .isEqualTo(setup.both().client.queuePairs.get(1).qpNumber());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairThatFailsLeavesTheReceivesToTheOthers(Where where) throws Exception {
        try (VerbsWorld world = where.open()) {
            Setup setup = Setup.of(world, 2, 4);
            for (int slot = 0; slot < 4; slot++) {
                setup.receive(slot);
            }
            setup.both().server.qp().modify(QpState.ERR);
            assertThat(setup.both().server.hasNothing()).isTrue();
            MemoryRegion from = setup.both().client.pattern(100, 5);
            for (int i = 0; i < 4; i++) {
                setup.send(1, from, 100, i);
            }
            assertThat(setup.both().server.next(4)).allMatch(WorkCompletion::isSuccess);
            assertThat(bytesOf(setup.inbox(), 100)).isEqualTo(patternOf(100, 5));
            setup.both().server.queuePairs.forEach(QueuePair::close);
            setup.shared().close();
            assertThatThrownBy(() -> setup.receive(0))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void fewReceivesLeftAreAnEvent(Where where) throws Exception {
        try (VerbsWorld world = where.open()) {
            Setup setup = Setup.of(world, 1, 4);
            for (int slot = 0; slot < 4; slot++) {
                setup.receive(slot);
            }
            assertThat(setup.shared().postReceive(9, setup.inbox().lkey(), 0, 1))
                    .as("it is full")
                    .isFalse();
            setup.shared().armLimit(3);
            MemoryRegion from = setup.both().client.pattern(100, 5);
            setup.send(0, from, 100, 1);
            setup.send(0, from, 100, 2);
            assertThat(world.server().nextEvent(LONG)).contains(new AsyncEvent.SharedReceivesLow(setup.shared(), 3));
            assertThatThrownBy(() -> setup.both().server.qp().postReceive(ReceiveWorkRequest.of(1)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("SRQ");
        }
    }
}

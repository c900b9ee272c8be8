package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static io.metaroce.verbs.Connected.SERVICE;
import static io.metaroce.verbs.Connected.bytesOf;
import static io.metaroce.verbs.Connected.patternOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.LivenessConfig;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the verbs promise, wherever they run: each test once in the simulator and once over sockets. */
@Timeout(120)
abstract class VerbsContract {
    private static final int MIB = 1 << 20;
    private static final int SIGNALED = SendFlag.SIGNALED.value();

    private VerbsWorld world;

    abstract VerbsWorld open();

    /** Small, and with short timers of life, so that a dead peer is found within the patience of a test. */
    static EndpointConfig impatient(EndpointConfig config) {
        LivenessConfig life = config.liveness();
        return config.withLimits(new EndpointLimits(32, 4096, 256, 16, 16))
                .withConnection(config.connection().withOrderedWrites(4))
                .withLiveness(new LivenessConfig(
                        20_000_000L, 7, 3, 1_000_000_000L, 300_000_000L, 1_000_000_000L, life.tombstoneNs()));
    }

    @BeforeEach
    void openWorld() {
        world = open();
    }

    @AfterEach
    void closeWorld() {
        world.close();
    }

    // ---- connecting

    @Test
    void privateDataTravelsBothWays() throws Exception {
        Connected both = Connected.apart(world, 1, how -> how);
        try (Listener listener = both.server.device.listen(SERVICE)) {
            PendingConnection pending = both.client
                    .device
                    .connector()
                    .withPrivateData("hello".getBytes(StandardCharsets.UTF_8))
                    .start(world.serverAddress(), SERVICE, both.client.qp());
            ConnectionRequest request = listener.accept(LONG);
            assertThat(request.privateData()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
            assertThat(request.peer()).isEqualTo(world.client().address());
            assertThat(request.streams()).isEqualTo(1);
            assertThat(request.serviceId()).isEqualTo(SERVICE);
            Connection accepted = request.accept("welcome".getBytes(StandardCharsets.UTF_8), LONG, both.server.qp());
            Connection connected = pending.await(LONG);
            assertThat(connected.privateData()).asString(StandardCharsets.UTF_8).isEqualTo("welcome");
            assertThat(connected.isEstablished()).isTrue();
            assertThat(accepted.isEstablished()).isTrue();
            assertThat(both.client.qp().state()).isEqualTo(QpState.RTS);
            assertThat(both.server.qp().state()).isEqualTo(QpState.RTS);
            assertThat(both.client.qp().connection()).contains(connected);
            assertThat(connected.peer()).isEqualTo(world.server().address());
        }
    }

    @Test
    void fourKindsOfFailureAreToldApart() {
        Connected both = Connected.apart(world, 5, how -> how);
        Connector connector = both.client.device.connector();
        Duration limit = Duration.ofSeconds(2);

        VerbsConnectException nobody =
                failure(() -> connector.withTimeout(limit).connect(world.nobodysAddress(), SERVICE, qp(both, 0)));
        assertThat(nobody.failure()).isEqualTo(ConnectFailure.PORT_UNREACHABLE);

        VerbsConnectException silent =
                failure(() -> connector.withTimeout(limit).connect(world.silentAddress(), SERVICE, qp(both, 1)));
        assertThat(silent.failure()).isEqualTo(ConnectFailure.TIMED_OUT);

        VerbsConnectException service =
                failure(() -> connector.withTimeout(limit).connect(world.serverAddress(), 4711, qp(both, 2)));
        assertThat(service.failure()).isEqualTo(ConnectFailure.NO_SERVICE);

        VerbsConnectException refused;
        VerbsConnectException ignored;
        try (Listener listener = world.server().listen(SERVICE)) {
            PendingConnection pending = connector.start(world.serverAddress(), SERVICE, qp(both, 3));
            accept(listener).reject("full".getBytes(StandardCharsets.UTF_8));
            refused = failure(() -> pending.await(limit));
            assertThat(refused.failure()).isEqualTo(ConnectFailure.REJECTED);
            assertThat(refused.reason()).contains(CloseReason.REJECTED_REFUSED);
            assertThat(refused.privateData()).asString(StandardCharsets.UTF_8).isEqualTo("full");

            ignored = failure(() -> connector.withTimeout(limit).connect(world.serverAddress(), SERVICE, qp(both, 4)));
            assertThat(ignored.failure()).isEqualTo(ConnectFailure.TIMED_OUT);
        }
        for (VerbsConnectException each : List.of(nobody, silent, service, refused, ignored)) {
            assertThat(each.waited()).isLessThan(limit.plusMillis(200));
            if (each.failure() == ConnectFailure.TIMED_OUT) {
                assertThat(each.waited()).isGreaterThanOrEqualTo(limit);
            }
            assertThat(each).hasMessageContaining(each.peer().toString()).hasMessageContaining("after");
        }
        for (QueuePair queuePair : both.client.queuePairs) {
            assertThat(queuePair.state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void receivesOfAFailedAttemptComeBackFlushed() {
        Connected both = Connected.apart(world, 1, how -> how);
        MemoryRegion room = both.client.region(64, AccessFlag.LOCAL_WRITE);
        both.client.postReceive(1, room, 64);
        both.client.postReceive(2, room, 64);
        VerbsConnectException failure =
                failure(() -> both.client.device.connect(world.nobodysAddress(), SERVICE, LONG, both.client.qp()));
        assertThat(failure.failure()).isEqualTo(ConnectFailure.PORT_UNREACHABLE);
        assertThat(both.client.next(2)).extracting(WorkCompletion::wrId).containsExactly(1L, 2L);
        assertThat(both.client.hasNothing()).isTrue();
    }

    @Test
    void aQueuePairConnectsAgainAfterAReset() throws Exception {
        Connected both = Connected.apart(world, 1, how -> how);
        failure(() -> both.client.device.connect(world.serverAddress(), 4711, LONG, both.client.qp()));
        both.client.qp().modify(QpState.RESET);
        both.client.qp().modify(QpState.INIT);
        both.connect(world);
        sendAndCheck(both, 100, 5);
        both.client.connection().close(LONG);
        both.server.connection().close(LONG);
        both.client.qp().modify(QpState.RESET);
        both.server.qp().modify(QpState.RESET);
        both.connect(world);
        sendAndCheck(both, 5000, 6);
    }

    @Test
    void aListenerThatNobodyAsksTimesOut() throws Exception {
        try (Listener listener = world.server().listen(SERVICE)) {
            assertThat(listener.poll()).isNull();
            assertThatThrownBy(() -> listener.accept(Duration.ofMillis(20)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("service 7")
                    .hasMessageContaining("20 ms");
        }
    }

    @Test
    void acceptingWithTheWrongNumberOfQueuePairsChangesNothing() throws Exception {
        Connected both = Connected.apart(world, 2, how -> how);
        try (Listener listener = world.server().listen(SERVICE)) {
            PendingConnection pending =
                    both.client.device.connector().start(world.serverAddress(), SERVICE, qp(both, 0), qp(both, 1));
            ConnectionRequest request = listener.accept(LONG);
            assertThat(request.streams()).isEqualTo(2);
            assertThatThrownBy(() -> request.accept(both.server.qp()))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("accept with 1 queue pairs")
                    .hasMessageContaining("the peer connects 2");
            assertThat(both.server.qp().state()).isEqualTo(QpState.INIT);
            request.accept(both.server.queuePairs.toArray(QueuePair[]::new));
            pending.await(LONG);
            assertThatThrownBy(request::reject)
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("answered");
        }
    }

    // ---- moving bytes

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8193, MIB})
    void sends(int bytes) throws Exception {
        Connected both = Connected.with(world);
        sendAndCheck(both, bytes, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8193, MIB})
    void sendsWithImmediate(int bytes) throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(bytes, 9);
        MemoryRegion to = both.server.region(bytes, AccessFlag.LOCAL_WRITE);
        both.server.postReceive(11, to, bytes);
        assertThat(both.client.qp().postSendImmediate(12, from.lkey(), 0, bytes, 0xCAFE_F00D, SIGNALED))
                .isTrue();
        WorkCompletion received = both.server.nextSuccess();
        assertThat(received.wrId()).isEqualTo(11);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(0xCAFE_F00D);
        assertThat(received.byteLength()).isEqualTo(bytes);
        assertThat(received.qpNumber()).isEqualTo(both.server.qp().qpNumber());
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.SEND);
        assertThat(bytesOf(to, bytes)).isEqualTo(patternOf(bytes, 9));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8193, MIB})
    void writes(int bytes) throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(bytes, 5);
        MemoryRegion to = both.server.region(bytes + 64, AccessFlag.REMOTE_WRITE);
        assertThat(both.client.qp().postWrite(1, from.lkey(), 0, bytes, to.address() + 32, to.rkey(), SIGNALED))
                .isTrue();
        WorkCompletion done = both.client.nextSuccess();
        assertThat(done.opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        byte[] all = bytesOf(to, bytes + 64);
        assertThat(Arrays.copyOfRange(all, 32, 32 + bytes)).isEqualTo(patternOf(bytes, 5));
        assertThat(IntStream.range(0, 32).allMatch(i -> all[i] == 0 && all[bytes + 32 + i] == 0))
                .as("nothing is written beside the target")
                .isTrue();
        assertThat(both.server.hasNothing()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8193, MIB})
    void writesWithImmediate(int bytes) throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(bytes, 8);
        MemoryRegion to = both.server.region(bytes, AccessFlag.REMOTE_WRITE);
        assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(21))).isTrue();
        assertThat(both.client
                        .qp()
                        .postWriteImmediate(22, from.lkey(), 0, bytes, to.address(), to.rkey(), 42, SIGNALED))
                .isTrue();
        WorkCompletion told = both.server.nextSuccess();
        assertThat(told.wrId()).isEqualTo(21);
        assertThat(told.opcode()).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(told.immediate()).isEqualTo(42);
        assertThat(told.byteLength()).isEqualTo(bytes);
        assertThat(bytesOf(to, bytes)).isEqualTo(patternOf(bytes, 8));
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(22);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8193, MIB})
    void reads(int bytes) throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.server.region(bytes + 64, AccessFlag.REMOTE_READ);
        from.put(32, patternOf(bytes, 6));
        MemoryRegion to = both.client.region(bytes + 64, AccessFlag.LOCAL_WRITE);
        assertThat(both.client.qp().postRead(1, to.lkey(), 32, bytes, from.address() + 32, from.rkey(), SIGNALED))
                .isTrue();
        WorkCompletion done = both.client.nextSuccess();
        assertThat(done.wrId()).isEqualTo(1);
        assertThat(done.opcode()).isEqualTo(WcOpcode.RDMA_READ);
        assertThat(done.byteLength()).isEqualTo(bytes);
        byte[] all = bytesOf(to, bytes + 64);
        assertThat(Arrays.copyOfRange(all, 32, 32 + bytes)).isEqualTo(patternOf(bytes, 6));
        assertThat(IntStream.range(0, 32).allMatch(i -> all[i] == 0 && all[bytes + 32 + i] == 0))
                .as("nothing is written beside the target")
                .isTrue();
        assertThat(both.server.hasNothing()).isTrue();
    }

    @Test
    void aReadSeesTheWritesBeforeIt() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(MIB, 4);
        MemoryRegion there = both.server.region(MIB, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        MemoryRegion back = both.client.region(MIB, AccessFlag.LOCAL_WRITE);
        QueuePair qp = both.client.qp();
        int posted = qp.postList(List.of(
                SendWorkRequest.write(1)
                        .from(from)
                        .to(there.address(), there.rkey())
                        .build(),
                SendWorkRequest.read(2)
                        .from(there.address(), there.rkey())
                        .into(back, 0, MIB)
                        .signaled()
                        .build()));
        assertThat(posted).isEqualTo(2);
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(2);
        assertThat(bytesOf(back, MIB)).isEqualTo(patternOf(MIB, 4));
    }

    @Test
    void atomicsFetchWhatWasThere() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion there = both.server.region(64, AccessFlag.REMOTE_ATOMIC, AccessFlag.REMOTE_READ);
        MemoryRegion here = both.client.region(32, AccessFlag.LOCAL_WRITE);
        QueuePair qp = both.client.qp();
        assertThat(qp.postFetchAndAdd(1, here.lkey(), 0, there.address() + 8, there.rkey(), 40, SIGNALED))
                .isTrue();
        assertThat(qp.postFetchAndAdd(2, here.lkey(), 8, there.address() + 8, there.rkey(), 2, SIGNALED))
                .isTrue();
        assertThat(qp.postCompareAndSwap(3, here.lkey(), 16, there.address() + 8, there.rkey(), 42, 7, SIGNALED))
                .isTrue();
        assertThat(qp.postCompareAndSwap(4, here.lkey(), 24, there.address() + 8, there.rkey(), 42, 9, SIGNALED))
                .isTrue();
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.COMP_SWAP);
        ByteBuffer fetched = ByteBuffer.wrap(bytesOf(here, 32)).order(ByteOrder.nativeOrder());
        assertThat(new long[] {fetched.getLong(0), fetched.getLong(8), fetched.getLong(16), fetched.getLong(24)})
                .containsExactly(0, 40, 42, 7);
        ByteBuffer left = ByteBuffer.wrap(bytesOf(there, 64)).order(ByteOrder.nativeOrder());
        assertThat(left.getLong(8)).isEqualTo(7);
        assertThat(left.getLong(0)).isZero();
        assertThat(left.getLong(16)).isZero();
    }

    @Test
    void aSwapPutsAValueInPlaceOfWhateverIsThere() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion there = both.server.region(16, AccessFlag.REMOTE_ATOMIC);
        MemoryRegion here = both.client.region(16, AccessFlag.LOCAL_WRITE);
        QueuePair qp = both.client.qp();
        assertThat(qp.postSwap(1, here.lkey(), 0, there.address() + 8, there.rkey(), 11, SIGNALED))
                .isTrue();
        SendWorkRequest again = SendWorkRequest.atomic(2)
                .from(there.address() + 8, there.rkey())
                .into(here, 8, 8)
                .signaled()
                .swap(22);
        assertThat(qp.postSend(again)).isTrue();
        both.client.nextSuccess();
        both.client.nextSuccess();
        ByteBuffer fetched = ByteBuffer.wrap(bytesOf(here, 16)).order(ByteOrder.nativeOrder());
        assertThat(new long[] {fetched.getLong(0), fetched.getLong(8)}).containsExactly(0, 11);
        assertThat(ByteBuffer.wrap(bytesOf(there, 16))
                        .order(ByteOrder.nativeOrder())
                        .getLong(8))
                .isEqualTo(22);
    }

    @Test
    void anOrderedWriteIsAFlagBehindItsData() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(100_000, 1);
        MemoryRegion flag = both.client.pattern(8, 77);
        MemoryRegion to = both.server.region(100_008, AccessFlag.REMOTE_WRITE);
        QueuePair qp = both.client.qp();
        int ordered = SIGNALED | SendFlag.ORDERED.value();
        for (int i = 0; i < 6; i++) {
            assertThat(qp.postWrite(1, from.lkey(), 0, 100_000, to.address(), to.rkey(), 0))
                    .isTrue();
            assertThat(qp.postWrite(2, flag.lkey(), 0, 8, to.address() + 100_000, to.rkey(), ordered))
                    .isTrue();
        }
        byte[] last = new byte[1];
        while (last[0] == 0) {
            both.client.queue.await(WorkCompletion.array(1), Duration.ofMillis(1));
            to.get(100_007, last);
        }
        assertThat(Arrays.copyOf(bytesOf(to, 100_008), 100_000)).isEqualTo(patternOf(100_000, 1));
    }

    @Test
    void onlyAWriteOfOnePacketCanBeOrdered() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(10_000, 1);
        int ordered = SendFlag.ORDERED.value();
        assertThatThrownBy(() -> both.client.qp().postWrite(1, from.lkey(), 0, 4097, 0, 0, ordered))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("at most 4096 bytes")
                .hasMessageContaining("connection.payloadBytes");
        assertThatThrownBy(() -> both.client.qp().postSend(1, from.lkey(), 0, 8, ordered))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("only a write of one packet");
    }

    @Test
    void aMessageWithoutAReceiveIsTriedAsOftenAsWasAsked() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withRnrRetries(2).withRnrDelay(Duration.ofMillis(1)));
        MemoryRegion from = both.client.pattern(8, 1);
        assertThat(both.client.qp().postSend(1, from.lkey(), 0, 8, SIGNALED)).isTrue();
        assertThat(both.client.next().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        assertThatThrownBy(() -> both.client.qp().attributes().withRnrRetries(8))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("0 to 6, or 7");
        assertThatThrownBy(() -> both.client.qp().attributes().withRnrDelay(Duration.ofSeconds(1)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("rnrDelay");
    }

    @Test
    void readingWhatMayNotBeReadFailsTheRequest() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion there = both.server.region(64, AccessFlag.REMOTE_WRITE);
        MemoryRegion here = both.client.region(64, AccessFlag.LOCAL_WRITE);
        assertThat(both.client.qp().postRead(1, here.lkey(), 0, 64, there.address(), there.rkey(), SIGNALED))
                .isTrue();
        assertThat(both.client.next().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aSendThatInvalidatesAKey() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion lent = both.server.region(64, AccessFlag.REMOTE_WRITE);
        MemoryRegion inbox = both.server.region(64, AccessFlag.LOCAL_WRITE);
        MemoryRegion from = both.client.pattern(16, 2);
        both.server.postReceive(1, inbox, 64);
        QueuePair qp = both.client.qp();
        assertThat(qp.postSendInvalidate(2, from.lkey(), 0, 16, lent.rkey(), SIGNALED))
                .isTrue();
        WorkCompletion received = both.server.nextSuccess();
        assertThat(received.invalidatedRkey()).isEqualTo(lent.rkey());
        assertThat(both.client.nextSuccess().opcode()).isEqualTo(WcOpcode.SEND);
        assertThat(qp.postWrite(3, from.lkey(), 0, 16, lent.address(), lent.rkey(), SIGNALED))
                .isTrue();
        assertThat(both.client.next().status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void gathersAndScatters() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withSgeMax(16));
        MemoryRegion from = both.client.pattern(20_000, 1);
        MemoryRegion to = both.server.region(20_000, AccessFlag.LOCAL_WRITE);
        SendBuilder send = SendWorkRequest.send(1).signaled();
        List<ScatterGatherEntry> room = new ArrayList<>();
        int total = 0;
        for (int i = 0; i < 16; i++) {
            send.from(from, i * 1_250L, 1 + i * 83);
            total += 1 + i * 83;
            room.add(ScatterGatherEntry.of(to, i * 1_250L, 1_000));
        }
        assertThat(both.server.qp().postReceive(new ReceiveWorkRequest(2, room)))
                .isTrue();
        assertThat(both.client.qp().postSend(send.build())).isTrue();
        assertThat(both.server.nextSuccess().byteLength()).isEqualTo(total);
        both.client.nextSuccess();
        byte[] source = patternOf(20_000, 1);
        byte[] target = bytesOf(to, 20_000);
        int at = 0;
        for (int i = 0; i < 16; i++) {
            for (int k = 0; k < 1 + i * 83; k++, at++) {
                assertThat(target[at / 1_000 * 1_250 + at % 1_000]).isEqualTo(source[i * 1_250 + k]);
            }
        }
    }

    @Test
    void inlineBytesAreFreeAtOnce() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(200, 4);
        MemoryRegion to = both.server.region(400, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        assertThat(both.client
                        .qp()
                        .postWrite(1, from.lkey(), 0, 200, to.address(), to.rkey(), SIGNALED | SendFlag.INLINE.value()))
                .isTrue();
        from.put(0, new byte[200]);
        both.client.nextSuccess();
        assertThat(bytesOf(to, 200)).isEqualTo(patternOf(200, 4));
        byte[] words = "not registered at all".getBytes(StandardCharsets.UTF_8);
        both.server.postReceive(2, to, 400);
        assertThat(both.client
                        .qp()
                        .postSend(
                                SendWorkRequest.send(3).inline(words).signaled().build()))
                .isTrue();
        assertThat(both.server.nextSuccess().byteLength()).isEqualTo(words.length);
        assertThat(bytesOf(to, words.length)).isEqualTo(words);
    }

    @Test
    void onlySignaledSendsComplete() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withSendDepth(16));
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        for (int i = 1; i <= 200; i++) {
            int flags = i % 20 == 0 ? SIGNALED : 0;
            post(both, i, from, to, flags);
        }
        List<WorkCompletion> seen = both.client.next(10);
        assertThat(seen)
                .extracting(WorkCompletion::wrId)
                .containsExactly(20L, 40L, 60L, 80L, 100L, 120L, 140L, 160L, 180L, 200L);
        assertThat(both.client.hasNothing()).isTrue();
    }

    @Test
    void aQueuePairMaySignalAll() throws Exception {
        Connected both = Connected.with(world, 1, QpInitAttributes::withSignalAll);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        for (int i = 1; i <= 8; i++) {
            post(both, i, from, to, 0);
        }
        assertThat(both.client.next(8))
                .extracting(WorkCompletion::wrId)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void listsArePostedWithOneDoorbell() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withSendDepth(4));
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        List<SendWorkRequest> list = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            list.add(SendWorkRequest.write(i)
                    .from(from)
                    .to(to.address(), to.rkey())
                    .signaled()
                    .build());
        }
        int posted = both.client.qp().postList(list);
        assertThat(posted).isBetween(4, 6);
        both.client.next(posted);
        assertThat(both.client.qp().postList(list.subList(posted, 6))).isEqualTo(6 - posted);
        both.client.next(6 - posted);
    }

    @Test
    void manyQueuePairsShareOneConnection() throws Exception {
        Connected both = Connected.with(world, 16, how -> how.withSendDepth(32).withReceiveDepth(32));
        assertThat(both.client.connection().queuePairs()).hasSize(16);
        assertThat(both.client.device.attributes().connectionsMax()).isGreaterThan(0);
        MemoryRegion from = both.client.pattern(3_000, 2);
        MemoryRegion to = both.server.region(16 * 3_000, AccessFlag.LOCAL_WRITE);
        for (int i = 0; i < 16; i++) {
            assertThat(both.server.queuePairs.get(i).postReceive(100 + i, to.lkey(), i * 3_000L, 3_000))
                    .isTrue();
        }
        for (int i = 0; i < 16; i++) {
            assertThat(both.client.queuePairs.get(i).postSendImmediate(i, from.lkey(), 0, 3_000, i, SIGNALED))
                    .isTrue();
        }
        for (WorkCompletion received : both.server.next(16)) {
            assertThat(received.isSuccess()).isTrue();
            // Queue pair number i of one side talks to number i of the other.
            assertThat(received.wrId()).isEqualTo(100 + received.immediate());
            assertThat(received.qpNumber())
                    .isEqualTo(both.server.queuePairs.get(received.immediate()).qpNumber());
        }
        both.client.next(16);
        assertThat(bytesOf(to, 3_000)).isEqualTo(patternOf(3_000, 2));
        assertThat(both.client.qp().paths()).isNotEmpty();
    }

    // ---- limits and back-pressure

    @Test
    void aFullSendQueueSaysSo() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withSendDepth(8));
        MemoryRegion from = both.client.pattern(64, 1);
        // Nobody has posted a receive, so none of these can complete.
        for (int i = 0; i < 8; i++) {
            assertThat(both.client.qp().postSend(i, from.lkey(), 0, 64, SIGNALED))
                    .isTrue();
        }
        assertThat(both.client.qp().postSend(8, from.lkey(), 0, 64, SIGNALED)).isFalse();
        MemoryRegion to = both.server.region(64, AccessFlag.LOCAL_WRITE);
        for (int i = 0; i < 8; i++) {
            both.server.postReceive(i, to, 64);
        }
        both.server.next(8);
        assertThat(both.client.next(8)).allMatch(WorkCompletion::isSuccess);
        assertThat(both.client.qp().postSend(9, from.lkey(), 0, 64, SIGNALED)).isTrue();
    }

    @Test
    void aSenderFarAheadWaitsForReceives() throws Exception {
        Connected both = Connected.with(world, 1, how -> how.withSendDepth(256).withReceiveDepth(16));
        MemoryRegion from = both.client.pattern(512, 1);
        MemoryRegion to = both.server.region(512, AccessFlag.LOCAL_WRITE);
        for (int i = 0; i < 256; i++) {
            assertThat(both.client.qp().postSendImmediate(i, from.lkey(), 0, 512, i, SIGNALED))
                    .isTrue();
        }
        for (int i = 0; i < 256; i++) {
            both.server.postReceive(i, to, 512);
            WorkCompletion received = both.server.nextSuccess();
            assertThat(received.wrId()).isEqualTo(i);
            assertThat(received.immediate()).isEqualTo(i);
        }
        assertThat(both.client.next(256)).allMatch(WorkCompletion::isSuccess);
    }

    @Test
    void aSmallCompletionQueueSlowsButLosesNothing() throws Exception {
        Connected both = Connected.apart(world, 0, how -> how);
        CompletionQueue small = world.client().createCompletionQueue(4);
        QueuePair queuePair =
                both.client.domain.createQueuePair(QpInitAttributes.of(small).withSignalAll());
        both.client.queuePairs.add(queuePair);
        both.server.queuePairs.add(both.server.domain.createQueuePair(QpInitAttributes.of(both.server.queue)));
        both.connect(world);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        for (int i = 0; i < 100; i++) {
            assertThat(queuePair.postWrite(i, from.lkey(), 0, 64, to.address(), to.rkey(), 0))
                    .isTrue();
        }
        WorkCompletion[] one = new WorkCompletion[1];
        for (int i = 0; i < 100; i++) {
            assertThat(small.await(one, LONG)).isEqualTo(1);
            assertThat(one[0].wrId()).isEqualTo(i);
            assertThat(one[0].isSuccess()).isTrue();
        }
    }

    // ---- errors

    @Test
    void aWrongRkeyFailsOneRequestAndFlushesTheRest() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        QueuePair queuePair = both.client.qp();
        List<SendWorkRequest> list = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int rkey = i == 1 ? to.rkey() + 1 : to.rkey();
            list.add(SendWorkRequest.write(i)
                    .from(from)
                    .to(to.address(), rkey)
                    .signaled()
                    .build());
        }
        assertThat(queuePair.postList(list)).isEqualTo(5);
        List<WorkCompletion> seen = both.client.next(5);
        assertThat(seen).extracting(WorkCompletion::wrId).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(seen)
                .extracting(WorkCompletion::status)
                .containsExactly(
                        WcStatus.SUCCESS,
                        WcStatus.REM_ACCESS_ERR,
                        WcStatus.WR_FLUSH_ERR,
                        WcStatus.WR_FLUSH_ERR,
                        WcStatus.WR_FLUSH_ERR);
        assertThat(seen.get(1).status().value()).isEqualTo(10);
        assertThat(seen.get(1).detail()).contains("QP " + queuePair.qpNumber());
        assertThat(queuePair.state()).isEqualTo(QpState.ERR);
        // What is posted from now on is flushed as well.
        assertThat(queuePair.postSend(list.get(0))).isTrue();
        assertThat(both.client.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        // Another queue pair of the same connection goes on.
        assertThat(qp(both, 1).postWrite(9, from.lkey(), 0, 64, to.address(), to.rkey(), SIGNALED))
                .isTrue();
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(9);
    }

    @Test
    void memoryThatMayNotBeWrittenIsNot() throws Exception {
        Connected both = Connected.with(world, 3, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion readOnly = both.server.region(64);
        MemoryRegion small = both.server.region(64, AccessFlag.REMOTE_WRITE);
        MemoryRegion gone = both.server.region(64, AccessFlag.REMOTE_WRITE);
        gone.close();
        refused(both, 0, from, readOnly.address(), readOnly.rkey());
        refused(both, 1, from, small.address() + 1, small.rkey());
        refused(both, 2, from, gone.address(), gone.rkey());
        assertThat(bytesOf(readOnly, 64)).containsOnly(0);
        assertThat(bytesOf(small, 64)).containsOnly(0);
    }

    @Test
    void aReceiveThatIsTooSmallFailsOnBothSides() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(200, 1);
        MemoryRegion to = both.server.region(200, AccessFlag.LOCAL_WRITE);
        both.server.postReceive(1, to, 100);
        both.server.postReceive(2, to, 100);
        assertThat(both.client.qp().postSend(3, from.lkey(), 0, 200, SIGNALED)).isTrue();
        List<WorkCompletion> there = both.server.next(2);
        assertThat(there)
                .extracting(WorkCompletion::status)
                .containsExactly(WcStatus.LOC_LEN_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(both.client.next().status()).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        byte[] all = bytesOf(to, 200);
        assertThat(IntStream.range(100, 200).allMatch(i -> all[i] == 0)).isTrue();
    }

    @Test
    void aPeerThatVanishesEndsEveryRequestInTime() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        MemoryRegion room = both.client.region(64, AccessFlag.LOCAL_WRITE);
        both.client.postReceive(50, room, 64);
        world.serverFallsSilent();
        for (int i = 0; i < 10; i++) {
            post(both, i, from, to, SIGNALED);
        }
        List<WorkCompletion> seen = both.client.next(11);
        assertThat(seen.stream().filter(each -> each.wrId() == 0).map(WorkCompletion::status))
                .containsExactly(WcStatus.RETRY_EXC_ERR);
        assertThat(seen.stream().filter(each -> each.wrId() != 0).map(WorkCompletion::status))
                .hasSize(10)
                .containsOnly(WcStatus.WR_FLUSH_ERR);
        AsyncEvent event = both.client.device.nextEvent(LONG).orElseThrow();
        assertThat(qp(both, 1).state()).isEqualTo(QpState.ERR);
        assertThat(event).isInstanceOf(AsyncEvent.ConnectionLost.class);
        assertThat(((AsyncEvent.ConnectionLost) event).reason()).isEqualTo(CloseReason.PEER_DEAD);
        assertThat(both.client.connection().closeReason()).contains(CloseReason.PEER_DEAD);
    }

    @Test
    void closingTowardsAVanishedPeerKeepsItsDeadline() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        world.serverFallsSilent();
        for (int i = 0; i < 100; i++) {
            post(both, i, from, to, SIGNALED);
        }
        FlushReport report = both.client.qp().close(Duration.ofMillis(200));
        assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.FORCED);
        assertThat(report.sends()).isEqualTo(100);
        assertThat(both.client.next(100)).noneMatch(WorkCompletion::isSuccess);
        assertThat(both.client.hasNothing()).isTrue();
    }

    @Test
    void aFailedQueuePairIsAnEventAtBothEnds() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion readOnly = both.server.region(64);
        refused(both, 0, from, readOnly.address(), readOnly.rkey());
        for (Connected.Side side : List.of(both.client, both.server)) {
            AsyncEvent event = side.device.nextEvent(LONG).orElseThrow();
            assertThat(event).isInstanceOf(AsyncEvent.QueuePairFatal.class);
            assertThat(((AsyncEvent.QueuePairFatal) event).queuePair()).isSameAs(side.qp());
            assertThat(side.qp().state()).isEqualTo(QpState.ERR);
            assertThat(side.connection().isEstablished()).isTrue();
        }
    }

    // ---- closing

    @Test
    void closingFinishesOwnWorkFirst() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion from = both.client.pattern(MIB, 7);
        MemoryRegion to = both.server.region(MIB, AccessFlag.REMOTE_WRITE);
        for (int i = 0; i < 20; i++) {
            assertThat(both.client.qp().postWrite(i, from.lkey(), 0, MIB, to.address(), to.rkey(), SIGNALED))
                    .isTrue();
        }
        FlushReport report = both.client.qp().close(LONG);
        assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.DRAINED);
        assertThat(report.sends()).isZero();
        assertThat(both.client.next(20)).allMatch(WorkCompletion::isSuccess);
        assertThat(bytesOf(to, MIB)).isEqualTo(patternOf(MIB, 7));
        AsyncEvent event = both.server.device.nextEvent(LONG).orElseThrow();
        assertThat(event.kind()).isEqualTo(AsyncEvent.Kind.DISCONNECTED);
        assertThat(both.server.qp().state()).isEqualTo(QpState.ERR);
    }

    @Test
    void receivesAreFlushedWhenThePeerCloses() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion to = both.server.region(64, AccessFlag.LOCAL_WRITE);
        for (int i = 0; i < 3; i++) {
            both.server.postReceive(i, to, 64);
        }
        both.client.connection().close(LONG);
        List<WorkCompletion> flushed = both.server.next(3);
        assertThat(flushed).extracting(WorkCompletion::status).containsOnly(WcStatus.WR_FLUSH_ERR);
        assertThat(flushed).extracting(WorkCompletion::wrId).containsExactly(0L, 1L, 2L);
        assertThat(flushed.get(0).detail()).contains("closed by the peer");
        FlushReport report = both.server.qp().close(LONG);
        assertThat(report.receives()).isEqualTo(3);
    }

    @Test
    void oneOfSeveralQueuePairsMayBeClosed() throws Exception {
        Connected both = Connected.with(world, 3, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        post(both, 1, from, to, SIGNALED);
        FlushReport report = both.client.qp().close(LONG);
        assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.DRAINED);
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(1);
        assertThat(both.client.connection().isEstablished()).isTrue();
        assertThat(qp(both, 1).postWrite(2, from.lkey(), 0, 64, to.address(), to.rkey(), SIGNALED))
                .isTrue();
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(2);
    }

    @Test
    void oneOfSeveralQueuePairsFinishesItsWorkToo() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        MemoryRegion from = both.client.pattern(MIB, 7);
        MemoryRegion to = both.server.region(MIB, AccessFlag.REMOTE_WRITE);
        for (int i = 0; i < 10; i++) {
            assertThat(both.client.qp().postWrite(i, from.lkey(), 0, MIB, to.address(), to.rkey(), SIGNALED))
                    .isTrue();
        }
        FlushReport report = both.client.qp().close(LONG);
        assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.DRAINED);
        assertThat(both.client.next(10)).allMatch(WorkCompletion::isSuccess);
        assertThat(bytesOf(to, MIB)).isEqualTo(patternOf(MIB, 7));
        // The peer's queue pair learns that it is alone; the other one goes on.
        MemoryRegion room = both.server.region(8, AccessFlag.LOCAL_WRITE);
        both.server.postReceive(1, room, 8);
        assertThat(both.server.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(both.server.qp().state()).isEqualTo(QpState.ERR);
        assertThat(qp(both, 1).state()).isEqualTo(QpState.RTS);
    }

    @Test
    void oneOfSeveralQueuePairsGivesUpAtItsDeadline() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        MemoryRegion from = both.client.pattern(64, 1);
        // Nobody has posted a receive for these.
        for (int i = 0; i < 5; i++) {
            assertThat(both.client.qp().postSend(i, from.lkey(), 0, 64, 0)).isTrue();
        }
        FlushReport report = both.client.qp().close(Duration.ofMillis(50));
        assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.FORCED);
        assertThat(report.sends()).isEqualTo(5);
        assertThat(both.client.next(5)).extracting(WorkCompletion::status).containsOnly(WcStatus.WR_FLUSH_ERR);
        assertThat(qp(both, 1).state()).isEqualTo(QpState.RTS);
    }

    @Test
    void closingTwiceIsHarmless() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion region = both.client.region(64);
        region.close();
        region.close();
        both.client.connection().close();
        both.client.connection().close();
        both.client.qp().close();
        both.client.qp().close();
        both.client.queue.close();
        both.client.queue.close();
        both.client.domain.close();
        both.client.domain.close();
        both.client.device.close();
        both.client.device.close();
        assertThatThrownBy(() -> both.client.device.createProtectionDomain())
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the device is closed");
    }

    @Test
    void aDeviceClosesWhatWasForgotten() throws Exception {
        Connected both = Connected.with(world, 2, how -> how);
        both.client.region(4096);
        both.client.device.listen(99);
        both.client.device.close();
        assertThat(both.client.connection().isClosed()).isTrue();
        assertThat(both.server.device.nextEvent(LONG)).isPresent();
        assertThat(both.server.connection().isClosed()).isTrue();
    }

    // ---- waiting

    @Test
    void anEmptyQueueIsPolledInVain() {
        CompletionQueue queue = world.client().createCompletionQueue(4);
        assertThat(queue.poll(new WorkCompletion[8])).isZero();
        assertThat(queue.await(new WorkCompletion[8], Duration.ofMillis(20))).isZero();
        assertThat(queue.await(new WorkCompletion[8], Duration.ZERO)).isZero();
        assertThat(queue.awaitSolicited(new WorkCompletion[8], Duration.ofMillis(20)))
                .isZero();
    }

    @Test
    void oneThreadWaitsForSeveralQueues() throws Exception {
        Connected both = Connected.apart(world, 0, how -> how);
        CompletionQueue second = world.server().createCompletionQueue(64);
        for (CompletionQueue queue : List.of(both.server.queue, second)) {
            both.server.queuePairs.add(both.server.domain.createQueuePair(QpInitAttributes.of(queue)));
            both.client.queuePairs.add(both.client.domain.createQueuePair(QpInitAttributes.of(both.client.queue)));
        }
        both.connect(world);
        CompletionChannel channel = CompletionChannel.over(both.server.queue, second);
        WorkCompletion[] some = new WorkCompletion[4];
        for (int i = 0; i < 100; i++) {
            int which = i % 2;
            assertThat(both.server.queuePairs.get(which).postReceive(ReceiveWorkRequest.of(i)))
                    .isTrue();
            assertThat(qp(both, which).postSend(SendWorkRequest.send(i).build()))
                    .isTrue();
            assertThat(channel.await(some, LONG)).isEqualTo(1);
            assertThat(some[0].wrId()).isEqualTo(i);
        }
        assertThat(channel.await(some, Duration.ofMillis(5))).isZero();
    }

    @Test
    void onlySolicitedResultsEndASolicitedWait() throws Exception {
        Connected both = Connected.with(world);
        for (int i = 0; i < 4; i++) {
            assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(i))).isTrue();
        }
        WorkCompletion[] some = new WorkCompletion[4];
        assertThat(both.client.qp().postSend(SendWorkRequest.send(1).signaled().build()))
                .isTrue();
        both.client.nextSuccess();
        assertThat(both.server.queue.awaitSolicited(some, LONG))
                .as("what is there is told")
                .isEqualTo(1);
        assertThat(both.client
                        .qp()
                        .postSend(SendWorkRequest.send(2)
                                .with(SendFlag.SOLICITED)
                                .signaled()
                                .build()))
                .isTrue();
        assertThat(both.server.queue.awaitSolicited(some, LONG)).isEqualTo(1);
    }

    @Test
    void fewerResultsThanTheCountAreToldWhenThePeriodIsOver() throws Exception {
        Connected both = Connected.with(world);
        int messages = 20;
        for (int i = 0; i < messages; i++) {
            assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(i))).isTrue();
        }
        both.server.queue.moderate(CompletionModeration.of(8, Duration.ofMillis(2)));
        assertThat(both.server.queue.moderation().count()).isEqualTo(8);
        for (int i = 0; i < messages; i++) {
            assertThat(both.client.qp().postSend(SendWorkRequest.send(i).build()))
                    .isTrue();
        }
        WorkCompletion[] some = new WorkCompletion[messages];
        int told = 0;
        while (told < messages) {
            int more = both.server.queue.await(some, LONG);
            assertThat(more).as("after %s results", told).isPositive();
            told += more;
        }
        AtomicInteger handled = new AtomicInteger();
        both.server.queue.onCompletion(result -> handled.incrementAndGet());
        assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(1))).isTrue();
        assertThat(both.client.qp().postSend(SendWorkRequest.send(1).build())).isTrue();
        assertThat(both.server.device.await(() -> handled.get() == 1, LONG)).isTrue();
    }

    @Test
    void resultsComeToAHandlerOnTheEndpointsThreadAndWhatItPostsLeaves() throws Exception {
        Connected both = Connected.with(world);
        int rounds = 200;
        MemoryRegion here = both.client.region(64, AccessFlag.LOCAL_WRITE);
        MemoryRegion there = both.server.region(64, AccessFlag.LOCAL_WRITE);
        AtomicInteger answers = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        both.server.postReceive(1, there, 64);
        both.client.postReceive(1, here, 64);
        both.server.queue.deliverTo((results, count) -> {
            for (int i = 0; i < count; i++) {
                if (results[i].isSuccess() && results[i].opcode() == WcOpcode.RECV) {
                    both.server.postReceive(1, there, 64);
                    both.server.qp().postSend(2, there.lkey(), 0, 16, SIGNALED);
                }
            }
        });
        both.client.queue.deliverTo((results, count) -> {
            threads.add(Thread.currentThread());
            for (int i = 0; i < count; i++) {
                if (results[i].opcode() == WcOpcode.RECV && answers.incrementAndGet() < rounds) {
                    both.client.postReceive(1, here, 64);
                    both.client.qp().postSend(2, here.lkey(), 0, 16, SIGNALED);
                }
            }
        });
        both.client.qp().postSend(2, here.lkey(), 0, 16, SIGNALED);
        assertThat(both.client.device.host().await(() -> answers.get() == rounds, 20_000_000_000L))
                .isTrue();
        assertThat(threads).hasSize(1);
        both.client.queue.deliverToNobody();
        both.client.qp().postSend(3, here.lkey(), 0, 16, SIGNALED);
        WorkCompletion last = both.client.next();
        while (last.wrId() != 3) {
            last = both.client.next();
        }
        assertThat(last.isSuccess()).isTrue();
    }

    @Test
    void aHandlerThatFailsOrWaitsHurtsNobodyElse() throws Exception {
        Connected both = Connected.with(world);
        MemoryRegion here = both.client.region(64, AccessFlag.LOCAL_WRITE);
        MemoryRegion there = both.server.region(64, AccessFlag.LOCAL_WRITE);
        both.server.postReceive(1, there, 64);
        both.server.postReceive(2, there, 64);
        AtomicInteger seen = new AtomicInteger();
        both.client.queue.deliverTo((results, count) -> {
            seen.addAndGet(count);
            both.client.queue.await(results, LONG); // refused: it would wait for itself
        });
        both.client.qp().postSend(2, here.lkey(), 0, 16, SIGNALED);
        assertThat(both.server.nextSuccess().wrId()).isEqualTo(1);
        assertThat(both.client.device.host().await(() -> seen.get() == 1, 20_000_000_000L))
                .isTrue();
        both.client.qp().postSend(2, here.lkey(), 0, 16, SIGNALED);
        assertThat(both.server.nextSuccess().wrId()).isEqualTo(2);
        assertThat(both.client.device.host().await(() -> seen.get() == 2, 20_000_000_000L))
                .isTrue();
    }

    // ---- helpers

    private interface Attempt {
        void run() throws Exception;
    }

    private static VerbsConnectException failure(Attempt attempt) {
        VerbsConnectException thrown = catchThrowableOfType(VerbsConnectException.class, attempt::run);
        assertThat(thrown).isNotNull();
        return thrown;
    }

    private static ConnectionRequest accept(Listener listener) {
        try {
            return listener.accept(LONG);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static QueuePair qp(Connected both, int index) {
        return both.client.queuePairs.get(index);
    }

    private static void post(Connected both, long wrId, MemoryRegion from, MemoryRegion to, int flags) {
        QueuePair queuePair = both.client.qp();
        while (!queuePair.postWrite(wrId, from.lkey(), 0, 64, to.address(), to.rkey(), flags)) {
            both.client.device.host().await(() -> false, 10_000);
        }
    }

    private static void refused(Connected both, int index, MemoryRegion from, long address, int rkey) {
        assertThat(qp(both, index).postWrite(index, from.lkey(), 0, 64, address, rkey, SIGNALED))
                .isTrue();
        WorkCompletion completion = both.client.next();
        assertThat(completion.wrId()).isEqualTo(index);
        assertThat(completion.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    private static void sendAndCheck(Connected both, int bytes, int seed) {
        MemoryRegion from = both.client.pattern(bytes, seed);
        MemoryRegion to = both.server.region(bytes, AccessFlag.LOCAL_WRITE);
        if (both.server.qp().state() == QpState.RTS) {
            both.server.postReceive(1, to, bytes);
        }
        assertThat(both.client.qp().postSend(2, from.lkey(), 0, bytes, SIGNALED))
                .isTrue();
        WorkCompletion received = both.server.nextSuccess();
        assertThat(received.wrId()).isEqualTo(1);
        assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
        assertThat(received.byteLength()).isEqualTo(bytes);
        assertThat(received.hasImmediate()).isFalse();
        WorkCompletion sent = both.client.nextSuccess();
        assertThat(sent.wrId()).isEqualTo(2);
        assertThat(sent.opcode()).isEqualTo(WcOpcode.SEND);
        assertThat(bytesOf(to, bytes)).isEqualTo(patternOf(bytes, seed));
        from.close();
        to.close();
    }
}

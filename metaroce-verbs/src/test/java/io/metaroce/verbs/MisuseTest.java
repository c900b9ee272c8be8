package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaroce.param.Profiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused on the caller's thread, and in which words: the object, what was asked, the limit, the way out. */
final class MisuseTest {
    private VerbsWorld world;
    private Connected both;
    private MemoryRegion region;

    @BeforeEach
    void connect() throws Exception {
        world = new SimWorld(VerbsContract.impatient(Profiles.model()));
        both = Connected.with(world, 1, how -> how.withSgeMax(2).withInlineBytesMax(32));
        region = both.client.region(64);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static VerbsException refused(ThrowingCallable what) {
        VerbsException thrown = catchThrowableOfType(VerbsException.class, what);
        assertThat(thrown).isNotNull();
        assertThat(thrown.getMessage())
                .isEqualTo(thrown.object() + ": " + thrown.asked() + "; " + thrown.allowed() + "; " + thrown.option());
        return thrown;
    }

    @Test
    void aKeyThatNobodyHas() {
        VerbsException thrown = refused(() -> both.client.qp().postSend(1, 0x7777_01, 0, 8, 0));
        assertThat(thrown.object()).startsWith("QP " + both.client.qp().qpNumber() + " RTS");
        assertThat(thrown.asked()).isEqualTo("lkey 0x00777701");
        assertThat(thrown.option()).contains("lkey()");
        region.close();
        refused(() -> both.client.qp().postSend(1, region.lkey(), 0, 8, 0));
        // Nothing of this has harmed the queue pair.
        assertThat(both.client.qp().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void zeroBytesNeedNoKey() {
        assertThat(both.client.qp().postSend(1, 0x7777_01, 99, 0, 0)).isTrue();
    }

    @Test
    void memoryOfAnotherDomain() {
        ProtectionDomain other = both.client.device.createProtectionDomain();
        MemoryRegion foreign = other.allocate(8);
        assertThat(refused(() -> both.client.qp().postSend(1, foreign.lkey(), 0, 8, 0))
                        .allowed())
                .contains("another protection domain");
    }

    @Test
    void beyondTheEndOfARegion() {
        assertThat(refused(() -> both.client.qp().postSend(1, region.lkey(), 60, 8, 0))
                        .allowed())
                .isEqualTo("the region ends at 64");
        refused(() -> both.client.qp().postSend(1, region.lkey(), Long.MAX_VALUE, 8, 0));
        refused(() -> both.client.qp().postSend(1, region.lkey(), -1, 8, 0));
        refused(() -> both.client.qp().postSend(1, region.lkey(), 0, -8, 0));
    }

    @Test
    void eventsThatWouldNeverCome() {
        CompletionQueue queue = both.client.device.createCompletionQueue(4);
        VerbsException thrown = refused(() -> queue.moderate(CompletionModeration.of(5, Duration.ofMillis(1))));
        assertThat(thrown.asked()).contains("5 results");
        assertThat(thrown.allowed()).contains("4, the depth");
        assertThat(refused(() -> CompletionModeration.of(2, Duration.ZERO)).option())
                .contains("period");
        refused(() -> CompletionModeration.of(0, Duration.ZERO));
    }

    @Test
    void oneEntryTooMany() {
        SendBuilder send = SendWorkRequest.send(1);
        for (int i = 0; i < 3; i++) {
            send.from(region, i, 1);
        }
        VerbsException thrown = refused(() -> both.client.qp().postSend(send.build()));
        assertThat(thrown.asked()).contains("3 scatter-gather entries");
        assertThat(thrown.allowed()).isEqualTo("at most 2");
        assertThat(thrown.option()).isEqualTo("raise QpInitAttributes.sendSgeMax");
    }

    @Test
    void oneInlineByteTooMany() {
        VerbsException thrown =
                refused(() -> both.client.qp().postSend(1, region.lkey(), 0, 33, SendFlag.INLINE.value()));
        assertThat(thrown.asked()).isEqualTo("inline data of 33 bytes");
        assertThat(thrown.allowed()).isEqualTo("at most 32");
        refused(() -> both.client
                .qp()
                .postSend(SendWorkRequest.send(1).inline(new byte[33]).build()));
        refused(() -> both.client
                .qp()
                .postSend(
                        SendWorkRequest.send(1).from(region).inline(new byte[3]).build()));
    }

    @Test
    void flagsThatDoNotExist() {
        assertThat(refused(() -> both.client.qp().postSend(1, region.lkey(), 0, 8, 64))
                        .asked())
                .isEqualTo("send flags 0x00000040");
    }

    @Test
    void aListStopsAtWhatIsRefusedAndKeepsWhatWasPosted() {
        List<SendWorkRequest> list = new ArrayList<>();
        MemoryRegion to = both.server.region(8, AccessFlag.REMOTE_WRITE);
        list.add(SendWorkRequest.write(1)
                .from(region, 0, 8)
                .to(to.address(), to.rkey())
                .signaled()
                .build());
        list.add(SendWorkRequest.write(2)
                .from(region, 60, 8)
                .to(to.address(), to.rkey())
                .signaled()
                .build());
        refused(() -> both.client.qp().postList(list));
        assertThat(both.client.nextSuccess().wrId()).isEqualTo(1);
    }

    @Test
    void receivesIntoMemoryThatMayNotBeWritten() {
        assertThat(refused(() -> both.client.qp().postReceive(1, region.lkey(), 0, 8))
                        .option())
                .contains("LOCAL_WRITE");
    }

    @Test
    void postingInTheWrongState() {
        QueuePair fresh = both.client.domain.createQueuePair(QpInitAttributes.of(both.client.queue));
        assertThat(refused(() -> fresh.postReceive(ReceiveWorkRequest.of(1))).option())
                .contains("modify(QpState.INIT)");
        fresh.modify(QpState.INIT);
        assertThat(fresh.postReceive(ReceiveWorkRequest.of(1))).isTrue();
        VerbsException thrown = refused(() -> fresh.postSend(1, 0, 0, 0, 0));
        assertThat(thrown.object()).contains("INIT");
        assertThat(thrown.allowed()).isEqualTo("sends can be posted in RTS");
        fresh.close();
        assertThat(both.client.next().detail()).contains("QP " + fresh.qpNumber());
        assertThat(refused(() -> fresh.postReceive(ReceiveWorkRequest.of(2))).option())
                .contains("closed");
    }

    @Test
    void changesThatTheTableDoesNotHave() {
        QueuePair fresh = both.client.domain.createQueuePair(QpInitAttributes.of(both.client.queue));
        VerbsException thrown = refused(() -> fresh.modify(QpState.RTS));
        assertThat(thrown.asked()).isEqualTo("modify RESET to RTS");
        assertThat(thrown.allowed()).contains("INIT (by modify)");
        assertThat(fresh.state()).isEqualTo(QpState.RESET);
        refused(() -> both.client.qp().modify(QpState.RESET));
        assertThat(both.client.qp().state()).isEqualTo(QpState.RTS);
    }

    @Test
    void aQueuePairOfALivingConnectionCannotBeReset() {
        both.client.qp().modify(QpState.ERR);
        assertThat(refused(() -> both.client.qp().modify(QpState.RESET)).option())
                .contains("close that first");
        both.client.connection().close();
        both.client.qp().modify(QpState.RESET);
        assertThat(both.client.qp().connection()).isEmpty();
    }

    @Test
    void aQueuePairConnectsOnlyOnce() {
        assertThat(refused(() -> both.client.device.connector().connect("h1", 7, both.client.qp()))
                        .asked())
                .isEqualTo("modify RTS to RTR");
    }

    @Test
    void aRefusedConnectChangesNothing() {
        QueuePair fresh = both.client.domain.createQueuePair(QpInitAttributes.of(both.client.queue));
        refused(() -> both.client.device.connector().connect("h1", 7, fresh, both.client.qp()));
        assertThat(fresh.state()).isEqualTo(QpState.INIT);
        QueuePair foreign = both.server.domain.createQueuePair(QpInitAttributes.of(both.server.queue));
        assertThat(refused(() -> both.client.device.connector().connect("h1", 7, fresh, foreign))
                        .allowed())
                .contains("another device");
        assertThat(fresh.state()).isEqualTo(QpState.INIT);
        assertThat(refused(() -> both.client.device.connector().connect("nowhere", 7, fresh))
                        .option())
                .contains("host:port");
        assertThat(refused(() -> both.client.device.connector().connect("h1", 7))
                        .asked())
                .isEqualTo("0 queue pairs");
    }

    @Test
    void tooMuchPrivateData() {
        assertThat(refused(() -> both.client.device.connector().withPrivateData(new byte[225]))
                        .allowed())
                .isEqualTo("at most 224");
    }

    @Test
    void twoListenersForOneService() {
        Listener listener = both.server.device.listen(5);
        assertThat(refused(() -> both.server.device.listen(5)).option()).contains("already has a listener");
        listener.close();
        listener.close();
        assertThatThrownBy(() -> listener.accept(Duration.ZERO)).hasMessageContaining("closed");
        both.server.device.listen(5).close();
    }

    @Test
    void aCompletionQueueWithFewerPlacesThanUsers() {
        CompletionQueue one = both.client.device.createCompletionQueue(1);
        VerbsException thrown = refused(() -> both.client.domain.createQueuePair(QpInitAttributes.of(one)));
        assertThat(thrown.option()).contains("depth of at least 2");
        CompletionQueue two = both.client.device.createCompletionQueue(2);
        QueuePair fits = both.client.domain.createQueuePair(QpInitAttributes.of(two));
        refused(() -> both.client.domain.createQueuePair(QpInitAttributes.of(two)));
        fits.close();
        both.client.domain.createQueuePair(QpInitAttributes.of(two)).close();
    }

    @Test
    void depthsThatCannotBe() {
        refused(() -> both.client.device.createCompletionQueue(0));
        refused(() -> QpInitAttributes.of(both.client.queue).withSendDepth(0));
        refused(() -> both.client.domain.createQueuePair(
                QpInitAttributes.of(both.client.queue).withSendDepth(1 << 21)));
    }

    @Test
    void waitingInsideAListener() throws Exception {
        List<VerbsException> thrown = new ArrayList<>();
        both.server.device.onEvent(event -> {
            thrown.add(refused(() -> both.server.device.createProtectionDomain().allocate(8)));
            thrown.add(refused(() -> both.server.queue.await(WorkCompletion.array(1), Duration.ofSeconds(1))));
            thrown.add(refused(() -> both.server.qp().close()));
        });
        both.client.connection().close();
        world.server().nextEvent(Duration.ofMillis(10));
        assertThat(thrown).hasSize(3).allMatch(it -> it.option().contains("nextEvent"));
    }

    @Test
    void whatAListenerMayNotCloseCanBeClosedAfterwards() {
        Device device = both.server.device;
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(4);
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(4, 1);
        QueuePair queuePair = domain.createQueuePair(
                QpInitAttributes.of(device.createCompletionQueue(256)).withSharedReceiveQueue(shared));
        MemoryRegion memory = domain.allocate(8);
        Listener listener = device.listen(11);
        List<AutoCloseable> all = List.of(memory, queuePair, shared, queue, domain, listener, device);
        List<VerbsException> thrown = new ArrayList<>();
        device.onEvent(event -> all.forEach(each -> thrown.add(refused(each::close))));
        both.client.connection().close();
        world.server().nextEvent(Duration.ofMillis(10));
        assertThat(thrown).hasSize(all.size()).allMatch(it -> it.option().contains("nextEvent"));

        assertThat(device.unclosed())
                .anyMatch(line -> line.startsWith(memory.toString()))
                .anyMatch(line -> line.startsWith(queuePair.toString()));
        memory.close();
        queuePair.close();
        assertThat(device.unclosed())
                .noneMatch(line -> line.startsWith("MR 0x" + String.format("%08x", memory.lkey())))
                .noneMatch(line -> line.startsWith("QP " + queuePair.qpNumber() + " "));
        shared.close();
        assertThat(refused(() -> shared.postReceive(1, 0, 0, 0)).allowed()).isEqualTo("the queue is closed");
        queue.close();
        assertThat(queue.toString()).contains("closed");
        listener.close();
        assertThatThrownBy(() -> listener.accept(Duration.ZERO)).hasMessageContaining("closed");
        domain.close();
        assertThat(domain.toString()).contains("closed");
        device.close();
        assertThat(refused(device::createProtectionDomain).allowed()).isEqualTo("the device is closed");
    }

    @Test
    void whatIsClosedIsClosedAgainByAListenerWithoutHarm() {
        Device device = both.server.device;
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(4);
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(4, 1);
        QueuePair queuePair = domain.createQueuePair(
                QpInitAttributes.of(device.createCompletionQueue(256)).withSharedReceiveQueue(shared));
        MemoryRegion memory = domain.allocate(8);
        Listener listener = device.listen(11);
        List<AutoCloseable> all = List.of(memory, queuePair, shared, queue, domain, listener);
        all.forEach(MisuseTest::close);
        List<AutoCloseable> again = new ArrayList<>();
        device.onEvent(event -> all.forEach(each -> {
            close(each);
            again.add(each);
        }));
        both.client.connection().close();
        world.server().nextEvent(Duration.ofMillis(10));
        assertThat(again).isEqualTo(all);
    }

    private static void close(AutoCloseable each) {
        assertThatCode(each::close).doesNotThrowAnyException();
    }

    @Test
    void aRequestThatAListenerMayNotAnswerCanBeAnsweredAfterwardsAndOnce() throws Exception {
        Device device = both.server.device;
        Listener listener = device.listen(11);
        QueuePair answering =
                both.server.domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
        QueuePair asking =
                both.client.domain.createQueuePair(QpInitAttributes.of(both.client.device.createCompletionQueue(256)));
        List<ConnectionRequest> requests = new ArrayList<>();
        List<VerbsException> thrown = new ArrayList<>();
        device.onCmEvent((event, connection, detail) -> {
            if (event == CmEvent.CONNECT_REQUEST) {
                ConnectionRequest request = Objects.requireNonNull(listener.poll());
                requests.add(request);
                thrown.add(refused(() -> request.acceptSoon(new byte[0], answering)));
                thrown.add(refused(request::reject));
            }
        });
        PendingConnection pending = both.client.device.connector().start(device.address(), 11, asking);
        assertThat(device.await(() -> !requests.isEmpty(), Duration.ofSeconds(1)))
                .isTrue();
        assertThat(thrown).hasSize(2).allMatch(it -> it.option().contains("nextEvent"));

        requests.get(0).accept(answering);
        pending.await(Duration.ofSeconds(1));
        QueuePair other = both.server.domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
        assertThat(refused(() -> requests.get(0).accept(other)).allowed()).isEqualTo("it was answered already");
        assertThat(other.state()).isEqualTo(QpState.RESET);
    }

    @Test
    void nothingIsMadeInAClosedDomain() {
        ProtectionDomain domain = both.client.device.createProtectionDomain();
        domain.close();
        assertThat(refused(() -> domain.allocate(8)).allowed()).isEqualTo("the domain is closed");
        assertThat(refused(() -> both.client.domain.allocate(0)).allowed()).contains("at least one");
    }
}

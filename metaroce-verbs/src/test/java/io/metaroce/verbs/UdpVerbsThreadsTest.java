package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static io.metaroce.verbs.Connected.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads at once, which only real sockets allow. */
@Timeout(120)
final class UdpVerbsThreadsTest {
    private static final int SIGNALED = SendFlag.SIGNALED.value();

    private VerbsWorld world;

    @BeforeEach
    void open() {
        world = new UdpWorld(VerbsContract.impatient(Profiles.udp()));
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void threadsPostAndPollOneQueuePairTogether() throws Exception {
        int posters = 3;
        int each = 3_000;
        Connected both = Connected.with(world, 1, how -> how.withSendDepth(64));
        MemoryRegion from = both.client.pattern(64, 1);
        MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int poster = 0; poster < posters; poster++) {
            int base = poster * each;
            tasks.add(started(() -> {
                for (int i = 0; i < each; i++) {
                    while (!both.client
                            .qp()
                            .postWrite(base + i, from.lkey(), 0, 64, to.address(), to.rkey(), SIGNALED)) {
                        Thread.onSpinWait();
                    }
                }
            }));
        }
        BitSet seen = new BitSet();
        AtomicInteger count = new AtomicInteger();
        for (int poller = 0; poller < 2; poller++) {
            tasks.add(started(() -> {
                WorkCompletion[] some = WorkCompletion.array(16);
                while (count.get() < posters * each) {
                    int polled = both.client.queue.await(some, Duration.ofMillis(50));
                    for (int i = 0; i < polled; i++) {
                        assertThat(some[i].isSuccess()).as("%s", some[i]).isTrue();
                        synchronized (seen) {
                            assertThat(seen.get((int) some[i].wrId()))
                                    .as("seen twice")
                                    .isFalse();
                            seen.set((int) some[i].wrId());
                        }
                    }
                    count.addAndGet(polled);
                }
            }));
        }
        finish(tasks);
        assertThat(seen.cardinality()).isEqualTo(posters * each);
    }

    @Test
    void everyAcceptedRequestCompletesOnceHoweverThePeerCloses() throws Exception {
        for (int round = 0; round < 20; round++) {
            Connected both =
                    Connected.with(world, 1, how -> how.withSendDepth(32).withReceiveDepth(32));
            QueuePair queuePair = both.client.qp();
            MemoryRegion from = both.client.pattern(64, 1);
            MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
            AtomicLong sends = new AtomicLong();
            AtomicLong receives = new AtomicLong();
            AtomicBoolean stop = new AtomicBoolean();
            FutureTask<Void> sender = started(() -> {
                while (!stop.get()) {
                    if (queuePair.postWrite(1, from.lkey(), 0, 64, to.address(), to.rkey(), SIGNALED)) {
                        sends.incrementAndGet();
                    }
                }
            });
            FutureTask<Void> receiver = started(() -> {
                while (!stop.get()) {
                    if (queuePair.postReceive(ReceiveWorkRequest.of(2))) {
                        receives.incrementAndGet();
                    }
                    Thread.onSpinWait();
                }
            });
            long[] completed = new long[3];
            WorkCompletion[] some = WorkCompletion.array(32);
            int closeAt = 50 + round;
            boolean asked = false;
            FutureTask<Void> closing = new FutureTask<>(() -> {}, null);
            closing.run();
            while (queuePair.state() != QpState.ERR || completed[1] < closeAt + 100) {
                count(completed, some, both.client.queue.await(some, LONG));
                if (!asked && completed[1] >= closeAt) {
                    asked = true;
                    if (round % 2 == 0) {
                        closing = started(() -> both.server.connection().close(Duration.ofMillis(50)));
                    } else {
                        queuePair.modify(QpState.ERR);
                    }
                }
            }
            stop.set(true);
            finish(List.of(sender, receiver, closing));
            while (completed[1] + completed[2] < sends.get() + receives.get()) {
                int polled = both.client.queue.await(some, Duration.ofSeconds(5));
                count(completed, some, polled);
                assertThat(polled)
                        .as(
                                "round %d: %d of %d sends and %d of %d receives completed, %s",
                                round, completed[1], sends.get(), completed[2], receives.get(), queuePair)
                        .isPositive();
            }
            assertThat(both.client.hasNothing()).isTrue();
            both.client.domain.close();
            both.server.domain.close();
        }
    }

    private static void count(long[] completed, WorkCompletion[] some, int polled) {
        for (int i = 0; i < polled; i++) {
            completed[(int) some[i].wrId()]++;
        }
    }

    @Test
    void noResultIsOverslept() throws Exception {
        Connected both = Connected.with(world);
        int rounds = 5_000;
        FutureTask<Void> echo = started(() -> pingPong(both.server, rounds, false));
        pingPong(both.client, rounds, true);
        finish(List.of(echo));
    }

    private static void pingPong(Connected.Side side, int rounds, boolean first) {
        WorkCompletion[] one = new WorkCompletion[1];
        assertThat(side.qp().postReceive(ReceiveWorkRequest.of(0))).isTrue();
        if (first) {
            assertThat(side.qp().postSend(0, 0, 0, 0, 0)).isTrue();
        }
        for (int i = 0; i < rounds; i++) {
            long began = System.nanoTime();
            assertThat(side.queue.await(one, LONG)).isEqualTo(1);
            assertThat(System.nanoTime() - began).as("a wait in ns").isLessThan(5_000_000_000L);
            assertThat(one[0].isSuccess()).as("%s", one[0]).isTrue();
            if (i < rounds - 1) {
                assertThat(side.qp().postReceive(ReceiveWorkRequest.of(i))).isTrue();
            }
            if (!first || i < rounds - 1) {
                assertThat(side.qp().postSend(i, 0, 0, 0, 0)).isTrue();
            }
        }
    }

    @Test
    void waitingThreadsAreLetGoWhenTheirDeviceCloses() throws Exception {
        CompletionQueue queue = world.client().createCompletionQueue(8);
        Listener listener = world.client().listen(SERVICE);
        FutureTask<Void> polling = started(
                () -> assertThat(queue.await(new WorkCompletion[1], LONG)).isZero());
        FutureTask<Void> accepting = started(() -> assertThatThrownBy(() -> listener.accept(LONG))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("closed"));
        long began = System.nanoTime();
        world.client().close();
        finish(List.of(polling, accepting));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        CompletionQueue queue = world.client().createCompletionQueue(8);
        AtomicInteger waits = new AtomicInteger();
        FutureTask<Void> task = new FutureTask<>(
                () -> {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> queue.await(new WorkCompletion[1], LONG))
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("interrupted");
                    waits.incrementAndGet();
                },
                null);
        new Thread(task).start();
        finish(List.of(task));
        assertThat(waits.get()).isEqualTo(1);
    }

    @Test
    void failuresToConnectKeepTheirDeadlineByTheClock() {
        Connected both = Connected.apart(world, 3, how -> how);
        Duration limit = Duration.ofSeconds(1);
        String[] addresses = {world.nobodysAddress(), world.silentAddress(), world.serverAddress()};
        for (int i = 0; i < addresses.length; i++) {
            String address = addresses[i];
            QueuePair queuePair = both.client.queuePairs.get(i);
            long began = System.nanoTime();
            VerbsConnectException thrown = catchThrowableOfType(
                    VerbsConnectException.class, () -> world.client().connect(address, SERVICE, limit, queuePair));
            assertThat(thrown).as(address).isNotNull();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).as(address).isLessThan(limit.plusMillis(900));
        }
    }

    @Test
    void virtualThreadsWaitWithoutHarm() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads came with Java 21");
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Connected both = Connected.with(world, 1, how -> how.withReceiveDepth(64));
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            assertThat(both.server.qp().postReceive(ReceiveWorkRequest.of(i))).isTrue();
            FutureTask<Void> task = new FutureTask<>(
                    () -> {
                        WorkCompletion completion = both.server.next();
                        assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
                    },
                    null);
            tasks.add(task);
            Object thread = start.invoke(null, task);
            assertThat(thread).isNotNull();
        }
        for (int i = 0; i < 50; i++) {
            assertThat(both.client.qp().postSend(i, 0, 0, 0, 0)).isTrue();
        }
        finish(tasks);
    }

    private static FutureTask<Void> started(Runnable what) {
        FutureTask<Void> task = new FutureTask<>(what, null);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static void finish(List<FutureTask<Void>> tasks) throws Exception {
        for (FutureTask<Void> task : tasks) {
            task.get(60, TimeUnit.SECONDS);
        }
    }
}

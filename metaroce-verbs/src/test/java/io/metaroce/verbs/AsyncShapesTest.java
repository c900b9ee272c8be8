package io.metaroce.verbs;

import static io.metaroce.verbs.Connected.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.async.AsyncQueuePair;
import io.metaroce.async.BlockingQueuePair;
import io.metaroce.async.MessagePublisher;
import io.metaroce.async.MessageSubscriber;
import io.metaroce.async.QueueFullException;
import io.metaroce.async.Result;
import io.metaroce.async.WorkFailedException;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures, blocking calls and publishers over queue pairs. */
@Timeout(60)
final class AsyncShapesTest {
    private static VerbsWorld sim() {
        return new SimWorld(VerbsContract.impatient(Profiles.model()));
    }

    private static VerbsWorld udp() {
        return new UdpWorld(VerbsContract.impatient(Profiles.udp()));
    }

    private static Result done(Device device, CompletableFuture<Result> future) throws Exception {
        assertThat(device.await(future::isDone, LONG)).isTrue();
        return future.get();
    }

    @Test
    void requestsAreFutures() throws Exception {
        try (VerbsWorld world = sim()) {
            Connected both = Connected.with(world);
            AsyncQueuePair client = AsyncQueuePair.over(both.client.qp());
            AsyncQueuePair server = AsyncQueuePair.over(both.server.qp());
            MemoryRegion from = both.client.pattern(5_000, 1);
            MemoryRegion to = both.server.region(
                    8_192, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            MemoryRegion word = both.client.region(8_192, AccessFlag.LOCAL_WRITE);
            CompletableFuture<Result> received = server.receive(to, 0, 8_192);
            // What follows without an executor runs on the endpoint's thread and may post.
            CompletableFuture<Long> sum = client.send(from, 0, 5_000)
                    .thenCompose(sent -> client.write(from, 0, 8, to.address(), to.rkey()))
                    .thenCompose(written -> client.read(word, 0, 8, to.address(), to.rkey()))
                    .thenCompose(read -> client.fetchAndAdd(word, 8, to.address() + 8_000, to.rkey(), 5))
                    .thenCompose(before -> client.compareAndSwap(word, 16, to.address() + 8_000, to.rkey(), 5, 7))
                    .thenCompose(before -> client.fetchAndAdd(word, 24, to.address() + 8_000, to.rkey(), 1));
            assertThat(world.client().await(sum::isDone, LONG)).isTrue();
            assertThat(sum.get()).isEqualTo(7);
            assertThat(done(world.server(), received).byteLength()).isEqualTo(5_000);
            assertThat(word.slice(0, 8).getLong(0)).isEqualTo(from.slice(0, 8).getLong(0));
            received = server.receive(to, 0, 8);
            assertThat(done(world.client(), client.sendImmediate(from, 0, 8, 77))
                            .hasImmediate())
                    .isFalse();
            assertThat(done(world.server(), received).immediate()).isEqualTo(77);
            received = server.receive(to, 0, 0);
            Result written = done(world.client(), client.writeImmediate(from, 0, 8, to.address(), to.rkey(), 78));
            assertThat(written).isNotNull();
            assertThat(done(world.server(), received).immediate()).isEqualTo(78);
            assertThat(client.inFlight()).isZero();
        }
    }

    @Test
    void whatGoesBeyondTheDepthIsRefusedAndRoomIsTold() throws Exception {
        try (VerbsWorld world = sim()) {
            Connected both = Connected.with(world, 1, how -> how.withSendDepth(4));
            AsyncQueuePair client = AsyncQueuePair.over(both.client.qp());
            MemoryRegion from = both.client.pattern(64, 1);
            MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
            AtomicInteger told = new AtomicInteger();
            client.onWritable(told::incrementAndGet);
            List<CompletableFuture<Result>> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                all.add(client.write(from, 0, 64, to.address(), to.rkey()));
            }
            assertThat(client.isWritable()).isFalse();
            assertThat(client.inFlight()).isEqualTo(4);
            assertThatThrownBy(() -> all.get(4).get())
                    .hasCauseInstanceOf(QueueFullException.class)
                    .hasMessageContaining("raise sendDepth");
            assertThat(done(world.client(), all.get(3))).isNotNull();
            assertThat(client.isWritable()).isTrue();
            assertThat(told).hasValue(1);
        }
    }

    @Test
    void failuresCarryTheStatusAndNoFutureIsForgotten() throws Exception {
        try (VerbsWorld world = sim()) {
            Connected both = Connected.with(world);
            AsyncQueuePair client = AsyncQueuePair.over(both.client.qp());
            MemoryRegion from = both.client.pattern(64, 1);
            MemoryRegion room = both.client.region(64, AccessFlag.LOCAL_WRITE);
            CompletableFuture<Result> never = client.receive(room, 0, 64);
            CompletableFuture<Result> wrong = client.write(from, 0, 64, 4711, 4711);
            assertThat(world.client().await(wrong::isDone, LONG)).isTrue();
            assertThatThrownBy(wrong::get).hasCauseInstanceOf(WorkFailedException.class);
            assertThat(world.client().await(never::isDone, LONG)).isTrue();
            assertThatThrownBy(never::get)
                    .cause()
                    .isInstanceOfSatisfying(
                            WorkFailedException.class,
                            failed -> assertThat(failed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR));
            CompletableFuture<Result> refused = client.write(from, 60, 64, 0, 0);
            assertThatThrownBy(refused::get).hasCauseInstanceOf(VerbsException.class);
            assertThat(client.inFlight()).isZero();
            client.close();
        }
    }

    @Test
    void blockingCallsWaitInAWorldWhoseTimeIsTheirs() throws Exception {
        try (VerbsWorld world = sim()) {
            Connected both = Connected.with(world, 1, how -> how.withSendDepth(2));
            AsyncQueuePair futures = AsyncQueuePair.over(both.client.qp());
            BlockingQueuePair client = BlockingQueuePair.over(futures, Duration.ofSeconds(2));
            MemoryRegion from = both.client.pattern(64, 1);
            MemoryRegion to =
                    both.server.region(64, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
            MemoryRegion room = both.client.region(64, AccessFlag.LOCAL_WRITE);
            // The queue is full: the third waits for room first.
            CompletableFuture<Result> first = futures.write(from, 0, 8, to.address(), to.rkey());
            CompletableFuture<Result> second = futures.write(from, 0, 8, to.address(), to.rkey());
            assertThat(client.write(from, 0, 64, to.address(), to.rkey())).isNotNull();
            assertThat(first.isDone() && second.isDone()).isTrue();
            assertThat(client.read(room, 0, 64, to.address(), to.rkey())).isNotNull();
            assertThat(Connected.bytesOf(room, 64)).isEqualTo(Connected.patternOf(64, 1));
            assertThat(client.fetchAndAdd(room, 0, to.address(), to.rkey(), 1))
                    .isEqualTo(from.slice(0, 8).order(ByteOrder.nativeOrder()).getLong(0));
            assertThatThrownBy(() -> client.receive(room, 0, 64))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("took longer than PT2S");
            assertThatThrownBy(() -> client.write(from, 0, 8, 1, 1)).isInstanceOf(WorkFailedException.class);
            client.close();
        }
    }

    /** On Java 21 and later the threads are virtual, far more than there are carriers; before, they are threads. */
    @Test
    void manyThreadsWaitAtOnceVirtualOnesWhereThereAreAny() throws Exception {
        try (VerbsWorld world = udp()) {
            int count = 200;
            Connected both = Connected.with(world, 1, how -> how.withSendDepth(16));
            BlockingQueuePair client = BlockingQueuePair.over(AsyncQueuePair.over(both.client.qp()), LONG);
            MemoryRegion counter = both.server.region(8, AccessFlag.REMOTE_ATOMIC);
            MemoryRegion room = both.client.region(8 * count, AccessFlag.LOCAL_WRITE);
            CountDownLatch left = new CountDownLatch(count);
            AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
            for (int i = 0; i < count; i++) {
                int place = 8 * i;
                start(() -> {
                    try {
                        long unused = client.fetchAndAdd(room, place, counter.address(), counter.rkey(), 1);
                    } catch (Exception e) {
                        failure.compareAndSet(null, e);
                    }
                    left.countDown();
                });
            }
            assertThat(left.await(50, TimeUnit.SECONDS)).isTrue();
            assertThat(failure.get()).isNull();
            assertThat(counter.slice(0, 8).order(ByteOrder.nativeOrder()).getLong(0))
                    .isEqualTo(count);
        }
    }

    private static void start(Runnable task) throws ReflectiveOperationException {
        if (Runtime.version().feature() >= 21) {
            Object thread =
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
            assertThat(thread).isNotNull();
        } else {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Test
    void messagesFlowAsFastAsTheyAreRequested() throws Exception {
        try (VerbsWorld world = udp()) {
            Connected both = Connected.with(world);
            AsyncQueuePair client = AsyncQueuePair.over(both.client.qp());
            AsyncQueuePair server = AsyncQueuePair.over(both.server.qp());
            Reader reader = new Reader(100);
            MessagePublisher received = new MessagePublisher(server, 4, 64);
            received.subscribe(reader);
            MessageSubscriber sender = new MessageSubscriber(client, 8, 64);
            try (SubmissionPublisher<ByteBuffer> source = new SubmissionPublisher<>()) {
                source.subscribe(sender);
                for (int i = 0; i < 100; i++) {
                    int unused = source.submit(ByteBuffer.wrap(("message " + i).getBytes(StandardCharsets.UTF_8)));
                }
            }
            assertThat(sender.done().get(20, TimeUnit.SECONDS)).isNull();
            assertThat(reader.done.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(reader.seen)
                    .hasSize(100)
                    .startsWith("message 0", "message 1")
                    .endsWith("message 99");
            Reader second = new Reader(1);
            received.subscribe(second);
            assertThat(second.failure).hasMessageContaining("one subscriber");
        }
    }

    /** Requests one more for each that came. */
    private static final class Reader implements Flow.Subscriber<ByteBuffer> {
        final List<String> seen = new ArrayList<>();
        final CountDownLatch done;
        volatile @Nullable Throwable failure;
        private volatile Flow.@Nullable Subscription from;

        Reader(int count) {
            done = new CountDownLatch(count);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            from = subscription;
            subscription.request(2);
        }

        @Override
        public void onNext(ByteBuffer message) {
            seen.add(StandardCharsets.UTF_8.decode(message).toString());
            done.countDown();
            Objects.requireNonNull(from).request(1);
        }

        @Override
        public void onError(Throwable thrown) {
            failure = thrown;
        }

        @Override
        public void onComplete() {}
    }
}

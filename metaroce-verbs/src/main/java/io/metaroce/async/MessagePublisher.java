package io.metaroce.async;

import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The messages a queue pair receives, for one subscriber. What it requests is what is posted: back-pressure reaches the
 * sender as missing receives. Each message is a copy of its own; {@code onNext} runs on the endpoint's thread.
 */
public final class MessagePublisher implements Flow.Publisher<ByteBuffer>, AutoCloseable {
    private final AsyncQueuePair queuePair;
    private final MemoryRegion room;
    private final int messageBytesMax;
    private final int places;
    private final AtomicBoolean taken = new AtomicBoolean();

    /**
     * A publisher with room of its own.
     *
     * @param places receives posted at once at most; the queue pair's receive depth or less
     * @param messageBytesMax longest message
     */
    public MessagePublisher(AsyncQueuePair queuePair, int places, int messageBytesMax) {
        this.queuePair = queuePair;
        this.places = places;
        this.messageBytesMax = messageBytesMax;
        ProtectionDomain domain = queuePair.queuePair().domain();
        room = domain.allocate((long) places * messageBytesMax, AccessFlag.LOCAL_WRITE);
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Subscription subscription = new Subscription(subscriber);
        subscriber.onSubscribe(subscription);
        if (!taken.compareAndSet(false, true)) {
            subscription.end(new IllegalStateException("a queue pair has one subscriber"));
        }
    }

    @Override
    public void close() {
        room.close();
    }

    /** What one subscriber asked for. Receives complete in the order of posting, so places go round. */
    private final class Subscription implements Flow.Subscription {
        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final AtomicLong wanted = new AtomicLong();
        private final AtomicInteger posted = new AtomicInteger();
        private final AtomicInteger posting = new AtomicInteger();
        private final AtomicBoolean ended = new AtomicBoolean();
        private long next; // place, counted on; touched by whoever holds "posting"

        Subscription(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                end(new IllegalArgumentException("request(" + count + "): a positive number is needed"));
                return;
            }
            wanted.accumulateAndGet(count, (have, more) -> have + more < 0 ? Long.MAX_VALUE : have + more);
            post();
        }

        @Override
        public void cancel() {
            ended.set(true);
        }

        /** Posts as many receives as are wanted and have room; one thread at a time, the others leave it their work. */
        private void post() {
            if (posting.getAndIncrement() != 0) {
                return;
            }
            int seen = 1;
            do {
                while (!ended.get() && posted.get() < places && wanted.get() > 0) {
                    wanted.decrementAndGet();
                    posted.incrementAndGet();
                    long offset = next++ % places * messageBytesMax;
                    CompletableFuture<Result> unused = queuePair
                            .receive(room, offset, messageBytesMax)
                            .whenComplete((result, failure) -> arrived(offset, result, failure));
                }
                seen = posting.addAndGet(-seen);
            } while (seen != 0);
        }

        private void arrived(long offset, @Nullable Result result, @Nullable Throwable failure) {
            if (ended.get()) {
                return;
            }
            if (result == null) {
                end(failure == null ? new IllegalStateException("neither result nor failure") : failure);
                return;
            }
            byte[] copy = new byte[(int) result.byteLength()];
            room.get(offset, copy);
            posted.decrementAndGet();
            subscriber.onNext(ByteBuffer.wrap(copy));
            post();
        }

        private void end(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                subscriber.onError(failure);
            }
        }
    }
}

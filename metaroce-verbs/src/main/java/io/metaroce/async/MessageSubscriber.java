package io.metaroce.async;

import io.metaroce.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sends what a publisher has, as messages; asks for no more than it has room for. */
public final class MessageSubscriber implements Flow.Subscriber<ByteBuffer>, AutoCloseable {
    private final AsyncQueuePair queuePair;
    private final MemoryRegion room;
    private final int messageBytesMax;
    private final ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger(1); // messages under way, and one for the publisher
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private volatile Flow.@Nullable Subscription subscription;

    /**
     * A subscriber with room of its own.
     *
     * @param places messages under way at once; the queue pair's send depth or less
     * @param messageBytesMax longest message
     */
    public MessageSubscriber(AsyncQueuePair queuePair, int places, int messageBytesMax) {
        this.queuePair = queuePair;
        this.messageBytesMax = messageBytesMax;
        room = queuePair.queuePair().domain().allocate((long) places * messageBytesMax);
        for (int i = 0; i < places; i++) {
            free.add(i);
        }
    }

    /** Complete when the publisher is and the peer has everything; fails with the first failure. */
    public CompletableFuture<@Nullable Void> done() {
        return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription value) {
        subscription = value;
        value.request(free.size());
    }

    @Override
    public void onNext(ByteBuffer message) {
        Integer place = free.poll();
        if (place == null || message.remaining() > messageBytesMax) {
            cancel(new IllegalArgumentException(
                    place == null
                            ? "a message that nobody requested"
                            : "a message of " + message.remaining() + " bytes, at most " + messageBytesMax));
            return;
        }
        open.incrementAndGet();
        int bytes = message.remaining();
        long offset = (long) place * messageBytesMax;
        room.slice(offset, bytes).put(message.duplicate());
        CompletableFuture<Result> unused =
                queuePair.send(room, offset, bytes).whenComplete((result, failure) -> sent(place, failure));
    }

    private void sent(int place, @Nullable Throwable failure) {
        if (failure != null) {
            cancel(failure);
            return;
        }
        free.add(place);
        Flow.Subscription from = subscription;
        if (from != null) {
            from.request(1);
        }
        ended();
    }

    private void cancel(Throwable failure) {
        Flow.Subscription from = subscription;
        if (from != null) {
            from.cancel();
        }
        done.completeExceptionally(failure);
    }

    private void ended() {
        if (open.decrementAndGet() == 0) {
            done.complete(null);
        }
    }

    @Override
    public void onError(Throwable failure) {
        done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        ended();
    }

    @Override
    public void close() {
        room.close();
    }
}

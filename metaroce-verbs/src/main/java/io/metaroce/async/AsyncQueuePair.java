package io.metaroce.async;

import io.metaroce.queue.WcStatus;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.VerbsException;
import io.metaroce.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A queue pair whose requests are futures. It takes over the queue pair's completion queue, which must serve nothing
 * else, and never has more in flight than the queues are deep: what goes beyond fails at once with
 * {@link QueueFullException} and was not posted.
 *
 * <p>Futures are completed on the endpoint's thread, so what follows without an executor ({@code thenApply}) runs
 * there: it may post and must not wait. {@code thenApplyAsync} runs elsewhere. Only a request that was not posted fails
 * on the thread that asked, and what is left at closing on the thread that closes. A request that fails completes its
 * future with {@link WorkFailedException}; closing completes the rest so, none is forgotten.
 */
public final class AsyncQueuePair implements AutoCloseable {
    private static final int SIGNALED = SendFlag.SIGNALED.value();
    private static final int ATOMIC_BYTES = 8;

    private final QueuePair queuePair;
    private final Tickets sends;
    private final Tickets receives;
    private final CopyOnWriteArrayList<Runnable> whenWritable = new CopyOnWriteArrayList<>();

    private AsyncQueuePair(QueuePair queuePair) {
        this.queuePair = queuePair;
        sends = new Tickets(queuePair.attributes().sendDepth());
        receives = new Tickets(queuePair.attributes().receiveDepth());
    }

    /**
     * Futures over a queue pair, whatever its state; the completion queues serve it alone from now on. Waits for the
     * endpoint's thread, so it is refused within a callback.
     */
    public static AsyncQueuePair over(QueuePair queuePair) {
        AsyncQueuePair made = new AsyncQueuePair(queuePair);
        CompletionQueue queue = queuePair.attributes().sendQueue();
        queue.onCompletion(made::completed);
        if (queuePair.attributes().receiveQueue() != queue) {
            queuePair.attributes().receiveQueue().onCompletion(made::completed);
        }
        return made;
    }

    /** The queue pair. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** Sends, writes, reads and atomics under way. */
    public int inFlight() {
        return sends.inFlight();
    }

    /** Whether one more can be posted. */
    public boolean isWritable() {
        return !sends.isFull();
    }

    /** Has {@code listener} run on the endpoint's thread whenever a place becomes free after there was none. */
    public void onWritable(Runnable listener) {
        whenWritable.add(listener);
    }

    // ---- requests

    /** Sends {@code bytes} bytes at {@code offset} of a region. */
    public CompletableFuture<Result> send(MemoryRegion from, long offset, int bytes) {
        return posted(sends, (target, place) -> target.postSend(place, from.lkey(), offset, bytes, SIGNALED), "send");
    }

    /** The same with 32 bits beside it. */
    public CompletableFuture<Result> sendImmediate(MemoryRegion from, long offset, int bytes, int immediate) {
        return posted(
                sends,
                (target, place) -> target.postSendImmediate(place, from.lkey(), offset, bytes, immediate, SIGNALED),
                "send");
    }

    /** Waits for one message, into {@code bytes} bytes at {@code offset} of a region. */
    public CompletableFuture<Result> receive(MemoryRegion into, long offset, int bytes) {
        return posted(receives, (target, place) -> target.postReceive(place, into.lkey(), offset, bytes), "receive");
    }

    /** Writes into the peer's memory. */
    public CompletableFuture<Result> write(MemoryRegion from, long offset, int bytes, long address, int rkey) {
        return posted(
                sends,
                (target, place) -> target.postWrite(place, from.lkey(), offset, bytes, address, rkey, SIGNALED),
                "write");
    }

    /** Writes into the peer's memory and tells its application 32 bits. */
    public CompletableFuture<Result> writeImmediate(
            MemoryRegion from, long offset, int bytes, long address, int rkey, int immediate) {
        return posted(
                sends,
                (target, place) -> target.postWriteImmediate(
                        place, from.lkey(), offset, bytes, address, rkey, immediate, SIGNALED),
                "write");
    }

    /** Reads the peer's memory. */
    public CompletableFuture<Result> read(MemoryRegion into, long offset, int bytes, long address, int rkey) {
        return posted(
                sends,
                (target, place) -> target.postRead(place, into.lkey(), offset, bytes, address, rkey, SIGNALED),
                "read");
    }

    /** Compares and swaps 8 bytes of the peer's memory; what was there is the result. */
    public CompletableFuture<Long> compareAndSwap(
            MemoryRegion into, long offset, long address, int rkey, long compare, long swap) {
        return posted(
                        sends,
                        (target, place) -> target.postCompareAndSwap(
                                place, into.lkey(), offset, address, rkey, compare, swap, SIGNALED),
                        "compare and swap")
                .thenApply(result -> wordAt(into, offset));
    }

    /** Adds to 8 bytes of the peer's memory; what was there is the result. */
    public CompletableFuture<Long> fetchAndAdd(MemoryRegion into, long offset, long address, int rkey, long add) {
        return posted(
                        sends,
                        (target, place) ->
                                target.postFetchAndAdd(place, into.lkey(), offset, address, rkey, add, SIGNALED),
                        "fetch and add")
                .thenApply(result -> wordAt(into, offset));
    }

    private static long wordAt(MemoryRegion region, long offset) {
        return region.slice(offset, ATOMIC_BYTES).order(ByteOrder.nativeOrder()).getLong(0);
    }

    /** Posts something under a number; false when the queue is full. */
    interface Post {
        boolean post(QueuePair target, long place);
    }

    private CompletableFuture<Result> posted(Tickets tickets, Post post, String what) {
        CompletableFuture<Result> future = new CompletableFuture<>();
        int place = tickets.take(future);
        if (place < 0) {
            future.completeExceptionally(full(what));
            return future;
        }
        boolean isPosted = false;
        try {
            isPosted = post.post(queuePair, place);
            if (!isPosted) {
                future.completeExceptionally(full(what));
            }
        } catch (VerbsException e) {
            future.completeExceptionally(e);
        } finally {
            if (!isPosted) {
                CompletableFuture<Result> unused = tickets.give(place);
            }
        }
        return future;
    }

    private QueueFullException full(String what) {
        return new QueueFullException(what + " on " + queuePair + ": " + sends.inFlight() + " sends and "
                + receives.inFlight() + " receives are under way, and no more fit; raise sendDepth or receiveDepth");
    }

    /** Endpoint thread. */
    private void completed(WorkCompletion completion) {
        boolean isReceive = completion.opcode().isReceive();
        boolean wasFull = !isReceive && sends.isFull();
        CompletableFuture<Result> future = (isReceive ? receives : sends).give((int) completion.wrId());
        if (future == null) {
            return;
        }
        if (completion.isSuccess()) {
            future.complete(new Result(completion.byteLength(), completion.hasImmediate(), completion.immediate()));
        } else {
            future.completeExceptionally(new WorkFailedException(completion.status(), completion.detail()));
        }
        if (wasFull) {
            whenWritable.forEach(Runnable::run);
        }
    }

    /** Waits for a future as the device waits: parks the thread, virtual or not, or steps the simulated world. */
    boolean await(CompletableFuture<?> future, Duration timeout) {
        return device().await(future::isDone, timeout);
    }

    Device device() {
        return queuePair.domain().device();
    }

    /** Closes the queue pair; futures that are left fail with {@link WcStatus#WR_FLUSH_ERR}. */
    @Override
    public void close() {
        queuePair.close();
        boolean unused = device().await(() -> sends.inFlight() + receives.inFlight() == 0, Duration.ofSeconds(1));
        fail(sends);
        fail(receives);
    }

    private static void fail(Tickets tickets) {
        for (CompletableFuture<Result> future : tickets.giveAll()) {
            future.completeExceptionally(
                    new WorkFailedException(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR.sentence()));
        }
    }

    @Override
    public String toString() {
        return "futures over " + queuePair;
    }
}

package io.metaroce.verbs;

import io.metaroce.queue.CompletionSink;
import io.metaroce.queue.Rung;
import io.metaroce.queue.WcOpcode;
import io.metaroce.queue.WcStatus;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The way of one work queue's completions: passes everything on to the completion queue and keeps what the queue pair
 * must know, which is how many requests are under way, how many were flushed, and that one failed.
 *
 * <p>A request is taken from its ring only with a completion reserved, so what is reserved is what is under way.
 * Endpoint thread, but for {@link #attach} and {@link #flushed()}.
 */
final class QueueSink implements CompletionSink {
    private final CompletionSink queue;
    private final Consumer<WcStatus> onFailure;
    private final Runnable onSettled;
    private final AtomicLong flushed = new AtomicLong();
    private int underWay;
    private boolean detached;

    /**
     * A way to {@code queue}.
     *
     * @param onFailure told of each result that is not a success, before anybody can see it
     * @param onSettled told when nothing is under way any more
     */
    QueueSink(CompletionSink queue, Consumer<WcStatus> onFailure, Runnable onSettled) {
        this.queue = queue;
        this.onFailure = onFailure;
        this.onSettled = onSettled;
    }

    /** Requests under way. */
    int underWay() {
        return underWay;
    }

    /** Requests completed with {@link WcStatus#WR_FLUSH_ERR} so far. Any thread. */
    long flushed() {
        return flushed.get();
    }

    @Override
    public int attach() {
        return queue.attach();
    }

    @Override
    public void detach(int attachment) {
        if (!detached) {
            detached = true;
            underWay = 0;
            queue.detach(attachment);
        }
    }

    @Override
    public boolean reserve(int attachment) {
        // The number of a detached queue may belong to another one by now.
        if (detached || !queue.reserve(attachment)) {
            return false;
        }
        underWay++;
        return true;
    }

    @Override
    public void unreserve(int attachment) {
        if (!detached) {
            queue.unreserve(attachment);
            done();
        }
    }

    @Override
    public void completed(
            int attachment,
            int qpNumber,
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int length,
            int immediate,
            int flags) {
        if (detached) {
            return;
        }
        if (status == WcStatus.WR_FLUSH_ERR) {
            flushed.lazySet(flushed.get() + 1);
        }
        if (status != WcStatus.SUCCESS) {
            onFailure.accept(status);
        }
        queue.completed(attachment, qpNumber, wrId, status, opcode, length, immediate, flags);
        done();
    }

    @Override
    public void awaitRoom(int attachment, Rung waiter) {
        if (!detached) {
            queue.awaitRoom(attachment, waiter);
        }
    }

    private void done() {
        underWay--;
        if (underWay == 0) {
            onSettled.run();
        }
    }
}

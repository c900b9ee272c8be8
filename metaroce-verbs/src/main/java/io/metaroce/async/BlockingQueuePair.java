package io.metaroce.async;

import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.VerbsException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A queue pair for programs that wait: each call returns when its request is done. Every wait has a limit. No lock is
 * held while waiting, so thousands of virtual threads may share one object.
 */
public final class BlockingQueuePair implements AutoCloseable {
    private final AsyncQueuePair queuePair;
    private final Duration patience;

    private BlockingQueuePair(AsyncQueuePair queuePair, Duration patience) {
        this.queuePair = queuePair;
        this.patience = patience;
    }

    /** Blocking calls over a queue pair, each of which waits for {@code patience} at most. */
    public static BlockingQueuePair over(AsyncQueuePair queuePair, Duration patience) {
        return new BlockingQueuePair(queuePair, patience);
    }

    /** Sends {@code bytes} bytes at {@code offset} of a region and waits until the peer has them. */
    public Result send(MemoryRegion from, long offset, int bytes) throws IOException, TimeoutException {
        return done("send", () -> queuePair.send(from, offset, bytes));
    }

    /** Waits for one message, into {@code bytes} bytes at {@code offset} of a region. */
    public Result receive(MemoryRegion into, long offset, int bytes) throws IOException, TimeoutException {
        return done("receive", () -> queuePair.receive(into, offset, bytes));
    }

    /** Writes into the peer's memory and waits until the bytes are there. */
    public Result write(MemoryRegion from, long offset, int bytes, long address, int rkey)
            throws IOException, TimeoutException {
        return done("write", () -> queuePair.write(from, offset, bytes, address, rkey));
    }

    /** Reads the peer's memory and waits for the bytes. */
    public Result read(MemoryRegion into, long offset, int bytes, long address, int rkey)
            throws IOException, TimeoutException {
        return done("read", () -> queuePair.read(into, offset, bytes, address, rkey));
    }

    /** Adds to 8 bytes of the peer's memory; returns what was there. */
    public long fetchAndAdd(MemoryRegion into, long offset, long address, int rkey, long add)
            throws IOException, TimeoutException {
        return done("fetch and add", () -> queuePair.fetchAndAdd(into, offset, address, rkey, add));
    }

    /** Posts as soon as there is room, and waits for the result. */
    private <T> T done(String what, Supplier<CompletableFuture<T>> post) throws IOException, TimeoutException {
        CompletableFuture<T> future = post.get();
        while (isRefusedForRoom(future)) {
            if (!queuePair.device().await(queuePair::isWritable, patience)) {
                throw late(what);
            }
            future = post.get();
        }
        if (!queuePair.await(future, patience) && !future.isDone()) {
            throw late(what);
        }
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(what + " was interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof VerbsException refused) {
                throw refused;
            }
            throw cause instanceof IOException failed ? failed : new IOException(what + " failed", cause);
        }
    }

    private static boolean isRefusedForRoom(CompletableFuture<?> future) {
        if (!future.isCompletedExceptionally()) {
            return false;
        }
        Throwable[] cause = new Throwable[1];
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> cause[0] = failure);
        Throwable known = cause[0] instanceof CompletionException wrapped ? wrapped.getCause() : cause[0];
        return known instanceof QueueFullException;
    }

    private TimeoutException late(String what) {
        return new TimeoutException(what + " on " + queuePair.queuePair() + " took longer than " + patience);
    }

    @Override
    public void close() {
        queuePair.close();
    }
}

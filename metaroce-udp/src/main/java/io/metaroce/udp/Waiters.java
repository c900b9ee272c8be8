package io.metaroce.udp;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Threads that wait for something the endpoint's thread does. A waiter takes a ticket, looks, and parks only while the
 * ticket is the newest; so a signal between looking and parking is never lost, and no lock is held while it looks.
 *
 * <p>Thread rule: any thread, virtual ones included.
 */
final class Waiters {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private long ticket;
    private boolean closed;

    /** Waits until {@code done} says true; see {@code EndpointHost.await}. After {@link #close()} only looks once. */
    boolean await(BooleanSupplier done, long timeoutNs) {
        if (done.getAsBoolean()) {
            return true;
        }
        long startNs = System.nanoTime();
        waiting.incrementAndGet();
        try {
            while (true) {
                long seen = ticket();
                if (done.getAsBoolean()) {
                    return true;
                }
                if (!parked(seen, timeoutNs - (System.nanoTime() - startNs))) {
                    return done.getAsBoolean();
                }
            }
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Makes every waiter look again. Costs next to nothing while nobody waits. */
    void signal() {
        // Whatever made the answer change was written before; it must be visible before the count is read, else a
        // waiter that has just looked in vain would be taken for absent.
        VarHandle.fullFence();
        if (waiting.get() == 0) {
            return;
        }
        lock.lock();
        try {
            ticket++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes every waiter, now and later, look once more and go. */
    void close() {
        lock.lock();
        try {
            closed = true;
            ticket++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long ticket() {
        lock.lock();
        try {
            return ticket;
        } finally {
            lock.unlock();
        }
    }

    /** Parks until a newer ticket is out. False when there is no point in waiting longer. */
    private boolean parked(long seen, long timeoutNs) {
        lock.lock();
        try {
            long leftNs = timeoutNs;
            while (ticket == seen && !closed) {
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = changed.awaitNanos(leftNs);
            }
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}

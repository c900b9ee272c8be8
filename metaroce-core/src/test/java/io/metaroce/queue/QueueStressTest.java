package io.metaroce.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Real threads: two posters, an endpoint that parks, pollers that park. Posters stop after a count or a while,
 * whichever is first, so a busy machine makes the test smaller, not longer; a lost wake-up ends at the deadline.
 */
class QueueStressTest {
    private static final long POSTING_NS = Duration.ofSeconds(2).toNanos();
    private static final long DEADLINE_NS = Duration.ofSeconds(60).toNanos();

    @Test
    void nothingIsLostBetweenTwoPostersOfOneSmallRingAndAWaitingPoller() throws InterruptedException {
        new Run(1, 4, 2, 1, 30_000).toTheEnd();
    }

    @Test
    void nothingIsLostBetweenTwoRingsOneTightCompletionQueueAndTwoWaitingPollers() throws InterruptedException {
        new Run(2, 2, 3, 2, 30_000).toTheEnd();
    }

    @Test
    void nothingIsLostWhenNothingEverFills() throws InterruptedException {
        new Run(2, 64, 256, 1, 30_000).toTheEnd();
    }

    private static final class Run {
        final DoorbellQueue doorbells = new DoorbellQueue(4);
        final List<SendRing> rings = new ArrayList<>();
        final CompletionRing completions;
        final Waiters waiters = new Waiters();
        final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        final int pollers;
        final int postsOfEach;
        final long startNs = System.nanoTime();
        final long endNs = startNs + DEADLINE_NS;
        final AtomicBoolean woken = new AtomicBoolean();
        volatile boolean over;

        Run(int ringCount, int sendDepth, int completionDepth, int pollers, int postsOfEach) {
            this.pollers = pollers;
            this.postsOfEach = postsOfEach;
            completions = new CompletionRing(completionDepth, doorbells, waiters);
            for (int i = 0; i < ringCount; i++) {
                rings.add(
                        new SendRing(sendDepth, 1, 8, i, completions, completions.attach(), Signalling.ALL, doorbells));
            }
        }

        void toTheEnd() throws InterruptedException {
            Thread engine = thread("engine", this::engine);
            doorbells.onWake(() -> {
                woken.set(true);
                LockSupport.unpark(engine);
            });
            Tally tally = new Tally(2, postsOfEach);
            List<Thread> others = new ArrayList<>();
            others.add(thread("poster 0", () -> post(rings.get(0), 0, tally)));
            others.add(thread("poster 1", () -> post(rings.get(rings.size() - 1), 1, tally)));
            for (int i = 0; i < pollers; i++) {
                others.add(thread("poller " + i, () -> poll(tally)));
            }
            engine.start();
            others.forEach(Thread::start);
            for (Thread other : others) {
                other.join();
            }
            over = true;
            LockSupport.unpark(engine);
            engine.join();
            assertThat(failure.get()).isNull();
            assertThat(tally.isComplete()).isTrue();
        }

        private Thread thread(String name, Runnable body) {
            Thread thread = new Thread(body, name);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, e) -> {
                failure.compareAndSet(null, new AssertionError(t.getName() + " failed", e));
                over = true;
                waiters.signal();
            });
            return thread;
        }

        private void checkDeadline(String who) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError(who + " waited for ever: a wake-up was lost");
            }
        }

        private void post(SendRing ring, int poster, Tally tally) {
            int i = 0;
            while (i < postsOfEach && System.nanoTime() - startNs < POSTING_NS) {
                SendCell cell = ring.acquire();
                while (cell == null && !over) {
                    LockSupport.parkNanos(1_000);
                    checkDeadline("a poster");
                    cell = ring.acquire();
                }
                if (cell == null) {
                    return;
                }
                // Every field is checked on the other side: a torn hand-over would show.
                cell.wrId(((long) poster << 32) | i)
                        .remoteAddress(~(long) i)
                        .rkey(i)
                        .addSge(poster, i, 1);
                ring.post(cell);
                ring.ring();
                i++;
            }
            tally.posted(i);
            waiters.signal(); // a poller may have counted the last of them already
        }

        private void engine() {
            for (SendRing ring : rings) {
                ring.owner(new Fetcher(ring));
            }
            while (!over) {
                if (woken.getAndSet(false)) {
                    doorbells.drain(0);
                } else {
                    LockSupport.park();
                }
            }
        }

        private final class Fetcher implements Rung {
            final SendRing ring;

            Fetcher(SendRing ring) {
                this.ring = ring;
            }

            @Override
            public void onRung(long nowNs) {
                while (true) {
                    if (!completions.reserve(ring.attachment())) {
                        completions.awaitRoom(ring.attachment(), this);
                        return;
                    }
                    SendCell cell = ring.take();
                    if (cell == null) {
                        completions.unreserve(ring.attachment());
                        return;
                    }
                    int i = (int) cell.wrId();
                    if (cell.remoteAddress() != ~(long) i || cell.rkey() != i || cell.offset(0) != i) {
                        throw new AssertionError("a torn cell: " + i);
                    }
                    completions.completed(ring.attachment(), i, cell.wrId(), WcStatus.SUCCESS, WcOpcode.SEND, ~i, i, 0);
                    ring.release(cell);
                }
            }
        }

        private void poll(Tally tally) {
            while (!over && !tally.isComplete()) {
                int seen = waiters.count();
                completions.arm(ArmMode.ANY);
                if (takeAll(tally) == 0 && !tally.isComplete() && !waiters.await(seen, endNs)) {
                    throw new AssertionError("a poller waited for ever: a wake-up was lost");
                }
            }
            waiters.signal(); // another poller may wait for what we have counted
        }

        private int takeAll(Tally tally) {
            int taken = 0;
            while (true) {
                CompletionCell cell = completions.take();
                if (cell == null) {
                    return taken;
                }
                int i = (int) cell.wrId();
                if (cell.length() != ~i || cell.immediate() != i || cell.qpNumber() != i) {
                    throw new AssertionError("a torn completion: " + i);
                }
                tally.add((int) (cell.wrId() >>> 32), i, pollers == 1);
                completions.release(cell);
                taken++;
            }
        }
    }

    /** Counts signals; waits while the count stands. */
    private static final class Waiters implements CompletionSignal {
        private int count;

        @Override
        public synchronized void signal() {
            count++;
            notifyAll();
        }

        synchronized int count() {
            return count;
        }

        synchronized boolean await(int seen, long endNs) {
            while (count == seen) {
                long leftMs = (endNs - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    return false;
                }
                try {
                    wait(leftMs);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return true;
        }
    }

    /** Each request once, and with one poller in its poster's order. */
    private static final class Tally {
        private final boolean[][] seen;
        private final int[] next;
        private int count;
        private int open;
        private int postedInAll;

        Tally(int posters, int postsOfEach) {
            open = posters;
            seen = new boolean[posters][postsOfEach];
            next = new int[posters];
        }

        synchronized void add(int poster, int i, boolean inOrder) {
            if (seen[poster][i]) {
                throw new AssertionError("twice: " + poster + ", " + i);
            }
            if (inOrder && next[poster] != i) {
                throw new AssertionError("out of order: " + poster + ", " + i + " for " + next[poster]);
            }
            seen[poster][i] = true;
            next[poster]++;
            count++;
        }

        /** A poster is done. */
        synchronized void posted(int posts) {
            open--;
            postedInAll += posts;
        }

        synchronized boolean isComplete() {
            return open == 0 && count == postedInAll;
        }
    }
}

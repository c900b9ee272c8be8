package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private final Waiters waiters = new Waiters();

    @Test
    void whatIsDoneIsNotWaitedFor() {
        assertThat(waiters.await(() -> true, 0)).isTrue();
    }

    @Test
    void aWaitEndsAtItsDeadline() {
        long startNs = System.nanoTime();
        assertThat(waiters.await(() -> false, 20_000_000)).isFalse();
        assertThat(System.nanoTime() - startNs).isBetween(20_000_000L, LONG_NS);
    }

    @Test
    void aWaiterDoesNotLookUnlessItIsToldTo() {
        AtomicInteger looks = new AtomicInteger();
        boolean unused = waiters.await(() -> looks.incrementAndGet() < 0, 100_000_000);
        assertThat(looks.get()).isLessThanOrEqualTo(3);
    }

    @Test
    void noSignalIsLost() throws Exception {
        int rounds = 5_000;
        AtomicInteger ball = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        Thread other = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                int mine = 2 * i + 1;
                if (!waiters.await(() -> ball.get() == mine, LONG_NS)) {
                    failed.set(true);
                }
                ball.lazySet(mine + 1);
                waiters.signal();
            }
        });
        other.start();
        for (int i = 0; i < rounds && !failed.get(); i++) {
            int expected = 2 * i + 2;
            ball.lazySet(expected - 1);
            waiters.signal();
            assertThat(waiters.await(() -> ball.get() == expected, LONG_NS)).isTrue();
        }
        other.join();
        assertThat(failed).isFalse();
    }

    @Test
    void everyWaiterIsWoken() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger woken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                if (waiters.await(done::get, LONG_NS)) {
                    woken.incrementAndGet();
                }
            });
            threads.add(thread);
            thread.start();
        }
        done.set(true);
        waiters.signal();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(woken).hasValue(4);
    }

    @Test
    void closingLetsEverybodyGo() throws Exception {
        AtomicBoolean result = new AtomicBoolean(true);
        Thread thread = new Thread(() -> result.set(waiters.await(() -> false, LONG_NS)));
        thread.start();
        waiters.close();
        thread.join();
        assertThat(result).isFalse();
        assertThat(waiters.await(() -> false, LONG_NS)).isFalse();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysVisible() {
        Thread.currentThread().interrupt();
        assertThat(waiters.await(() -> false, LONG_NS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}

package io.metaroce.udp;

import io.metaroce.datagram.Datagram;
import io.metaroce.num.Deadline;
import io.metaroce.queue.Doorbell;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives one endpoint from one event loop. A <em>pass</em> is one turn of the loop: datagrams are fed as they are read,
 * then one task, which runs after all ready sockets were read, ends the pass and quiesces once. Passes are asked for by
 * arriving datagrams, by doorbells, by one deadline, and by sockets that take packets again. Between passes the loop
 * sleeps.
 *
 * <p>Thread rule: the event loop, except {@link #ring()}.
 */
final class LoopDriver implements Doorbell {
    private final EventExecutor loop;
    private final LongSupplier clock;
    private final PassWork work;
    private final AtomicBoolean wakePending = new AtomicBoolean();

    // Prepared once: nothing is allocated to ask for a pass.
    private final Runnable passTask = this::queuedPass;
    private final Runnable wakeTask = this::woken;
    private final Runnable timerTask = this::timerFired;
    private final Runnable extraTask = this::extraPass;

    private boolean inPass;
    private boolean passQueued;
    private boolean extraQueued;
    private long lastNowNs;
    private long armedNs = Deadline.NEVER;
    private @Nullable ScheduledFuture<?> timer;
    private volatile boolean stopped;

    LoopDriver(EventExecutor loop, LongSupplier clock, PassWork work) {
        this.loop = loop;
        this.clock = clock;
        this.work = work;
    }

    /** When a datagram was read. */
    enum Instant {
        /** By itself. */
        OWN,
        /** By the same call as the one before. */
        AS_BEFORE
    }

    /**
     * Takes a datagram. It gets the instant of its own reading, not that of the pass: reading a full socket takes a
     * millisecond when the machine is busy, and whatever a packet seems to have arrived too early, its acknowledgement
     * seems to have been held back too long, so round trips would come out as nothing at all.
     */
    void feed(Datagram datagram, Instant instant) {
        if (stopped) {
            return;
        }
        try {
            work.feed(instant == Instant.OWN ? now() : lastNowNs, datagram);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /**
     * Asks for a pass at the end of this turn of the loop, or, asked within a pass, in the next turn: passes that ask
     * for passes must not keep the loop from its sockets. Asking twice is asking once.
     */
    void requestPass() {
        if (inPass) {
            queueExtra();
        } else if (!passQueued && !stopped) {
            passQueued = true;
            loop.execute(passTask);
        }
    }

    /** Asks for a pass from any thread: at most one wake-up is under way. */
    @Override
    public void ring() {
        if (stopped) {
            return;
        }
        if (loop.inEventLoop()) {
            // What is rung within a pass is answered in it; if not, the work wants another one.
            if (!inPass) {
                requestPass();
            }
        } else if (wakePending.compareAndSet(false, true)) {
            try {
                loop.execute(wakeTask);
            } catch (RejectedExecutionException e) {
                // The loop has ended and the endpoint with it; whoever waits learns that from close().
                wakePending.set(false);
            }
        }
    }

    /** Runs no pass any more and lets go of the deadline. */
    void stop() {
        stopped = true;
        disarm();
    }

    /** The instant of the pass that is under way, or of the last one. */
    long passNowNs() {
        return lastNowNs;
    }

    private void woken() {
        // Cleared before looking: whoever rings from now on is seen by this pass or wakes the loop again.
        wakePending.set(false);
        if (!passQueued) {
            runPass();
        }
    }

    private void queuedPass() {
        passQueued = false;
        runPass();
    }

    private void timerFired() {
        timer = null;
        armedNs = Deadline.NEVER;
        requestPass();
    }

    private void extraPass() {
        extraQueued = false;
        requestPass();
    }

    private void runPass() {
        if (stopped) {
            return;
        }
        inPass = true;
        try {
            long deadlineNs = work.quiesce(now());
            if (work.wantsPass()) {
                queueExtra();
            }
            arm(deadlineNs);
        } catch (RuntimeException | Error e) {
            fail(e);
        } finally {
            inPass = false;
        }
    }

    /** A task posted by a task would run in this same turn, before any socket is read; a due timer runs in the next. */
    private void queueExtra() {
        if (!extraQueued && !stopped) {
            extraQueued = true;
            Future<?> unused = loop.schedule(extraTask, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** Arming allocates, so a timer that is early enough stays; when it fires too early it costs one idle pass. */
    private void arm(long deadlineNs) {
        if (deadlineNs >= armedNs || stopped) {
            return;
        }
        disarm();
        armedNs = deadlineNs;
        timer = loop.schedule(timerTask, Math.max(0, deadlineNs - now()), TimeUnit.NANOSECONDS);
    }

    private void disarm() {
        armedNs = Deadline.NEVER;
        if (timer != null) {
            boolean unused = timer.cancel(false);
            timer = null;
        }
    }

    private long now() {
        lastNowNs = clock.getAsLong();
        return lastNowNs;
    }

    private void fail(Throwable cause) {
        stop();
        work.failed(cause);
    }
}

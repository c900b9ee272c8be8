package io.metaroce.tools.perf;

import io.metaroce.verbs.CompletionHandler;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a test that runs on the endpoint's own thread: begun by the thread of the tool, carried on by what
 * completes, waited for until it is over.
 */
final class OnLoop {
    /** What goes on. Called by one thread at a time. */
    interface Work {
        /** Posts the first requests; whether there is anything to wait for. */
        boolean begin();

        /** Takes a result of the test and goes on; false when all is over. */
        boolean completed(WorkCompletion result);

        /** All results of one delivery were taken; false when all is over. */
        boolean caughtUp();
    }

    private final Work work;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable RuntimeException fault; // guarded by this

    private OnLoop(Work work) {
        this.work = work;
    }

    /**
     * Runs it to its end.
     *
     * @param longest how long all of it may take
     * @throws IOException when a request fails or it takes longer
     */
    static void run(CompletionQueue queue, Work work, Duration longest) throws IOException {
        OnLoop made = new OnLoop(work);
        CompletionHandler handler = made::take;
        queue.deliverTo(handler);
        try {
            made.begin();
            if (!made.over.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException("the test did not end within " + longest.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            queue.deliverToNobody();
        }
        made.rethrow();
    }

    private synchronized void begin() {
        if (!work.begin()) {
            over.countDown();
        }
    }

    private synchronized void take(WorkCompletion[] results, int count) {
        try {
            boolean goesOn = true;
            for (int i = 0; i < count; i++) {
                goesOn &= work.completed(results[i]);
            }
            if (!goesOn || !work.caughtUp()) {
                over.countDown();
            }
        } catch (RuntimeException e) {
            fault = e;
            over.countDown();
        }
    }

    private synchronized void rethrow() throws IOException {
        if (fault != null) {
            throw new IOException(fault.getMessage(), fault);
        }
    }
}

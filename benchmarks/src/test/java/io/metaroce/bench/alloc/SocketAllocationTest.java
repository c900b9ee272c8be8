package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaroce.verbs.WorkCompletion;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What the event loops of two endpoints allocate for each message over real sockets, results taken on the loop: nothing
 * but what Netty needs to hand packets over.
 */
class SocketAllocationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 10_000;
    private static final int MESSAGE_BYTES = 64;
    private static final int DEPTH = 64;
    private static final int BATCHES_MAX = 8;
    private static final String LOOPS = "metaroce-udp";

    /**
     * Netty makes a packet, a slice and a promise for each run of packets that leaves, and a packet and a slice for
     * each packet that has come, 112 bytes together. How long runs are depends on real time: a message that leaves
     * alone and is reported alone costs twice that. Twice as much again is the bound, since a side that does not get
     * its processor also asks. Loading of classes and growth of tables end with the first batches.
     */
    private static final long BYTES_PER_MESSAGE_MAX = 448;

    @Test
    void aMessageCostsTheLoopsWhatNettyTakesForItsPackets() throws Exception {
        try (WriterPair pair = new WriterPair(PATIENCE, DEPTH, MESSAGE_BYTES)) {
            Writing writing = new Writing(pair);
            pair.queue().deliverTo(writing::take);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < BATCHES_MAX && least > BYTES_PER_MESSAGE_MAX; i++) {
                long before = loopBytes();
                writing.run();
                least = Math.min(least, (loopBytes() - before) / MESSAGES);
            }
            assertThat(least).as("bytes per message of %s", MESSAGE_BYTES).isLessThanOrEqualTo(BYTES_PER_MESSAGE_MAX);
        }
    }

    /** Bytes that all event loops of this process have allocated so far. */
    private static long loopBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            ThreadInfo of = threads.getThreadInfo(id);
            if (of != null && of.getThreadName().startsWith(LOOPS)) {
                sum += Math.max(threads.getThreadAllocatedBytes(id), 0);
            }
        }
        return sum;
    }

    /** Writes one batch after the other on the endpoint's own thread. */
    private static final class Writing {
        private final WriterPair pair;
        private CountDownLatch over = new CountDownLatch(0);
        private int posted;
        private int completed;

        Writing(WriterPair pair) {
            this.pair = pair;
        }

        /** One batch. */
        void run() throws InterruptedException {
            CountDownLatch latch = new CountDownLatch(1);
            synchronized (this) {
                over = latch;
                posted = 0;
                completed = 0;
                post();
            }
            assertThat(latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        }

        private synchronized void take(WorkCompletion[] results, int count) {
            completed += count;
            post();
            if (completed == MESSAGES) {
                over.countDown();
            }
        }

        private void post() {
            while (posted < MESSAGES && posted - completed < DEPTH && pair.post(posted)) {
                posted++;
            }
        }
    }
}

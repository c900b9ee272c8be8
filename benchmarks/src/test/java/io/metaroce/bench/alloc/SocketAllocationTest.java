package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
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
        try (Device ann = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
                Device bob = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
                Listener listener = bob.listen(7)) {
            CompletionQueue queue = ann.createCompletionQueue(2 * DEPTH);
            ProtectionDomain domain = ann.createProtectionDomain();
            QueuePair writer = domain.createQueuePair(QpInitAttributes.of(queue).withSendDepth(DEPTH));
            ProtectionDomain other = bob.createProtectionDomain();
            QueuePair target = other.createQueuePair(QpInitAttributes.of(bob.createCompletionQueue(2 * DEPTH)));
            PendingConnection pending = ann.connector().start(bob.address(), 7, writer);
            listener.accept(PATIENCE).accept(target);
            pending.await(PATIENCE);
            MemoryRegion from = domain.allocate(MESSAGE_BYTES);
            MemoryRegion to = other.allocate(MESSAGE_BYTES, AccessFlag.REMOTE_WRITE);
            Writing writing = new Writing(writer, from, to);
            queue.deliverTo(writing::take);
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
        private final QueuePair writer;
        private final MemoryRegion from;
        private final MemoryRegion to;
        private CountDownLatch over = new CountDownLatch(0);
        private int posted;
        private int completed;

        Writing(QueuePair writer, MemoryRegion from, MemoryRegion to) {
            this.writer = writer;
            this.from = from;
            this.to = to;
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
            while (posted < MESSAGES
                    && posted - completed < DEPTH
                    && writer.postWrite(
                            posted,
                            from.lkey(),
                            0,
                            MESSAGE_BYTES,
                            to.address(),
                            to.rkey(),
                            SendFlag.SIGNALED.value())) {
                posted++;
            }
        }
    }
}

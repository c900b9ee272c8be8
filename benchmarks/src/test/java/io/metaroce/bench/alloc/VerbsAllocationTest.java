package io.metaroce.bench.alloc;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The application's thread allocates nothing when it posts writes and polls completions, over real sockets. */
class VerbsAllocationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MESSAGES = 500;
    private static final int MESSAGE_BYTES = 4096;
    private static final int DEPTH = 32;

    @Test
    void postAndPoll() throws Exception {
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

            WorkCompletion[] done = WorkCompletion.array(DEPTH);
            AllocationMeter meter = new AllocationMeter("post and poll");
            meter.expectNothing(MESSAGES, () -> meter.measure(0, () -> write(writer, queue, from, to, done)));
            assertThat(done[0].isSuccess()).isTrue();
        }
    }

    private static void write(
            QueuePair writer, CompletionQueue queue, MemoryRegion from, MemoryRegion to, WorkCompletion[] done) {
        int posted = 0;
        int completed = 0;
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (completed < MESSAGES) {
            while (posted < MESSAGES
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
            int n = queue.poll(done);
            if (n == 0) {
                if (System.nanoTime() > endNs) {
                    throw new IllegalStateException(completed + " of " + MESSAGES + " messages completed");
                }
                Thread.onSpinWait();
            }
            completed += n;
        }
    }
}

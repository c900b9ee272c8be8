package io.metaroce.bench.alloc;

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
import java.time.Duration;

/** Two devices on sockets of this machine, one of which writes the same message to the other again and again. */
final class WriterPair implements AutoCloseable {
    private static final int SERVICE = 7;

    private final int messageBytes;
    private final Device ann;
    private final Device bob;
    private final Listener listener;
    private final CompletionQueue queue;
    private final QueuePair writer;
    private final MemoryRegion from;
    private final MemoryRegion to;

    WriterPair(Duration patience, int depth, int messageBytes) throws Exception {
        this.messageBytes = messageBytes;
        ann = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
        bob = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
        listener = bob.listen(SERVICE);
        queue = ann.createCompletionQueue(2 * depth);
        ProtectionDomain domain = ann.createProtectionDomain();
        writer = domain.createQueuePair(QpInitAttributes.of(queue).withSendDepth(depth));
        ProtectionDomain other = bob.createProtectionDomain();
        QueuePair target = other.createQueuePair(QpInitAttributes.of(bob.createCompletionQueue(2 * depth)));
        PendingConnection pending = ann.connector().start(bob.address(), SERVICE, writer);
        listener.accept(patience).accept(target);
        pending.await(patience);
        from = domain.allocate(messageBytes);
        to = other.allocate(messageBytes, AccessFlag.REMOTE_WRITE);
    }

    /** Where writes complete. */
    CompletionQueue queue() {
        return queue;
    }

    /** Posts a write; false when there is no room. */
    boolean post(long wrId) {
        return writer.postWrite(wrId, from.lkey(), 0, messageBytes, to.address(), to.rkey(), SendFlag.SIGNALED.value());
    }

    @Override
    public void close() {
        listener.close();
        bob.close();
        ann.close();
    }
}

package io.metaroce.examples;

import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.*;
import java.time.Duration;

/** Two endpoints in one process: one writes into the other's memory and tells it so with 32 bits. */
public final class FirstTenMinutes {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    public static void main(String[] args) throws Exception {
        try (Device ann = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
                Device bob = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")))) {
            ProtectionDomain annsDomain = ann.createProtectionDomain();
            ProtectionDomain bobsDomain = bob.createProtectionDomain();
            CompletionQueue annsQueue = ann.createCompletionQueue(16);
            CompletionQueue bobsQueue = bob.createCompletionQueue(16);
            QueuePair annsQp = annsDomain.createQueuePair(QpInitAttributes.of(annsQueue));
            QueuePair bobsQp = bobsDomain.createQueuePair(QpInitAttributes.of(bobsQueue));

            Listener listener = bob.listen(7);
            PendingConnection pending = ann.connector().start(bob.address(), 7, annsQp);
            listener.accept(PATIENCE).accept(bobsQp);
            pending.await(PATIENCE);
            MemoryRegion target = bobsDomain.allocate(4096, AccessFlag.REMOTE_WRITE);
            bobsQp.postReceive(ReceiveWorkRequest.of(1));
            MemoryRegion source = annsDomain.allocate(4096);
            source.buffer().asCharBuffer().put("hello, memory of bob");
            annsQp.postWriteImmediate(
                    2, source.lkey(), 0, 40, target.address(), target.rkey(), 20, SendFlag.SIGNALED.value());

            WorkCompletion[] told = new WorkCompletion[1];
            bobsQueue.await(told, PATIENCE);
            CharSequence text = target.buffer().asCharBuffer().subSequence(0, told[0].immediate());
            System.out.println(told[0] + " -> " + text);
        }
    }
}

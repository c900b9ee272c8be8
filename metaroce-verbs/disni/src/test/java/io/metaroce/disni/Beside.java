package io.metaroce.disni;

import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/**
 * The same traffic, 1 MiB written and read back, through DiSNI's calls and through ours, in turns in one process.
 * Prints MiB/s of each; the first turns warm up and are not shown.
 */
public final class Beside {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int DEPTH = 8;
    private static final int FIRST_PORT = 18_600;

    private Beside() {}

    /** Arguments: turns shown, rounds of one turn. */
    public static void main(String[] arguments) throws Exception {
        int turns = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 50;
        System.out.println("turn   DiSNI write   read    own write   read   [MiB/s]");
        for (int turn = -1; turn < turns; turn++) {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), FIRST_PORT + turn + 1);
            Thread server = new Thread(() -> serve(at), "server");
            server.setDaemon(true);
            server.start();
            Thread.sleep(500);
            Bulk.Moved disni = Bulk.move(at, rounds);
            server.join(PATIENCE.toMillis());
            Bulk.Moved own = own(rounds);
            if (turn >= 0) {
                System.out.printf(
                        Locale.ROOT,
                        "%4d   %11.0f %6.0f  %11.0f %6.0f%n",
                        turn + 1,
                        rate(disni.operations(), disni.writeNs()),
                        rate(disni.operations(), disni.readNs()),
                        rate(own.operations(), own.writeNs()),
                        rate(own.operations(), own.readNs()));
            }
        }
    }

    private static void serve(InetSocketAddress at) {
        try {
            Bulk.serve(at, () -> {});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static double rate(int operations, long ns) {
        return operations * 1e9 / ns;
    }

    /** Our own calls, polling as {@link Bulk} does. */
    static Bulk.Moved own(int rounds) throws Exception {
        try (Device client = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")));
                Device server = Device.open(UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0")))) {
            CompletionQueue queue = client.createCompletionQueue(256);
            QueuePair from = client.createProtectionDomain().createQueuePair(QpInitAttributes.of(queue));
            QueuePair to = server.createProtectionDomain()
                    .createQueuePair(QpInitAttributes.of(server.createCompletionQueue(256)));
            try (Listener listener = server.listen(1)) {
                PendingConnection pending = client.connector().start(server.address(), 1, from);
                listener.accept(PATIENCE).accept(to);
                pending.await(PATIENCE);
            }
            MemoryRegion near = from.domain().allocate(Bulk.BYTES, AccessFlag.LOCAL_WRITE);
            MemoryRegion far = to.domain().allocate(Bulk.BYTES, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            WorkCompletion[] some = WorkCompletion.array(4);
            long writeNs = 0;
            long readNs = 0;
            for (int round = 0; round < rounds; round++) {
                Bulk.fill(near.buffer(), round);
                long beganNs = System.nanoTime();
                for (int i = 0; i < DEPTH; i++) {
                    from.postWrite(3, near.lkey(), 0, Bulk.BYTES, far.address(), far.rkey(), SendFlag.SIGNALED.value());
                }
                await(queue, some);
                writeNs += System.nanoTime() - beganNs;
                beganNs = System.nanoTime();
                for (int i = 0; i < DEPTH; i++) {
                    from.postRead(3, near.lkey(), 0, Bulk.BYTES, far.address(), far.rkey(), SendFlag.SIGNALED.value());
                }
                await(queue, some);
                readNs += System.nanoTime() - beganNs;
            }
            return new Bulk.Moved(rounds * DEPTH, writeNs, readNs);
        }
    }

    private static void await(CompletionQueue queue, WorkCompletion[] some) {
        for (int seen = 0; seen < DEPTH; ) {
            int polled = queue.poll(some);
            for (int i = 0; i < polled; i++) {
                if (!some[i].isSuccess()) {
                    throw new IllegalStateException(some[i].toString());
                }
            }
            seen += polled;
            if (polled == 0) {
                Thread.onSpinWait();
            }
        }
    }
}

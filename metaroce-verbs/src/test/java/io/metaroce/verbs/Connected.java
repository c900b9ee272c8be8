package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Two connected devices with one or more queue pairs each, and the few steps that every test takes. */
final class Connected {
    static final int SERVICE = 7;
    static final Duration LONG = Duration.ofSeconds(20);

    final Side client;
    final Side server;

    /** One end: a device with a domain, a completion queue and queue pairs. */
    static final class Side {
        final Device device;
        final ProtectionDomain domain;
        final CompletionQueue queue;
        final List<QueuePair> queuePairs = new ArrayList<>();
        private @Nullable Connection connection;

        Side(Device device, int count, UnaryOperator<QpInitAttributes> how) {
            this.device = device;
            domain = device.createProtectionDomain();
            queue = device.createCompletionQueue(1024);
            for (int i = 0; i < count; i++) {
                QueuePair queuePair = domain.createQueuePair(how.apply(QpInitAttributes.of(queue)));
                queuePair.modify(QpState.INIT);
                queuePairs.add(queuePair);
            }
        }

        QueuePair qp() {
            return queuePairs.get(0);
        }

        Connection connection() {
            if (connection == null) {
                throw new IllegalStateException("connect first");
            }
            return connection;
        }

        MemoryRegion region(int bytes, AccessFlag... access) {
            return domain.allocate(Math.max(1, bytes), access);
        }

        /** A region of bytes that differ from place to place. */
        MemoryRegion pattern(int bytes, int seed) {
            MemoryRegion region = region(bytes);
            region.put(0, patternOf(bytes, seed));
            return region;
        }

        void postReceive(long wrId, MemoryRegion region, int bytes) {
            assertThat(qp().postReceive(wrId, region.lkey(), 0, bytes)).isTrue();
        }

        /** The next result, which must come. */
        WorkCompletion next() {
            WorkCompletion[] one = new WorkCompletion[1];
            assertThat(queue.await(one, LONG)).as("a completion at %s", device).isEqualTo(1);
            return one[0];
        }

        WorkCompletion nextSuccess() {
            WorkCompletion completion = next();
            assertThat(completion.isSuccess()).as("%s", completion).isTrue();
            return completion;
        }

        /** Everything that comes until {@code count} results are there. */
        List<WorkCompletion> next(int count) {
            List<WorkCompletion> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(next());
            }
            return all;
        }

        boolean hasNothing() {
            return queue.poll(WorkCompletion.array(1)) == 0;
        }
    }

    private Connected(Side client, Side server) {
        this.client = client;
        this.server = server;
    }

    static Connected with(VerbsWorld world) throws Exception {
        return with(world, 1, how -> how);
    }

    static Connected with(VerbsWorld world, int queuePairs, UnaryOperator<QpInitAttributes> how) throws Exception {
        Connected both = apart(world, queuePairs, how);
        both.connect(world);
        return both;
    }

    /** Two sides that are not connected yet. */
    static Connected apart(VerbsWorld world, int queuePairs, UnaryOperator<QpInitAttributes> how) {
        return new Connected(new Side(world.client(), queuePairs, how), new Side(world.server(), queuePairs, how));
    }

    /** Two connected devices of any world. */
    static Connected between(
            Device client, Device server, String address, int queuePairs, UnaryOperator<QpInitAttributes> how)
            throws Exception {
        Connected both = new Connected(new Side(client, queuePairs, how), new Side(server, queuePairs, how));
        both.connect(address);
        return both;
    }

    void connect(VerbsWorld world) throws Exception {
        connect(world.serverAddress());
    }

    private void connect(String address) throws Exception {
        try (Listener listener = server.device.listen(SERVICE)) {
            PendingConnection pending =
                    client.device.connector().start(address, SERVICE, client.queuePairs.toArray(QueuePair[]::new));
            server.connection =
                    listener.accept(LONG).accept(new byte[0], LONG, server.queuePairs.toArray(QueuePair[]::new));
            client.connection = pending.await(LONG);
        }
    }

    static byte[] patternOf(int bytes, int seed) {
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) (seed + i * 31 + (i >>> 8) * 7);
        }
        return pattern;
    }

    static byte[] bytesOf(MemoryRegion region, int bytes) {
        byte[] read = new byte[bytes];
        region.get(0, read);
        return read;
    }
}

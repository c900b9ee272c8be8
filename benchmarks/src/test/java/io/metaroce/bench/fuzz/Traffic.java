package io.metaroce.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.perf.Pattern;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.PendingConnection;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.ReceiveWorkRequest;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Two live endpoints. The one that listens writes to the one that connects, without end; every message is compared when
 * its immediate arrives, and only then may its place be written again.
 */
final class Traffic implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SERVICE = 7;
    private static final int SLOTS = 8;
    private static final int MESSAGE_BYTES = 40_000;
    private static final int GUARD_BYTES = 1 << 16;
    private static final byte GUARD = 0x5A;

    private final UdpEndpoint reader = UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0"));
    private final UdpEndpoint writer = UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0"));
    private final Device readerDevice = Device.open(reader);
    private final Device writerDevice = Device.open(writer);
    private final Listener listener = writerDevice.listen(SERVICE);
    private final Listener another = readerDevice.listen(SERVICE); // so that requests sent to the reader get far
    private final CompletionQueue readerQueue = readerDevice.createCompletionQueue(4 * SLOTS);
    private final CompletionQueue writerQueue = writerDevice.createCompletionQueue(4 * SLOTS);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SLOTS * MESSAGE_BYTES + 2 * GUARD_BYTES);
    private final MemoryRegion target;
    private final MemoryRegion closed; // registered, but not for the peer
    private final MemoryRegion text;
    private final MemoryRegion expected;
    private final QueuePair readerPair;
    private final QueuePair writerPair;
    private final WorkCompletion[] done = WorkCompletion.array(4 * SLOTS);
    private final Relay relay;
    private final Connection connection;
    private long posted;
    private long compared;

    Traffic(Consumer<ByteBuffer> witness) throws Exception {
        fill(memory);
        ProtectionDomain readerDomain = readerDevice.createProtectionDomain();
        ProtectionDomain writerDomain = writerDevice.createProtectionDomain();
        target = readerDomain.register(
                memory.slice(GUARD_BYTES, SLOTS * MESSAGE_BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        closed = readerDomain.allocate(GUARD_BYTES, AccessFlag.LOCAL_WRITE);
        fill(closed.buffer());
        expected = readerDomain.allocate(Pattern.textBytes(MESSAGE_BYTES), AccessFlag.LOCAL_WRITE);
        text = writerDomain.allocate(Pattern.textBytes(MESSAGE_BYTES), AccessFlag.LOCAL_WRITE);
        Pattern.fill(expected);
        Pattern.fill(text);
        readerPair = readerDomain.createQueuePair(QpInitAttributes.of(readerQueue));
        writerPair = writerDomain.createQueuePair(QpInitAttributes.of(writerQueue));
        relay = new Relay(writer.localAddress().port(), witness);
        PendingConnection pending = readerDevice.connector().start("127.0.0.1:" + relay.port(), SERVICE, readerPair);
        listener.accept(PATIENCE).accept(writerPair);
        connection = pending.await(PATIENCE);
        for (int i = 0; i < 2 * SLOTS; i++) {
            assertThat(readerPair.postReceive(ReceiveWorkRequest.of(i))).isTrue();
        }
    }

    /** The endpoint that is written to. */
    UdpEndpoint reader() {
        return reader;
    }

    /** The endpoint that writes. */
    UdpEndpoint writer() {
        return writer;
    }

    /** Messages compared so far. */
    long compared() {
        return compared;
    }

    /** Goes on until {@code enough}; fails when nothing arrives for long. */
    void runUntil(BooleanSupplier enough) {
        while (!enough.getAsBoolean()) {
            while (posted < compared + SLOTS && post()) {
                posted++;
            }
            int n = readerQueue.await(done, PATIENCE);
            assertThat(n)
                    .as("messages arriving within %s; %s", PATIENCE, connection)
                    .isPositive();
            for (int i = 0; i < n; i++) {
                compare(done[i]);
            }
            check(writerQueue.poll(done));
        }
    }

    /** Waits for what is under way. */
    void finish() {
        while (compared < posted) {
            int n = readerQueue.await(done, PATIENCE);
            assertThat(n).isPositive();
            for (int i = 0; i < n; i++) {
                compare(done[i]);
            }
        }
        assertThat(connection.isClosed()).isFalse();
    }

    /** Whether nothing but the target was written. */
    boolean areGuardsIntact() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (memory.get(i) != GUARD
                    || memory.get(memory.capacity() - 1 - i) != GUARD
                    || closed.buffer().get(i) != GUARD) {
                return false;
            }
        }
        return true;
    }

    private boolean post() {
        int slot = (int) (posted % SLOTS);
        return writerPair.postWriteImmediate(
                posted,
                text.lkey(),
                Pattern.offset(posted),
                MESSAGE_BYTES,
                target.address() + (long) slot * MESSAGE_BYTES,
                target.rkey(),
                (int) posted,
                SendFlag.SIGNALED.value());
    }

    private void compare(WorkCompletion arrived) {
        assertThat(arrived.isSuccess()).as("%s", arrived).isTrue();
        assertThat(arrived.immediate()).isEqualTo((int) compared);
        long at = compared % SLOTS * MESSAGE_BYTES;
        assertThat(Pattern.matches(expected, target, at, MESSAGE_BYTES, compared))
                .as("message %d", compared)
                .isTrue();
        compared++;
        assertThat(readerPair.postReceive(ReceiveWorkRequest.of(compared))).isTrue();
    }

    private void check(int n) {
        for (int i = 0; i < n; i++) {
            assertThat(done[i].isSuccess()).as("%s", done[i]).isTrue();
        }
    }

    private static void fill(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, GUARD);
        }
    }

    @Override
    public void close() {
        relay.close();
        another.close();
        listener.close();
        readerDevice.close();
        writerDevice.close();
        reader.close();
        writer.close();
    }
}

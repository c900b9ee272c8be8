package io.metaroce.tools.peers;

import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.trace.Counter;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.ConnectionRequest;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** This transport: writes of 1 MiB and of 64 bytes, sends of 64 bytes that come back; 16 paths, checksums on. */
final class Metaroce implements Peer {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SERVICE = 7;
    private static final int BULK_BYTES = 1 << 20;
    private static final int BULK_DEPTH = 16;
    private static final int SMALL_DEPTH = 1024;
    private static final int SIGNALED_EVERY = 16;
    private static final int STOCK = 64;

    private final String name;
    private final int payloadBytes;

    Metaroce(String name, int payloadBytes) {
        this.name = name;
        this.payloadBytes = payloadBytes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return "metaroce, 16 paths, " + payloadBytes + " B of payload in a packet";
    }

    @Override
    public Receiver serve(String host) {
        return new Far(new Half(host, payloadBytes));
    }

    @Override
    public Sender connect(String host, String remote) throws IOException {
        return new Near(new Half(host, payloadBytes), remote);
    }

    /** What both sides have. */
    private static final class Half {
        final UdpEndpoint endpoint;
        final Device device;
        final CompletionQueue queue;
        final QueuePair queuePair;
        final MemoryRegion memory;

        Half(String host, int payloadBytes) {
            EndpointConfig settings = Profiles.udp();
            settings = settings.withConnection(settings.connection().withPayloadBytes(payloadBytes));
            endpoint = UdpEndpoint.bind(
                    UdpConfig.builder().bind(host + ":0").settings(settings).build());
            device = Device.open(endpoint);
            var domain = device.createProtectionDomain();
            queue = device.createCompletionQueue(2 * SMALL_DEPTH + STOCK);
            queuePair = domain.createQueuePair(
                    QpInitAttributes.of(queue).withSendDepth(SMALL_DEPTH).withReceiveDepth(2 * STOCK));
            memory = domain.allocate((long) BULK_BYTES * BULK_DEPTH, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            queuePair.modify(QpState.INIT);
            for (int i = 0; i < STOCK; i++) {
                postReceive(i);
            }
        }

        void postReceive(long slot) {
            queuePair.postReceive(slot, memory.lkey(), slot * SMALL_BYTES, SMALL_BYTES);
        }

        void postPing() {
            queuePair.postSend(0, memory.lkey(), 0, SMALL_BYTES, SendFlag.SIGNALED.value());
        }

        static boolean isReceive(WorkCompletion result) {
            return result.opcode().value() >= 128;
        }

        void close() {
            device.close();
            endpoint.close();
        }
    }

    /** Counts what the engine has placed, and answers messages. */
    private static final class Far implements Receiver {
        private final Half half;
        private final Listener listener;

        Far(Half half) {
            this.half = half;
            listener = half.device.listen(SERVICE);
            Thread thread = new Thread(this::accept, "accept");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                ConnectionRequest request = listener.accept(Duration.ofHours(1));
                byte[] where = ByteBuffer.allocate(12)
                        .putInt(half.memory.rkey())
                        .putLong(half.memory.address())
                        .array();
                half.queue.deliverTo(this::answer);
                Connection unused = request.accept(where, PATIENCE, half.queuePair);
            } catch (TimeoutException | IOException e) {
                throw new IllegalStateException("nobody connected", e);
            }
        }

        private void answer(WorkCompletion[] results, int count) {
            for (int i = 0; i < count; i++) {
                if (results[i].isSuccess() && Half.isReceive(results[i])) {
                    half.postReceive(results[i].wrId());
                    half.postPing();
                }
            }
        }

        @Override
        public String address() {
            return half.endpoint.localAddress().toString();
        }

        @Override
        public long bytes() {
            return half.endpoint.counters().get(Counter.RX_PAYLOAD_BYTES);
        }

        @Override
        public void close() {
            listener.close();
            half.close();
        }
    }

    /** Posts on the endpoint's own thread. */
    private static final class Near implements Sender {
        private final Half half;
        private final int rkey;
        private final long address;
        private CountDownLatch over = new CountDownLatch(0);
        private Histogram halfRoundTrips = new Histogram(3);
        private String fault = "";
        private boolean pinging;
        private boolean answered;
        private boolean sent;
        private int size;
        private int depth;
        private int every;
        private long posted;
        private long completed;
        private long endNs;
        private long startNs;

        Near(Half half, String remote) throws IOException {
            this.half = half;
            Connection made = half.device
                    .connector()
                    .start(remote, SERVICE, half.queuePair)
                    .await(PATIENCE);
            ByteBuffer where = ByteBuffer.wrap(made.privateData());
            rkey = where.getInt();
            address = where.getLong();
            half.queue.deliverTo(this::take);
        }

        @Override
        public void bulk(Duration time) throws IOException {
            run(time, BULK_BYTES, BULK_DEPTH, 1, false);
        }

        @Override
        public void small(Duration time) throws IOException {
            run(time, SMALL_BYTES, SMALL_DEPTH, SIGNALED_EVERY, false);
        }

        @Override
        public Histogram pingPong(Duration time) throws IOException {
            halfRoundTrips = new Histogram(3);
            run(time, SMALL_BYTES, 1, 1, true);
            return halfRoundTrips;
        }

        private void run(Duration time, int messageBytes, int outstanding, int signaledEvery, boolean pings)
                throws IOException {
            CountDownLatch latch = new CountDownLatch(1);
            synchronized (this) {
                over = latch;
                size = messageBytes;
                depth = outstanding;
                every = signaledEvery;
                pinging = pings;
                posted = 0;
                completed = 0;
                endNs = System.nanoTime() + time.toNanos();
                goOn();
            }
            try {
                if (!latch.await(time.toMillis() + PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException("nothing completes any more");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            synchronized (this) {
                if (!fault.isEmpty()) {
                    throw new IOException(fault);
                }
            }
        }

        private synchronized void take(WorkCompletion[] results, int count) {
            for (int i = 0; i < count; i++) {
                if (!results[i].isSuccess()) {
                    fault = results[i].toString();
                    over.countDown();
                    return;
                }
                if (Half.isReceive(results[i])) {
                    halfRoundTrips.recordValue((System.nanoTime() - startNs) / 2);
                    half.postReceive(results[i].wrId());
                    answered = true;
                } else if (pinging) {
                    sent = true;
                } else {
                    completed += every;
                }
            }
            goOn();
        }

        private void goOn() {
            boolean goes = System.nanoTime() < endNs;
            if (pinging) {
                ping(goes);
                return;
            }
            while (posted - completed < depth && (goes || posted % every != 0)) {
                posted++;
                int flags = posted % every == 0 ? SendFlag.SIGNALED.value() : 0;
                long to = address + posted % depth * size;
                if (!half.queuePair.postWrite(posted, half.memory.lkey(), 0, size, to, rkey, flags)) {
                    posted--;
                    break;
                }
            }
            if (posted == completed) {
                over.countDown();
            }
        }

        private void ping(boolean goes) {
            boolean isFirst = posted == 0;
            if (!isFirst && (!answered || !sent)) {
                return;
            }
            if (!goes) {
                over.countDown();
                return;
            }
            posted++;
            answered = false;
            sent = false;
            startNs = System.nanoTime();
            half.postPing();
        }

        @Override
        public void close() {
            half.close();
        }
    }
}

package io.metaroce.examples;

import io.metaroce.queue.WcStatus;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.*;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Requests and replies by SEND, into receives that were posted ahead, and how long a round trip takes. */
public final class PingPong {
    private static final int SERVICE = 7;
    private static final int BYTES = 64; // of a request, and of a reply
    private static final int RECEIVES = 16; // posted ahead; the number of each is its place in memory
    private static final int REQUEST = RECEIVES; // the place behind them
    private static final int WARM_UP = 2_000; // round trips that are not counted: the compiler is at work
    private static final int ROUNDS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);
    // Copied when it is posted, so its memory is free at once; and no completion unless it fails.
    private static final int COPIED = SendFlag.INLINE.value();

    private PingPong() {}

    /** Both roles, or {@code server ADDRESS:PORT}, or {@code client ADDRESS:PORT}. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            try (Device server = open("127.0.0.1:0")) {
                FutureTask<Integer> serving = new FutureTask<>(() -> serve(server));
                new Thread(serving, "server").start();
                ask(server.address().toString());
                serving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } else if (args.length == 2 && args[0].equals("server")) {
            try (Device server = open(args[1])) {
                serve(server);
            }
        } else if (args.length == 2 && args[0].equals("client")) {
            ask(args[1]);
        } else {
            throw new IllegalArgumentException("give nothing, or server ADDRESS:PORT, or client ADDRESS:PORT");
        }
    }

    private static Device open(String address) {
        return Device.open(UdpEndpoint.bind(UdpConfig.on(address)));
    }

    /** Answers until the client closes; returns how often. */
    private static int serve(Device device) throws Exception {
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(256);
        QueuePair qp = domain.createQueuePair(QpInitAttributes.of(queue));
        MemoryRegion memory = domain.allocate(RECEIVES * BYTES, AccessFlag.LOCAL_WRITE);
        qp.modify(QpState.INIT); // from here on receives can be posted, so none is missing when the first request comes
        for (int place = 0; place < RECEIVES; place++) {
            postReceive(qp, memory, place);
        }
        try (Listener listener = device.listen(SERVICE)) {
            System.out.println("listening " + device.address());
            listener.accept(WAIT_FOR_CLIENT).accept(qp);
        }
        ByteBuffer bytes = memory.buffer();
        WorkCompletion[] done = WorkCompletion.array(RECEIVES);
        int answered = 0;
        while (true) {
            int count = queue.await(done, PATIENCE); // several may be there at once
            if (count == 0) {
                throw new TimeoutException("the client has said nothing for " + PATIENCE);
            }
            for (int i = 0; i < count; i++) {
                if (done[i].status() == WcStatus.WR_FLUSH_ERR) { // the connection is closed: receives come back unused
                    System.out.println(answered + " requests answered");
                    return answered;
                }
                int at = (int) received(done[i]) * BYTES;
                bytes.putLong(at, ~bytes.getLong(at));
                post(qp.postSend(0, memory.lkey(), at, BYTES, COPIED));
                postReceive(qp, memory, done[i].wrId());
                answered++;
            }
        }
    }

    private static void ask(String address) throws Exception {
        try (Device device = open("127.0.0.1:0")) {
            ProtectionDomain domain = device.createProtectionDomain();
            CompletionQueue queue = device.createCompletionQueue(256);
            QueuePair qp = domain.createQueuePair(QpInitAttributes.of(queue));
            Connection connection = device.connector()
                    .withRetries(RetryPolicy.patient(PATIENCE)) // the server may start later
                    .connect(address, SERVICE, qp);
            MemoryRegion memory = domain.allocate((RECEIVES + 1) * BYTES, AccessFlag.LOCAL_WRITE);
            for (int place = 0; place < RECEIVES; place++) {
                postReceive(qp, memory, place);
            }
            ByteBuffer bytes = memory.buffer();
            WorkCompletion[] done = WorkCompletion.array(1);
            long[] tookNs = new long[ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                long beginNs = System.nanoTime();
                bytes.putLong(REQUEST * BYTES, round);
                post(qp.postSend(REQUEST, memory.lkey(), REQUEST * BYTES, BYTES, COPIED));
                if (queue.await(done, PATIENCE) == 0) {
                    throw new TimeoutException("no reply to request " + round + " within " + PATIENCE);
                }
                int at = (int) received(done[0]) * BYTES;
                if (bytes.getLong(at) != ~(long) round) {
                    throw new IllegalStateException("request " + round + " was answered with " + bytes.getLong(at));
                }
                if (round >= 0) {
                    tookNs[round] = System.nanoTime() - beginNs;
                }
                postReceive(qp, memory, done[0].wrId());
            }
            connection.close(PATIENCE);
            Arrays.sort(tookNs);
            System.out.printf(Locale.ROOT, "%d round trips of %d bytes, all answers right%n", ROUNDS, BYTES);
            for (double percent : new double[] {50, 90, 99, 99.9}) {
                int rank = (int) Math.ceil(ROUNDS * percent / 100) - 1;
                System.out.printf(Locale.ROOT, "%5.1f %% within %.1f us%n", percent, tookNs[rank] / 1e3);
            }
        }
    }

    /** Number of the receive that a message came into. */
    private static long received(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString()); // says what happened, where, and the first cause
        }
        return completion.wrId();
    }

    private static void postReceive(QueuePair qp, MemoryRegion memory, long place) {
        post(qp.postReceive(place, memory.lkey(), place * BYTES, BYTES));
    }

    private static void post(boolean isPosted) {
        if (!isPosted) { // cannot be here, where so little is under way; others poll completions and try again
            throw new IllegalStateException("the queue is full");
        }
    }
}

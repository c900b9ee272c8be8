package io.metaroce.examples;

import static io.metaroce.examples.KeyValueTable.PUT_BYTES;
import static io.metaroce.examples.KeyValueTable.VALUE_BYTES;

import io.metaroce.queue.WcStatus;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.*;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A hash table in registered memory: GET reads a slot by RDMA READ, which no code of the server takes part in; PUT is a
 * message that the server carries out and confirms. Here two threads put and get the same keys, and every value that is
 * found is compared with what was put under its version.
 */
public final class KeyValueStore {
    private static final int SERVICE = 8;
    private static final int KEYS = 4; // few, so that gets and puts often meet
    private static final int PUTS = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);

    private KeyValueStore() {}

    /** Both roles, or {@code server ADDRESS:PORT}, or {@code client ADDRESS:PORT}. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            try (Device server = open("127.0.0.1:0")) {
                FutureTask<Integer> serving = new FutureTask<>(() -> serve(server));
                new Thread(serving, "server").start();
                putAndGet(server.address().toString());
                int unused = serving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } else if (args.length == 2 && args[0].equals("server")) {
            try (Device server = open(args[1])) {
                int unused = serve(server);
            }
        } else if (args.length == 2 && args[0].equals("client")) {
            putAndGet(args[1]);
        } else {
            throw new IllegalArgumentException("give nothing, or server ADDRESS:PORT, or client ADDRESS:PORT");
        }
    }

    private static Device open(String address) {
        return Device.open(UdpEndpoint.bind(UdpConfig.on(address)));
    }

    /** Carries out PUTs until the client closes; returns how many. It hears nothing of GETs. */
    private static int serve(Device device) throws Exception {
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(256);
        QueuePair gets = domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
        QueuePair puts = domain.createQueuePair(QpInitAttributes.of(queue));
        MemoryRegion table = domain.allocate(KeyValueTable.SLOTS * KeyValueTable.SLOT_BYTES, AccessFlag.REMOTE_READ);
        MemoryRegion inbox = domain.allocate(PUT_BYTES, AccessFlag.LOCAL_WRITE);
        MemoryRegion reply = domain.allocate(8);
        puts.modify(QpState.INIT);
        puts.postReceive(1, inbox.lkey(), 0, PUT_BYTES);
        try (Listener listener = device.listen(SERVICE)) {
            System.out.println("listening " + device.address());
            ByteBuffer where = ByteBuffer.allocate(12).putLong(table.address()).putInt(table.rkey());
            listener.accept(WAIT_FOR_CLIENT).accept(where.array(), PATIENCE, gets, puts);
        }
        ByteBuffer message = inbox.buffer();
        WorkCompletion[] done = WorkCompletion.array(1);
        for (int count = 0; ; count++) {
            if (queue.await(done, PATIENCE) == 0) {
                throw new TimeoutException("the client has said nothing for " + PATIENCE);
            }
            if (done[0].status() == WcStatus.WR_FLUSH_ERR) { // the connection is closed: the receive comes back unused
                System.out.println(count + " PUTs carried out");
                return count;
            }
            long version = done[0].isSuccess() && done[0].byteLength() == PUT_BYTES
                    ? KeyValueTable.put(table.buffer(), message.getLong(0), message.position(8))
                    : 0;
            reply.buffer().putLong(version);
            puts.postReceive(1, inbox.lkey(), 0, PUT_BYTES);
            puts.postSend(2, reply.lkey(), 0, 8, SendFlag.INLINE.value());
        }
    }

    private static void putAndGet(String address) throws Exception {
        try (Device device = open("127.0.0.1:0")) {
            KeyValueClient client = new KeyValueClient(device, address, SERVICE);
            AtomicLongArray confirmed = new AtomicLongArray(KEYS); // the newest version of each key
            FutureTask<Integer> putting = new FutureTask<>(() -> putAll(client, confirmed));
            new Thread(putting, "puts").start();
            long[] seen = new long[KEYS];
            int gets = 0;
            while (!putting.isDone()) {
                int key = gets++ % KEYS;
                seen[key] = compared(client, key, Math.max(confirmed.get(key), seen[key]));
            }
            int puts = putting.get();
            for (int key = 0; key < KEYS; key++) {
                expect(confirmed.get(key), compared(client, key, confirmed.get(key)), key);
            }
            expect(0, client.get(KEYS), KEYS); // which nobody has put
            System.out.println(puts + " PUTs, and " + gets + " GETs beside them, all values right");
            System.out.println(client.torn() + " slots were torn and read again");
        }
    }

    private static int putAll(KeyValueClient client, AtomicLongArray confirmed) throws Exception {
        for (int i = 0; i < PUTS; i++) {
            int key = i % KEYS;
            long version = confirmed.get(key) + 1;
            expect(version, client.put(key, value(key, version)), key);
            confirmed.set(key, version);
        }
        return PUTS;
    }

    /** Gets a key; returns its version, which is {@code atLeast} what was seen or confirmed before. */
    private static long compared(KeyValueClient client, int key, long atLeast) throws Exception {
        long version = client.get(key);
        if (version < atLeast || (version != 0 && !client.value().equals(value(key, version)))) {
            throw new IllegalStateException("wrong value of key " + key + ", version " + version + " after " + atLeast);
        }
        return version;
    }

    private static ByteBuffer value(int key, long version) {
        ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES);
        while (value.hasRemaining()) {
            value.putLong(((long) key << 56) + (version << 16) + value.position());
        }
        return value.flip();
    }

    private static void expect(long wanted, long found, int key) {
        if (found != wanted) {
            throw new IllegalStateException("key " + key + " has version " + found + ", not " + wanted);
        }
    }
}

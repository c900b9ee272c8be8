package io.metaroce.examples;

import static io.metaroce.examples.KeyValueTable.PUT_BYTES;
import static io.metaroce.examples.KeyValueTable.SLOT_BYTES;
import static io.metaroce.examples.KeyValueTable.VALUE_BYTES;

import io.metaroce.async.AsyncQueuePair;
import io.metaroce.async.Result;
import io.metaroce.verbs.*;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gets and puts of {@link KeyValueStore} over one connection. One thread may get while another puts. */
final class KeyValueClient {
    private static final int REREADS_MAX = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final AsyncQueuePair gets;
    private final AsyncQueuePair puts;
    private final MemoryRegion fetched; // a slot
    private final MemoryRegion outgoing; // a message that puts, and the reply to it
    private final long table;
    private final int rkey;
    private int torn;

    /** Connects; the server says along with its answer where the table is. */
    KeyValueClient(Device device, String address, int service) throws VerbsConnectException {
        ProtectionDomain domain = device.createProtectionDomain();
        QueuePair getting = domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
        QueuePair putting = domain.createQueuePair(QpInitAttributes.of(device.createCompletionQueue(256)));
        Connection connection = device.connector()
                .withRetries(RetryPolicy.patient(PATIENCE)) // the server may start later
                .connect(address, service, getting, putting);
        gets = AsyncQueuePair.over(getting);
        puts = AsyncQueuePair.over(putting);
        fetched = domain.allocate(SLOT_BYTES, AccessFlag.LOCAL_WRITE);
        outgoing = domain.allocate(PUT_BYTES + 8, AccessFlag.LOCAL_WRITE);
        ByteBuffer where = ByteBuffer.wrap(connection.privateData());
        table = where.getLong();
        rkey = where.getInt();
    }

    /** The newest version of a key, 0 when there is none; its bytes are those of {@link #value} until the next call. */
    long get(long key) throws Exception {
        ByteBuffer slot = fetched.buffer();
        for (int probe = 0; probe < KeyValueTable.SLOTS; probe++) {
            read(KeyValueTable.slot(key, probe));
            for (int again = 0; !KeyValueTable.isWhole(slot); again++) {
                if (again == REREADS_MAX) {
                    throw new TimeoutException("the slot of key " + key + " is torn each time it is read");
                }
                torn++;
                read(KeyValueTable.slot(key, probe));
            }
            long version = slot.getLong(KeyValueTable.VERSION);
            if (version == 0 || slot.getLong(KeyValueTable.KEY) == key) {
                return version;
            }
        }
        return 0;
    }

    private void read(int at) throws Exception {
        await(gets.read(fetched, 0, SLOT_BYTES, table + at, rkey));
    }

    /** The value that {@link #get} has found. */
    ByteBuffer value() {
        return fetched.slice(KeyValueTable.VALUE, VALUE_BYTES);
    }

    /** How many slots were torn and so read again. */
    int torn() {
        return torn;
    }

    /** Puts a value, and returns the version it got; then every {@link #get} that begins finds it, or a later one. */
    long put(long key, ByteBuffer value) throws Exception {
        outgoing.buffer().putLong(key).put(value);
        Future<Result> reply = puts.receive(outgoing, PUT_BYTES, 8); // before it can come
        await(puts.send(outgoing, 0, PUT_BYTES));
        await(reply);
        return outgoing.buffer().getLong(PUT_BYTES);
    }

    /** A request that fails says what failed, where, and the first cause. */
    private static void await(Future<Result> request) throws Exception {
        Result unused = request.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}

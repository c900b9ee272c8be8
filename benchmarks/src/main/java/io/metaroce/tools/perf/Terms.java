package io.metaroce.tools.perf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What both sides must agree on, exchanged as private data of the handshake, so that a difference is a message and
 * never a hang.
 *
 * @param kind the test
 * @param size message size, or the largest with {@code -a}
 * @param queuePairs queue pairs for data
 * @param validate whether every byte is compared
 * @param bidirectional whether both sides send
 * @param slots messages in the receive buffer of each queue pair
 * @param rkey key of the client's memory that the server may write to, or read from
 * @param address address of it
 */
record Terms(
        PerfKind kind,
        long size,
        int queuePairs,
        boolean validate,
        boolean bidirectional,
        int slots,
        int rkey,
        long address) {
    private static final int MAGIC = 0x4D505431;
    private static final int BYTES = 4 + 1 + 8 + 4 + 1 + 1 + 4 + 4 + 8;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .put((byte) kind.number())
                .putLong(size)
                .putInt(queuePairs)
                .put((byte) (validate ? 1 : 0))
                .put((byte) (bidirectional ? 1 : 0))
                .putInt(slots)
                .putInt(rkey)
                .putLong(address)
                .array();
    }

    /** Reads the terms a client sends; null when they are not those of this test. */
    static @Nullable Terms decode(PerfKind kind, byte[] said) {
        if (said.length != BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(said);
        if (in.getInt() != MAGIC || in.get() != kind.number()) {
            return null;
        }
        return new Terms(
                kind, in.getLong(), in.getInt(), in.get() != 0, in.get() != 0, in.getInt(), in.getInt(), in.getLong());
    }

    /** What differs, named with both values, or null. */
    @Nullable
    String difference(Terms client) {
        if (size != client.size) {
            return "-s differs: server " + size + ", client " + client.size;
        }
        if (queuePairs != client.queuePairs) {
            return "-q differs: server " + queuePairs + ", client " + client.queuePairs;
        }
        if (validate != client.validate) {
            return "--data_validation differs: server " + validate + ", client " + client.validate;
        }
        if (bidirectional != client.bidirectional) {
            return "-b differs: server " + bidirectional + ", client " + client.bidirectional;
        }
        return null;
    }

    static byte[] text(String message) {
        return message.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] message) {
        return new String(message, StandardCharsets.UTF_8);
    }
}

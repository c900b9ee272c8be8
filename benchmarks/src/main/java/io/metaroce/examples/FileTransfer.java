package io.metaroce.examples;

import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.*;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;

/**
 * A file from one side to the other: both map it, and pieces go by RDMA WRITE from one mapping into the other. The last
 * piece carries the checksum as its immediate, which the receiver is told when every byte is in place.
 */
public final class FileTransfer {
    private static final int SERVICE = 9;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int PIECES = 16; // under way at once
    private static final int EXAMPLE_BYTES = 64 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);

    private FileTransfer() {}

    /** Both roles, or {@code server ADDRESS:PORT TARGET-FILE}, or {@code client ADDRESS:PORT SOURCE-FILE}. */
    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            Path folder = Files.createTempDirectory("file-transfer");
            Path source = folder.resolve("source");
            Path target = folder.resolve("target");
            try (Device server = open("127.0.0.1:0")) {
                byte[] bytes = new byte[EXAMPLE_BYTES];
                new Random(1).nextBytes(bytes);
                Files.write(source, bytes);
                FutureTask<Integer> receiving = new FutureTask<>(() -> receive(server, target));
                new Thread(receiving, "server").start();
                send(server.address().toString(), source);
                int unused = receiving.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } finally {
                Files.deleteIfExists(source);
                Files.deleteIfExists(target);
                Files.delete(folder);
            }
        } else if (args.length == 3 && args[0].equals("server")) {
            try (Device server = open(args[1])) {
                int unused = receive(server, Path.of(args[2]));
            }
        } else if (args.length == 3 && args[0].equals("client")) {
            send(args[1], Path.of(args[2]));
        } else {
            throw new IllegalArgumentException(
                    "give nothing, or server ADDRESS:PORT TARGET-FILE, or client ADDRESS:PORT SOURCE-FILE");
        }
    }

    private static Device open(String address) {
        return Device.open(UdpEndpoint.bind(UdpConfig.on(address)));
    }

    /** Takes one file; returns its checksum. */
    private static int receive(Device device, Path target) throws Exception {
        ProtectionDomain domain = device.createProtectionDomain();
        CompletionQueue queue = device.createCompletionQueue(256);
        QueuePair qp = domain.createQueuePair(QpInitAttributes.of(queue));
        MemoryRegion file;
        try (Listener listener = device.listen(SERVICE)) {
            System.out.println("listening " + device.address());
            ConnectionRequest request = listener.accept(WAIT_FOR_CLIENT);
            byte[] said = request.privateData();
            long bytes = said.length == 8 ? ByteBuffer.wrap(said).getLong() : 0;
            long room = Files.getFileStore(target.toAbsolutePath().getParent()).getUsableSpace();
            if (bytes < 1 || bytes > room) { // what a peer says is looked at before it is believed
                String why = "a file of " + bytes + " bytes; there is room for 1 to " + room;
                request.reject(why.getBytes(StandardCharsets.UTF_8));
                throw new IOException(why);
            }
            try (RandomAccessFile made = new RandomAccessFile(target.toFile(), "rw")) {
                made.setLength(bytes);
            }
            file = domain.registerFile(target, AccessFlag.REMOTE_WRITE);
            qp.modify(QpState.INIT);
            qp.postReceive(ReceiveWorkRequest.of(1)); // for the immediate: no bytes
            ByteBuffer where = ByteBuffer.allocate(12).putLong(file.address()).putInt(file.rkey());
            request.accept(where.array(), PATIENCE, qp);
        }
        int sent = await(queue, WAIT_FOR_CLIENT).immediate();
        int crc = checksum(file);
        file.force(); // on the disk before it is confirmed
        qp.postSendImmediate(2, 0, 0, 0, crc, SendFlag.SIGNALED.value());
        await(queue, PATIENCE);
        expect(sent, crc);
        System.out.printf(Locale.ROOT, "%s: %d bytes, CRC32C 0x%08x%n", target.getFileName(), file.length(), crc);
        return crc;
    }

    private static void send(String address, Path source) throws Exception {
        try (Device device = open("127.0.0.1:0")) {
            ProtectionDomain domain = device.createProtectionDomain();
            CompletionQueue queue = device.createCompletionQueue(256);
            QueuePair qp = domain.createQueuePair(QpInitAttributes.of(queue).withSendDepth(PIECES));
            MemoryRegion file = domain.registerFile(source); // mapped read-only
            byte[] length = ByteBuffer.allocate(8).putLong(file.length()).array();
            Connection connection = device.connector()
                    .withPrivateData(length)
                    .withRetries(RetryPolicy.patient(PATIENCE)) // the server may start later
                    .connect(address, SERVICE, qp);
            ByteBuffer where = ByteBuffer.wrap(connection.privateData());
            long target = where.getLong();
            int rkey = where.getInt();
            qp.postReceive(ReceiveWorkRequest.of(1)); // for the answer
            CRC32C crc = new CRC32C();
            int signaled = SendFlag.SIGNALED.value();
            long beginNs = System.nanoTime();
            for (long at = 0; at < file.length(); at += PIECE_BYTES) {
                int bytes = (int) Math.min(PIECE_BYTES, file.length() - at);
                crc.update(file.slice(at, bytes));
                int soFar = (int) crc.getValue();
                boolean isLast = at + bytes == file.length();
                while (!(isLast
                        ? qp.postWriteImmediate(2, file.lkey(), at, bytes, target + at, rkey, soFar, signaled)
                        : qp.postWrite(2, file.lkey(), at, bytes, target + at, rkey, signaled))) {
                    await(queue, PATIENCE); // the queue is full until a piece is there
                }
            }
            WorkCompletion answer = await(queue, PATIENCE);
            while (!answer.opcode().isReceive()) {
                answer = await(queue, PATIENCE);
            }
            expect((int) crc.getValue(), answer.immediate());
            double seconds = (System.nanoTime() - beginNs) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d bytes in %.2f s, CRC32C 0x%08x at both sides%n",
                    source.getFileName(),
                    file.length(),
                    seconds,
                    answer.immediate());
        }
    }

    /** The next result, which must be a good one. */
    private static WorkCompletion await(CompletionQueue queue, Duration timeout) throws TimeoutException {
        WorkCompletion[] done = WorkCompletion.array(1);
        if (queue.await(done, timeout) == 0) {
            throw new TimeoutException("nothing has come within " + timeout);
        }
        if (!done[0].isSuccess()) {
            throw new IllegalStateException(done[0].toString()); // what happened, where, and the first cause
        }
        return done[0];
    }

    private static int checksum(MemoryRegion file) {
        CRC32C crc = new CRC32C();
        for (long at = 0; at < file.length(); at += PIECE_BYTES) { // pieces never cross a GiB, as views must not
            crc.update(file.slice(at, (int) Math.min(PIECE_BYTES, file.length() - at)));
        }
        return (int) crc.getValue();
    }

    private static void expect(int sent, int received) {
        if (received != sent) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT, "the bytes differ: CRC32C 0x%08x was sent, 0x%08x received", sent, received));
        }
    }
}

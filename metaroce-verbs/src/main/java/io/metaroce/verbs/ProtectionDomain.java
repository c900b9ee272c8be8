package io.metaroce.verbs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Memory regions and queue pairs that belong together: a queue pair reaches only regions of its own domain. */
public final class ProtectionDomain implements AutoCloseable {
    private final Device device;
    private final int number;
    private final Registry<MemoryRegion> regions = new Registry<>();
    private final Registry<SharedReceiveQueue> sharedReceiveQueues = new Registry<>();
    private final Registry<QueuePair> queuePairs = new Registry<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    ProtectionDomain(Device device, int number) {
        this.device = device;
        this.number = number;
    }

    /** The device it belongs to. */
    public Device device() {
        return device;
    }

    int number() {
        return number;
    }

    /** Makes a queue pair, in {@link QpState#RESET}. */
    public QueuePair createQueuePair(QpInitAttributes attributes) {
        refuseIfClosed("create a queue pair");
        if (attributes.sendQueue().device() != device
                || attributes.receiveQueue().device() != device) {
            throw new VerbsException(
                    toString(),
                    "a queue pair that reports to " + attributes.sendQueue() + " and " + attributes.receiveQueue(),
                    "both must belong to the same device as the domain",
                    "make them with this device's createCompletionQueue");
        }
        SharedReceiveQueue shared = attributes.sharedReceiveQueue();
        if (shared != null && shared.domain() != this) {
            throw new VerbsException(
                    toString(),
                    "a queue pair with " + shared,
                    "it belongs to another protection domain",
                    "make it with this domain's createSharedReceiveQueue");
        }
        QueuePair queuePair = new QueuePair(this, attributes, device.nextQpNumber());
        queuePairs.add(queuePair);
        device.joined(queuePair);
        attributes.sendQueue().joined(queuePair);
        if (shared != null) {
            shared.joined(queuePair);
        }
        if (attributes.receiveQueue() != attributes.sendQueue()) {
            attributes.receiveQueue().joined(queuePair);
        }
        return queuePair;
    }

    /**
     * Makes a queue of receives that queue pairs of this domain share; see
     * {@link QpInitAttributes#withSharedReceiveQueue}.
     *
     * @param depth receives posted at once
     * @param sgeMax pieces of one receive
     */
    public SharedReceiveQueue createSharedReceiveQueue(int depth, int sgeMax) {
        refuseIfClosed("create a shared receive queue");
        DeviceAttributes limits = device.attributes();
        if (depth < 1 || depth > limits.queueDepthMax() || sgeMax < 1 || sgeMax > limits.sgeMax()) {
            throw new VerbsException(
                    toString(),
                    "a shared receive queue of depth " + depth + " with " + sgeMax + " pieces",
                    "1 to " + limits.queueDepthMax() + ", and 1 to " + limits.sgeMax(),
                    "change depth or sgeMax");
        }
        SharedReceiveQueue queue = new SharedReceiveQueue(this, device.nextNumber(), depth, sgeMax);
        sharedReceiveQueues.add(queue);
        return queue;
    }

    /** Registers the remaining bytes of a direct buffer. Position and limit are read, not changed. */
    public MemoryRegion register(ByteBuffer buffer, AccessFlag... access) {
        return register(Chunks.of(buffer, toString()), access);
    }

    /**
     * Registers several direct buffers as one region, which may be longer than 2 GiB. Each has 1 GiB remaining, the
     * last one as much or less.
     */
    public MemoryRegion registerChunks(ByteBuffer[] buffers, AccessFlag... access) {
        return register(Chunks.of(buffers, toString()), access);
    }

    /**
     * Registers a {@code java.lang.foreign.MemorySegment} of any length, on Java 22 and later. It must not be of the
     * heap, and its arena must be open, and usable by every thread, as long as the region is.
     */
    public MemoryRegion registerSegment(Object segment, AccessFlag... access) {
        return register(Segments.chunks(segment, toString()), access);
    }

    /** Maps a whole file, of any length, and registers it; read-only unless access allows writing. */
    public MemoryRegion registerFile(Path file, AccessFlag... access) throws IOException {
        return registerFile(file, 0, Files.size(file), access);
    }

    /**
     * Maps a part of a file, of any length, and registers it; read-only unless access allows writing. The file must not
     * become shorter while it is registered.
     */
    public MemoryRegion registerFile(Path file, long offset, long bytes, AccessFlag... access) throws IOException {
        FileChannel.MapMode mode =
                AccessFlag.mask(access) == 0 ? FileChannel.MapMode.READ_ONLY : FileChannel.MapMode.READ_WRITE;
        return register(Chunks.map(file, offset, bytes, mode), access);
    }

    /**
     * Registers a copy of an array; the array itself is not touched by anything that arrives. Read results with
     * {@link MemoryRegion#get}.
     */
    public MemoryRegion registerCopy(byte[] array, AccessFlag... access) {
        MemoryRegion region = allocate(array.length, access);
        region.put(0, array);
        return region;
    }

    /** Makes and registers fresh memory of any length, all zero. It is freed some time after the region was closed. */
    public MemoryRegion allocate(long bytes, AccessFlag... access) {
        refuseIfClosed("allocate memory");
        device.engine().refuseInListener(this, "allocate memory");
        MemoryBudget budget = device.memory();
        if (!budget.reserve(bytes)) {
            throw new VerbsException(
                    toString(),
                    "allocate " + bytes + " bytes",
                    "the device has used " + budget + ", the process " + MemoryBudget.process(),
                    "close regions, or raise MemoryBudget.limitBytes");
        }
        boolean done = false;
        try {
            ByteBuffer[] chunks = Chunks.allocate(bytes, toString());
            budget.until(chunks);
            done = true;
            MemoryRegion region = register(chunks, access);
            region.budget(budget);
            return region;
        } finally {
            if (!done) {
                budget.unreserve(bytes);
            }
        }
    }

    private MemoryRegion register(ByteBuffer[] chunks, AccessFlag... access) {
        refuseIfClosed("register memory");
        long length = 0;
        for (ByteBuffer chunk : chunks) {
            length += chunk.remaining();
        }
        if (length == 0) {
            throw new VerbsException(
                    toString(),
                    "register 0 bytes",
                    "a region has at least one",
                    "messages without bytes need no region");
        }
        long address = device.addressSpace(length);
        AtomicReference<io.metaroce.memory.@Nullable MemoryRegion> made = new AtomicReference<>();
        device.engine()
                .run(
                        this,
                        "register " + length + " bytes",
                        (nowNs, endpoint) -> made.set(
                                endpoint.regions().register(number, chunks, address, AccessFlag.mask(access))));
        io.metaroce.memory.MemoryRegion registered = made.get();
        if (registered == null) {
            throw new IllegalStateException("the command has run without a result");
        }
        MemoryRegion region = new MemoryRegion(this, chunks, registered);
        regions.add(region);
        device.regions().add(region);
        return region;
    }

    void deregister(MemoryRegion region) {
        device.regions().remove(region);
        regions.remove(region);
        // Packets are placed on the endpoint's thread only: once it has run this, none can come late.
        device.engine()
                .run(region, "close", (nowNs, endpoint) -> endpoint.regions().deregister(region.registered()));
    }

    void unclosed(List<String> lines) {
        for (MemoryRegion region : regions.all()) {
            lines.add(region + ", " + Creation.place(region.creation()));
        }
        for (QueuePair queuePair : queuePairs.all()) {
            lines.add(queuePair + ", " + Creation.place(queuePair.creation()));
        }
    }

    void forget(SharedReceiveQueue queue) {
        sharedReceiveQueues.remove(queue);
    }

    void forget(QueuePair queuePair) {
        queuePairs.remove(queuePair);
        device.forget(queuePair);
    }

    private void refuseIfClosed(String asked) {
        if (closed.get()) {
            throw new VerbsException(toString(), asked, "the domain is closed", "make another one");
        }
    }

    /** Closes its queue pairs, then its shared receive queues and regions. Does nothing the second time. */
    @Override
    public void close() {
        if (!device.engine().closes(this, closed)) {
            return;
        }
        queuePairs.all().forEach(QueuePair::close);
        sharedReceiveQueues.all().forEach(SharedReceiveQueue::close);
        regions.all().forEach(MemoryRegion::close);
        device.forget(this);
    }

    @Override
    public String toString() {
        return "PD " + number + " (" + regions.size() + " regions, " + queuePairs.size() + " queue pairs"
                + (closed.get() ? ", closed)" : ")");
    }
}

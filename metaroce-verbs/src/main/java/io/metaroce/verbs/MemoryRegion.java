package io.metaroce.verbs;

import io.metaroce.queue.SendCell;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory. Work requests name it by lkey and offset, peers by rkey and address.
 *
 * <p>Offsets and lengths are {@code long}: a region may be longer than 2 GiB. It then consists of chunks of 1 GiB,
 * which matters only to {@link #slice}.
 *
 * <p>The address is a number that stands for the first byte; it is unique within the device and never used again, but
 * it is not an address of the process. The region keeps its buffers alive as long as it is registered.
 *
 * <p>Whoever reads memory that a peer writes sees the bytes once the completion that tells of them has been polled.
 */
public final class MemoryRegion implements AutoCloseable {
    private final ProtectionDomain domain;
    private final ByteBuffer[] chunks;
    private final long length;
    private final io.metaroce.memory.MemoryRegion registered;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final @Nullable Creation creation = Creation.now();
    private volatile @Nullable MemoryBudget budget;

    MemoryRegion(ProtectionDomain domain, ByteBuffer[] chunks, io.metaroce.memory.MemoryRegion registered) {
        this.domain = domain;
        this.chunks = chunks;
        this.length = registered.length();
        this.registered = registered;
    }

    /** The key by which own work requests name the region. */
    public int lkey() {
        return registered.key();
    }

    /** The key by which peers name the region. Not a secret: it guards against mistakes, not against attackers. */
    public int rkey() {
        return registered.key();
    }

    /** The address of the first byte, as peers give it. */
    public long address() {
        return registered.base();
    }

    /** Length in bytes. */
    public long length() {
        return length;
    }

    /** What may be done with it. */
    public Set<AccessFlag> access() {
        return AccessFlag.setOf(registered.access());
    }

    /** The domain it belongs to. */
    public ProtectionDomain domain() {
        return domain;
    }

    void budget(MemoryBudget value) {
        budget = value;
    }

    @Nullable
    Creation creation() {
        return creation;
    }

    boolean isClosed() {
        return closed.get();
    }

    int accessMask() {
        return registered.access();
    }

    io.metaroce.memory.MemoryRegion registered() {
        return registered;
    }

    /** A view of {@code bytes} bytes at {@code offset}; they must lie in one chunk of 1 GiB. */
    public ByteBuffer slice(long offset, int bytes) {
        inside(offset, bytes);
        int chunk = (int) (offset / Chunks.BYTES);
        int at = (int) (offset % Chunks.BYTES);
        if (bytes == 0) {
            return chunks[0].duplicate().position(0).limit(0).slice();
        }
        if (at + (long) bytes > Chunks.BYTES) {
            throw new VerbsException(
                    toString(),
                    "a view of " + bytes + " bytes at " + offset,
                    "a view ends at the end of its chunk, here " + (chunk + 1L) * Chunks.BYTES,
                    "take two views, or use get and put");
        }
        return chunks[chunk].duplicate().position(at).limit(at + bytes).slice();
    }

    /** The whole region, if it is not longer than 1 GiB. */
    public ByteBuffer buffer() {
        return slice(0, Math.toIntExact(Math.min(length, Integer.MAX_VALUE)));
    }

    /** Copies {@code bytes} bytes of an array into the region. */
    public void put(long offset, byte[] source, int at, int bytes) {
        inside(offset, bytes);
        for (int done = 0; done < bytes; ) {
            int step = stepAt(offset + done, bytes - done);
            slice(offset + done, step).put(source, at + done, step);
            done += step;
        }
    }

    /** Copies an array into the region. */
    public void put(long offset, byte[] source) {
        put(offset, source, 0, source.length);
    }

    /** Copies {@code bytes} bytes of the region into an array. */
    public void get(long offset, byte[] target, int at, int bytes) {
        inside(offset, bytes);
        for (int done = 0; done < bytes; ) {
            int step = stepAt(offset + done, bytes - done);
            slice(offset + done, step).get(target, at + done, step);
            done += step;
        }
    }

    /** Fills an array from the region. */
    public void get(long offset, byte[] target) {
        get(offset, target, 0, target.length);
    }

    /** Writes a mapped file's changed pages back; does nothing for other memory. */
    public void force() {
        Chunks.force(chunks);
    }

    /** Copies a piece into a cell, for inline sends. */
    void appendTo(SendCell cell, long offset, int bytes) {
        for (int done = 0; done < bytes; ) {
            int step = stepAt(offset + done, bytes - done);
            int chunk = (int) ((offset + done) / Chunks.BYTES);
            cell.inline(chunks[chunk], (int) ((offset + done) % Chunks.BYTES), step);
            done += step;
        }
    }

    boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && offset <= length - bytes;
    }

    private static int stepAt(long offset, int bytes) {
        return (int) Math.min(bytes, Chunks.BYTES - offset % Chunks.BYTES);
    }

    private void inside(long offset, int bytes) {
        if (!contains(offset, bytes)) {
            throw new VerbsException(
                    toString(),
                    bytes + " bytes at offset " + offset,
                    "the region has " + length + " bytes",
                    "register more memory, or ask for less");
        }
    }

    /**
     * Takes the registration back. When this returns, no packet can write into the memory any more, however late it
     * comes. Work requests and peers that still name the region fail: the former with {@code LOC_PROT_ERR}, the latter
     * with {@code REM_ACCESS_ERR}. Does nothing the second time.
     */
    @Override
    public void close() {
        if (domain.device().engine().closes(this, closed)) {
            domain.deregister(this);
            MemoryBudget counted = budget;
            if (counted != null) {
                counted.closing(length);
            }
        }
    }

    @Override
    public String toString() {
        return "MR " + Texts.key(lkey()) + " (" + length + " bytes" + (closed.get() ? ", closed)" : ")");
    }
}

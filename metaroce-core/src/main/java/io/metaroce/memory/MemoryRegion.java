package io.metaroce.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A registered piece of the application's memory, of up to 2^63-1 bytes, in chunks of 1 GiB.
 *
 * <p>Local requests count bytes from the start of the region; the peer counts from {@link #base()}. Both keys are one.
 *
 * <p>A null region has a key, a length and rights, and no memory: whatever is placed into it is gone, and it reads as
 * zeros. All checks are those of any other region.
 */
public final class MemoryRegion {
    private final int key;
    private final int domain;
    private final ByteBuffer[] chunks; // slices of our own, so no position or limit is shared with the application
    private final int chunkLog2;
    private final long base;
    private final long length;
    private final int access;
    private final boolean isNull;
    private boolean valid = true;

    MemoryRegion(int key, int domain, ByteBuffer[] chunks, int chunkLog2, long base, long length, int access) {
        this(key, domain, chunks, chunkLog2, base, length, access, false);
    }

    private MemoryRegion(
            int key,
            int domain,
            ByteBuffer[] chunks,
            int chunkLog2,
            long base,
            long length,
            int access,
            boolean isNull) {
        this.key = key;
        this.domain = domain;
        this.chunks = chunks;
        this.chunkLog2 = chunkLog2;
        this.base = base;
        this.length = length;
        this.access = access;
        this.isNull = isNull;
    }

    /** A null region whose every byte is one of {@code zeros}, which hold a whole payload. */
    static MemoryRegion withoutMemory(int key, int domain, ByteBuffer zeros, long base, long length, int access) {
        return new MemoryRegion(key, domain, new ByteBuffer[] {zeros}, Long.SIZE - 1, base, length, access, true);
    }

    /** Local and remote key; never 0. */
    public int key() {
        return key;
    }

    /** Protection domain. */
    public int domain() {
        return domain;
    }

    /** Address of the first byte as the peer sees it, unsigned. */
    public long base() {
        return base;
    }

    /** Bytes. */
    public long length() {
        return length;
    }

    /** Bits of {@link Access}. */
    public int access() {
        return access;
    }

    /** Whether it has no memory behind it. */
    public boolean isNull() {
        return isNull;
    }

    /** Whether the key still works. Endpoint thread. */
    public boolean isValid() {
        return valid;
    }

    @Override
    public String toString() {
        return (isNull ? "null region 0x" : "region 0x") + Integer.toHexString(key) + " of domain " + domain + ", "
                + length + " bytes from 0x" + Long.toHexString(base) + ", access " + access + (valid ? "" : ", gone");
    }

    void invalidate() {
        valid = false;
    }

    boolean allows(int wanted) {
        return (access & wanted) == wanted;
    }

    /** Whether {@code bytes} bytes from {@code offset} on lie inside; both unsigned, nothing overflows. */
    boolean holds(long offset, long bytes) {
        return Long.compareUnsigned(bytes, length) <= 0 && Long.compareUnsigned(offset, length - bytes) <= 0;
    }

    ByteBuffer chunk(long offset) {
        return chunks[(int) (offset >>> chunkLog2)];
    }

    int inChunk(long offset) {
        return isNull ? 0 : (int) (offset & ((1L << chunkLog2) - 1));
    }

    /** Bytes from {@code offset} to the end of its chunk, at most {@code bytes}. */
    int run(long offset, int bytes) {
        return Math.min(bytes, chunk(offset).capacity() - inChunk(offset));
    }

    void put(long offset, ByteBuffer from, int fromOffset, int bytes) {
        if (isNull) {
            return;
        }
        for (int done = 0; done < bytes; ) {
            long at = offset + done;
            int run = run(at, bytes - done);
            chunk(at).put(inChunk(at), from, fromOffset + done, run);
            done += run;
        }
    }

    void get(long offset, ByteBuffer to, int toOffset, int bytes) {
        for (int done = 0; done < bytes; ) {
            long at = offset + done;
            int run = run(at, bytes - done);
            to.put(toOffset + done, chunk(at), inChunk(at), run);
            done += run;
        }
    }

    /** Eight bytes as a number in this machine's order. */
    long getLong(long offset) {
        if (run(offset, Long.BYTES) == Long.BYTES) {
            return native64(chunk(offset).getLong(inChunk(offset)));
        }
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = (value << 8) | (chunk(offset + i).get(inChunk(offset + i)) & 0xFF);
        }
        return native64(value);
    }

    /** Sets eight bytes to a number in this machine's order. */
    void putLong(long offset, long value) {
        if (isNull) {
            return;
        }
        long big = native64(value);
        if (run(offset, Long.BYTES) == Long.BYTES) {
            chunk(offset).putLong(inChunk(offset), big);
            return;
        }
        for (int i = 0; i < Long.BYTES; i++) {
            chunk(offset + i).put(inChunk(offset + i), (byte) (big >>> (56 - 8 * i)));
        }
    }

    /** Between the big-endian value of eight bytes and their value in this machine's order, either way. */
    private static long native64(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}

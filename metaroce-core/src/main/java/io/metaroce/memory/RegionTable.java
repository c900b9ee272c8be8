package io.metaroce.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * All registered regions of one endpoint. Endpoint thread.
 *
 * <ol>
 *   <li>A key is index and variant: looking one up is an array access and a comparison.
 *   <li>A key that was given back does not come again before its index went through 254 other variants, and indexes are
 *       reused in the order they were given back.
 *   <li>After {@link #deregister} returns nothing is placed into the region any more.
 * </ol>
 */
public final class RegionTable {
    /** Bytes of a chunk; the last of a region may be shorter. */
    public static final int CHUNK_BYTES = 1 << 30;

    private static final int CHUNK_LOG2 = 30;
    private static final int ZEROS_BYTES = 1 << 16; // more than any payload

    private final @Nullable MemoryRegion[] regions;
    private final byte[] variants;
    private final int[] free; // indexes in the order they were given back, a ring
    private final int chunkLog2;
    private @Nullable ByteBuffer zeros; // what null regions read as
    private int firstFree;
    private int count;
    private int nulls;
    private @Nullable PlacementTap tap; // null: nobody looks

    /**
     * Makes an empty table.
     *
     * @param regionsMax regions registered at once, 1..2^24
     */
    public RegionTable(int regionsMax) {
        this(regionsMax, CHUNK_LOG2);
    }

    /** For tests: chunks of another size. */
    RegionTable(int regionsMax, int chunkLog2) {
        if (regionsMax < 1 || regionsMax > Rkey.INDEX_MAX) {
            throw new IllegalArgumentException("regionsMax = " + regionsMax + " is outside 1.." + Rkey.INDEX_MAX);
        }
        regions = new @Nullable MemoryRegion[regionsMax];
        variants = new byte[regionsMax];
        free = new int[regionsMax];
        for (int i = 0; i < regionsMax; i++) {
            free[i] = i;
        }
        this.chunkLog2 = chunkLog2;
    }

    /**
     * Registers memory.
     *
     * @param domain protection domain
     * @param chunks direct buffers, of each the bytes between position and limit: {@link #CHUNK_BYTES}, the last 1 or
     *     more
     * @param base address of the first byte as the peer sees it, unsigned; base + length must not pass 2^64
     * @param access bits of {@link Access}
     * @throws IllegalArgumentException when the memory cannot be registered so; the message says why
     * @throws IllegalStateException when the table is full; the message names the limit
     */
    public MemoryRegion register(int domain, ByteBuffer[] chunks, long base, int access) {
        long length = check(chunks, access);
        checkPlace(length, base);
        ByteBuffer[] own = new ByteBuffer[chunks.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = chunks[i].slice();
        }
        int key = newKey();
        return keep(new MemoryRegion(key, domain, own, chunkLog2, base, length, access));
    }

    /**
     * Registers a region without memory: what is placed into it is gone, and it reads as zeros. For whoever wants a
     * transfer and not its bytes.
     *
     * @param domain protection domain
     * @param length bytes it pretends to have, 1 or more
     * @param base address of the first byte as the peer sees it, unsigned; base + length must not pass 2^64
     * @param access bits of {@link Access}
     * @throws IllegalArgumentException when length, base or access are none; the message says why
     * @throws IllegalStateException when the table is full; the message names the limit
     */
    public MemoryRegion registerNull(int domain, long length, long base, int access) {
        checkAccess(access);
        if (length < 1) {
            throw new IllegalArgumentException("a null region of " + length + " bytes; register at least one");
        }
        checkPlace(length, base);
        if (zeros == null) {
            zeros = ByteBuffer.allocateDirect(ZEROS_BYTES).asReadOnlyBuffer();
        }
        int key = newKey();
        nulls++;
        return keep(MemoryRegion.withoutMemory(key, domain, zeros, base, length, access));
    }

    private void checkPlace(long length, long base) {
        if (base != 0 && Long.compareUnsigned(length, -base) > 0) {
            throw new IllegalArgumentException("a region of " + length + " bytes from 0x" + Long.toHexString(base)
                    + " on passes the end of the address space; choose a lower base");
        }
        if (count == regions.length) {
            throw new IllegalStateException(
                    regions.length + " regions are registered; deregister some or raise limits.regions");
        }
    }

    private int newKey() {
        int index = free[firstFree];
        firstFree = (firstFree + 1) % free.length;
        count++;
        // R-MEM-004: a new variant at each registration, so a former key does not fit.
        int variant = Rkey.nextVariant(variants[index] & 0xFF);
        variants[index] = (byte) variant;
        return Rkey.of(index, variant);
    }

    private MemoryRegion keep(MemoryRegion region) {
        regions[Rkey.index(region.key())] = region;
        return region;
    }

    /** Registers one buffer of any size; see {@link #register(int, ByteBuffer[], long, int)}. */
    public MemoryRegion register(int domain, ByteBuffer buffer, long base, int access) {
        long chunkBytes = 1L << chunkLog2;
        int chunks = (int) Math.max(1, (buffer.remaining() + chunkBytes - 1) >>> chunkLog2);
        ByteBuffer[] parts = new ByteBuffer[chunks];
        for (int i = 0; i < chunks; i++) {
            long from = i * chunkBytes;
            parts[i] = buffer.slice(
                    (int) (buffer.position() + from), (int) Math.min(chunkBytes, buffer.remaining() - from));
        }
        return register(domain, parts, base, access);
    }

    /** Makes the region's key invalid; nothing happens if it is invalid already. */
    public void deregister(MemoryRegion region) {
        int index = Rkey.index(region.key());
        if (index >= regions.length || regions[index] != region) {
            return;
        }
        region.invalidate();
        regions[index] = null;
        int lastFree = firstFree + regions.length - count;
        free[lastFree % free.length] = index;
        count--;
        nulls -= region.isNull() ? 1 : 0;
    }

    /** The region with this key, or null. */
    public @Nullable MemoryRegion find(int key) {
        int index = Rkey.index(key);
        if (index >= regions.length) {
            return null;
        }
        MemoryRegion region = regions[index];
        return region != null && region.key() == key ? region : null;
    }

    /** Lets somebody see every placement from now on; null ends that. */
    public void tap(@Nullable PlacementTap value) {
        tap = value;
    }

    /** Bytes were placed: whoever looks hears of it. */
    void placed(MemoryRegion region, long offset, int length, PlacementTap.Right right) {
        if (tap != null) {
            tap.placed(region, offset, length, right);
        }
    }

    /** Regions registered now. */
    public int count() {
        return count;
    }

    /** Of these, how many have no memory. */
    public int nulls() {
        return nulls;
    }

    /** Regions registered at once, at most. */
    public int regionsMax() {
        return regions.length;
    }

    private static void checkAccess(int access) {
        if ((access & ~Access.ALL) != 0) {
            throw new IllegalArgumentException("access bits 0x" + Integer.toHexString(access) + ", known are 0x"
                    + Integer.toHexString(Access.ALL));
        }
    }

    private long check(ByteBuffer[] chunks, int access) {
        checkAccess(access);
        if (chunks.length == 0) {
            throw new IllegalArgumentException("a region of no bytes; register at least one");
        }
        long length = 0;
        for (int i = 0; i < chunks.length; i++) {
            ByteBuffer chunk = chunks[i];
            if (!chunk.isDirect()) {
                throw new IllegalArgumentException(
                        "a heap buffer cannot be registered; use ByteBuffer.allocateDirect or a mapped file");
            }
            if (chunk.isReadOnly() && (access & Access.WRITES) != 0) {
                throw new IllegalArgumentException("a read-only buffer registered with access bits 0x"
                        + Integer.toHexString(access) + "; of these 0x" + Integer.toHexString(Access.WRITES)
                        + " need a writable one");
            }
            boolean last = i == chunks.length - 1;
            int bytes = chunk.remaining();
            if (last ? bytes < 1 || bytes > (1 << chunkLog2) : bytes != (1 << chunkLog2)) {
                throw new IllegalArgumentException("chunk " + i + " of " + chunks.length + " has " + bytes
                        + " bytes; each has " + (1 << chunkLog2) + ", the last 1 to that");
            }
            length += bytes;
        }
        return length;
    }
}

package io.metaroce.verbs;

import io.metaroce.memory.Access;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The device's regions by key, for the check at post time. The engine checks again when it touches the memory: a region
 * may be closed in between.
 */
final class Regions {
    /** Low bits of a key that tell successive registrations of one place apart. */
    private static final int VARIANT_BITS = 8;

    private final AtomicReferenceArray<@Nullable MemoryRegion> byIndex;

    Regions(int regionsMax) {
        byIndex = new AtomicReferenceArray<>(regionsMax);
    }

    void add(MemoryRegion region) {
        byIndex.set(region.lkey() >>> VARIANT_BITS, region);
    }

    void remove(MemoryRegion region) {
        byIndex.compareAndSet(region.lkey() >>> VARIANT_BITS, region, null);
    }

    /** The region with this key, or null. */
    @Nullable
    MemoryRegion find(int key) {
        int index = key >>> VARIANT_BITS;
        MemoryRegion region = index < byIndex.length() ? byIndex.get(index) : null;
        return region != null && region.lkey() == key ? region : null;
    }

    /** The region a payload is read from; throws when the piece may not be used. */
    MemoryRegion readable(Object user, ProtectionDomain domain, int lkey, long offset, int length) {
        MemoryRegion region = find(lkey);
        if (region == null) {
            throw new VerbsException(
                    user.toString(),
                    "lkey " + Texts.key(lkey),
                    "no region of this device has it" + (lkey == 0 ? "" : ", or it was closed"),
                    "take lkey() of a MemoryRegion that is open");
        }
        if (region.domain() != domain) {
            throw new VerbsException(
                    user.toString(),
                    region.toString(),
                    "it belongs to another protection domain",
                    "register the memory with the domain of the queue");
        }
        if (!region.contains(offset, length)) {
            throw new VerbsException(
                    user.toString(),
                    length + " bytes at offset " + offset + " of " + region,
                    "the region ends at " + region.length(),
                    "give an offset into the region, or register more");
        }
        return region;
    }

    /** The same for memory that a message is written to. */
    MemoryRegion writable(Object user, ProtectionDomain domain, int lkey, long offset, int length) {
        MemoryRegion region = readable(user, domain, lkey, offset, length);
        if ((region.accessMask() & Access.LOCAL_WRITE) == 0) {
            throw new VerbsException(
                    user.toString(),
                    "receive into " + region,
                    "it was registered without LOCAL_WRITE",
                    "register it with AccessFlag.LOCAL_WRITE");
        }
        return region;
    }
}

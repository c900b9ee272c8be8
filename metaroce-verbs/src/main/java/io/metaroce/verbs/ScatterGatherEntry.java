package io.metaroce.verbs;

/**
 * A piece of registered memory. Unlike in verbs the place is an offset into the region, not an address of the process.
 *
 * @param lkey the region
 * @param offset first byte, counted from the start of the region
 * @param length bytes, 0..2^31-1; a longer message takes two entries
 */
public record ScatterGatherEntry(int lkey, long offset, int length) {
    /** Refuses negative numbers. */
    public ScatterGatherEntry {
        if (offset < 0 || length < 0) {
            throw new VerbsException(
                    "ScatterGatherEntry " + Texts.key(lkey),
                    "offset " + offset + ", length " + length,
                    "neither may be negative",
                    "give the offset into the region, not an address");
        }
    }

    /** {@code length} bytes at {@code offset} of a region. */
    public static ScatterGatherEntry of(MemoryRegion region, long offset, int length) {
        return new ScatterGatherEntry(region.lkey(), offset, length);
    }

    /** A whole region. */
    public static ScatterGatherEntry of(MemoryRegion region) {
        if (region.length() > Integer.MAX_VALUE) {
            throw new VerbsException(
                    region.toString(),
                    "the whole region as one scatter-gather entry",
                    "an entry has at most " + Integer.MAX_VALUE + " bytes",
                    "use several entries");
        }
        return of(region, 0, (int) region.length());
    }
}

package io.metaroce.verbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What requests that fetch from the peer have in common: where the bytes come from, where they go, and flags. */
abstract class FetchBuilder<B extends FetchBuilder<B>> {
    final long wrId;
    private final List<ScatterGatherEntry> entries = new ArrayList<>();
    private final EnumSet<SendFlag> flags = EnumSet.noneOf(SendFlag.class);
    private long remoteAddress;
    private int rkey;

    FetchBuilder(long wrId) {
        this.wrId = wrId;
    }

    abstract B self();

    /** Where the bytes are: an address inside the peer's region and the region's rkey, both learnt from the peer. */
    public B from(long address, int key) {
        remoteAddress = address;
        rkey = key;
        return self();
    }

    /** Adds a piece of memory to fill. */
    public B into(ScatterGatherEntry entry) {
        entries.add(entry);
        return self();
    }

    /** Adds {@code length} bytes at {@code offset} of a region to the memory to fill. */
    public B into(MemoryRegion region, long offset, int length) {
        return into(ScatterGatherEntry.of(region, offset, length));
    }

    /** Adds flags. Those for requests that carry a payload mean nothing here and are refused. */
    public B with(SendFlag... more) {
        for (SendFlag flag : more) {
            if (flag == SendFlag.INLINE || flag == SendFlag.SOLICITED || flag == SendFlag.ORDERED) {
                throw new IllegalArgumentException(
                        flag + " on a request that fetches; it is for requests that carry a payload to the peer");
            }
            flags.add(flag);
        }
        return self();
    }

    /** Adds {@link SendFlag#SIGNALED}. */
    public B signaled() {
        return with(SendFlag.SIGNALED);
    }

    List<ScatterGatherEntry> entries() {
        return List.copyOf(entries);
    }

    Set<SendFlag> flags() {
        return Set.copyOf(flags);
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int rkey() {
        return rkey;
    }
}

package io.metaroce.verbs;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What all send work requests have in common: payload and flags. */
abstract class WorkRequestBuilder<B extends WorkRequestBuilder<B>> {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    final long wrId;
    private final List<ScatterGatherEntry> entries = new ArrayList<>();
    private final EnumSet<SendFlag> flags = EnumSet.noneOf(SendFlag.class);
    private ByteBuffer inlineData = NOTHING;

    WorkRequestBuilder(long wrId) {
        this.wrId = wrId;
    }

    abstract B self();

    /** Adds a piece of payload. */
    public B from(ScatterGatherEntry entry) {
        entries.add(entry);
        return self();
    }

    /** Adds {@code length} bytes at {@code offset} of a region to the payload. */
    public B from(MemoryRegion region, long offset, int length) {
        return from(ScatterGatherEntry.of(region, offset, length));
    }

    /** Adds a whole region to the payload. */
    public B from(MemoryRegion region) {
        return from(ScatterGatherEntry.of(region));
    }

    /**
     * Makes these bytes, which need no registration, the payload, and sets {@link SendFlag#INLINE}. Copies them now.
     */
    public B inline(byte[] bytes) {
        inlineData = ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
        return with(SendFlag.INLINE);
    }

    /** Adds flags. */
    public B with(SendFlag... more) {
        flags.addAll(List.of(more));
        return self();
    }

    /** Adds {@link SendFlag#SIGNALED}. */
    public B signaled() {
        return with(SendFlag.SIGNALED);
    }

    List<ScatterGatherEntry> entries() {
        return List.copyOf(entries);
    }

    ByteBuffer inlineData() {
        return inlineData;
    }

    Set<SendFlag> flags() {
        return Set.copyOf(flags);
    }
}

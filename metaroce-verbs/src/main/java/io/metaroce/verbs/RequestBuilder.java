package io.metaroce.verbs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What all send work requests have in common: pieces of this side's memory, and flags. */
abstract class RequestBuilder<B extends RequestBuilder<B>> {
    final long wrId;
    private final List<ScatterGatherEntry> entries = new ArrayList<>();
    private final EnumSet<SendFlag> flags = EnumSet.noneOf(SendFlag.class);

    RequestBuilder(long wrId) {
        this.wrId = wrId;
    }

    abstract B self();

    /** Adds flags. */
    public B with(SendFlag... more) {
        flags.addAll(List.of(more));
        return self();
    }

    /** Adds {@link SendFlag#SIGNALED}. */
    public B signaled() {
        return with(SendFlag.SIGNALED);
    }

    B add(ScatterGatherEntry entry) {
        entries.add(entry);
        return self();
    }

    List<ScatterGatherEntry> entries() {
        return List.copyOf(entries);
    }

    Set<SendFlag> flags() {
        return Set.copyOf(flags);
    }
}

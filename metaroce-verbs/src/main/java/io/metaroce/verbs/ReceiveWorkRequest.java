package io.metaroce.verbs;

import java.util.List;

/**
 * A place for one arriving message. Immutable; copied when it is posted.
 *
 * @param wrId the caller's number; comes back in the completion
 * @param entries where the message is scattered to, in order; none for messages that carry an immediate only
 */
public record ReceiveWorkRequest(long wrId, List<ScatterGatherEntry> entries) {
    /** Copies the list. */
    public ReceiveWorkRequest {
        entries = List.copyOf(entries);
    }

    /** A place made of the given pieces. */
    public static ReceiveWorkRequest of(long wrId, ScatterGatherEntry... entries) {
        return new ReceiveWorkRequest(wrId, List.of(entries));
    }

    /** {@code length} bytes at {@code offset} of a region. */
    public static ReceiveWorkRequest of(long wrId, MemoryRegion region, long offset, int length) {
        return of(wrId, ScatterGatherEntry.of(region, offset, length));
    }
}

package io.metaroce.connection;

import io.metaroce.wire.StreamUpdate;

/** Where the ACK writer gets the news of streams. News is told in at least two consecutive reports. */
public interface UpdateSource {
    /**
     * Writes the next stream's news into {@code out} and counts it as told once.
     *
     * @return false when no stream has news; nothing was written
     */
    boolean fill(long nowNs, StreamUpdate out);

    /** Whether any stream has news to tell. */
    boolean hasNews();

    /** Writes the present state of one stream, whether it is news or not. False when there is no such stream. */
    boolean describe(int streamId, StreamUpdate out);
}

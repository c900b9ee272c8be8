package io.metaroce.connection;

import io.metaroce.wire.NakHeader;
import io.metaroce.wire.StreamUpdate;

/** Where the news of the peer's streams goes. */
public interface UpdateSink {
    /** Whether the report that carries an update is the newest seen, so that a refusal in it counts. */
    enum Freshness {
        /** Not older than any report seen. */
        NEWEST,
        /** Older than another report: only what can move forward counts. */
        OLDER
    }

    /** Applies one update, monotonically. */
    void onUpdate(long nowNs, StreamUpdate update, Freshness freshness);

    /** All that a report acknowledges and tells has been applied. */
    void onReportRead(long nowNs);

    /** Applies a refusal. */
    void onNak(long nowNs, NakHeader nak, Freshness freshness);
}

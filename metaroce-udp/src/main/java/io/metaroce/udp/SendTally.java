package io.metaroce.udp;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts what is sent. Counted on the event loop in plain fields, published once per pass, read by any thread. */
final class SendTally {
    private static final int FIELDS = 7;

    private final AtomicLongArray published = new AtomicLongArray(FIELDS);
    private long packets;
    private long bytes;
    private long systemCalls;
    private long segmentedSends;
    private long segments;
    private long failedPackets;
    private long fallbacks;

    void packet(int length) {
        packets++;
        bytes += length;
    }

    void systemCalls(int n) {
        systemCalls += n;
    }

    void segmentedSend(int n) {
        segmentedSends++;
        segments += n;
    }

    void failed(int n) {
        failedPackets += n;
    }

    void fallback() {
        fallbacks++;
    }

    /** Makes the counts of this pass visible to other threads. */
    void publish() {
        published.lazySet(0, packets);
        published.lazySet(1, bytes);
        published.lazySet(2, systemCalls);
        published.lazySet(3, segmentedSends);
        published.lazySet(4, segments);
        published.lazySet(5, failedPackets);
        published.lazySet(6, fallbacks);
    }

    /** The counts as last published. Any thread. */
    SendStatistics snapshot() {
        return new SendStatistics(
                published.get(0),
                published.get(1),
                published.get(2),
                published.get(3),
                published.get(4),
                published.get(5),
                published.get(6));
    }
}

package io.metaroce.path;

import io.metaroce.datagram.Route;
import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;

/**
 * What a packet or a report needs of the one path it belongs to, side by side: one wide word of memory. Each part of
 * the room reads and writes its own section and no other.
 */
final class PathRow {
    /** Number of the path. */
    @Bits(8)
    final char path;

    // TxSlots
    int firstByPsn = SlotSlab.NONE;
    int lastByPsn = SlotSlab.NONE;
    int oldestInFlight = SlotSlab.NONE;
    int youngestInFlight = SlotSlab.NONE;

    @Bits(32)
    int nextPsn;

    @Bits(32)
    int transmission; // ordinal of the last one on this path, probes included

    @Bits(32)
    int passing; // highest ordinal known of what was sent no later than what is echoed

    @Bits(32)
    int probe; // ordinal of the last probe

    @Bits(32)
    int probeStamp;

    @Bits(16)
    char unacked;

    @Bits(16)
    char queued;

    // TxStamps
    long lastSentNs = TxStamps.NEVER_SENT;

    long lastStamp; // in whole; packets carry its lower half

    long firstStamp; // of the running stretch: what is echoed from before it is no evidence

    // RttEstimator
    @Bits(31)
    int smoothedNs;

    @Bits(31)
    int variationNs;

    @Bits(31)
    int olderMinNs;

    @Bits(31)
    int newerMinNs; // NONE until there is a sample

    @Bits(31)
    int roundMinNs;

    long bucketEndNs;
    long roundEndNs;

    // ProbeTimer
    long flushAtNs = Deadline.NEVER;
    long timeoutAtNs = Deadline.NEVER;

    @Bits(5)
    byte backoff;

    // CounterEcho
    @Bits(32)
    int rxPackets;

    @Bits(16)
    char cePackets;

    @Bits(16)
    char duplicates;

    boolean rebase;

    // PathRoute
    Route route;

    @Bits(4)
    byte plane; // of the route

    @Bits(8)
    byte epoch;

    boolean borrowed;

    // PathCounts
    long slots;
    long transmissions;
    long marks;

    @Bits(32)
    int lost;

    @Bits(32)
    int resentOtherwise; // than by the rule of gaps

    @Bits(32)
    int spurious;

    @Bits(32)
    int probes;

    @Bits(32)
    int reportedTwice;

    // LossTest
    boolean redrawn;

    // Path
    boolean probeWanted;
    boolean resendForced;
    boolean firstOfEpoch;

    PathRow(int path, Route route) {
        this.path = (char) path;
        this.route = route;
    }
}

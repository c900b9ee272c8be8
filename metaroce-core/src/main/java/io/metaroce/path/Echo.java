package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;

/**
 * The highest stamp received on a path, the epoch it came with, and when. This is what the sender's loss rule lives on.
 */
final class Echo {
    private static final long IDLE_NS = 16_000_000_000L;

    private @Bits(32) int stamp;
    private @Bits(8) int epoch;
    private long atNs;
    private long lastArrivalNs;
    private boolean empty = true;

    /** Takes note of the stamp of an arriving slot packet or probe. Returns whether its epoch is a new one. */
    boolean onStamp(long nowNs, int txStamp, int pathEpoch) {
        // R-PATH-019: after 16 s without arrival the next packet sets stamp and epoch unconditionally.
        boolean idle = nowNs - lastArrivalNs >= IDLE_NS;
        lastArrivalNs = nowNs;
        // R-PATH-013: otherwise only a later stamp does, whatever epoch an older one carries.
        if (!empty && !idle && !Serial32.isAfter(txStamp, stamp)) {
            return false;
        }
        boolean newEpoch = empty || pathEpoch != epoch;
        stamp = txStamp;
        epoch = pathEpoch;
        atNs = nowNs;
        empty = false;
        return newEpoch;
    }

    int stamp() {
        return stamp;
    }

    int epoch() {
        return epoch;
    }

    long atNs() {
        return atNs;
    }
}

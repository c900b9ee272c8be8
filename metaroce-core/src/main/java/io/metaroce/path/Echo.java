package io.metaroce.path;

import io.metaroce.num.Serial32;

/**
 * The highest stamp received on a path, the epoch it came with, and when; a section of {@link InboundPath}. This is
 * what the sender's loss rule lives on.
 */
final class Echo {
    private static final long IDLE_NS = 16_000_000_000L;

    private Echo() {}

    /** Takes note of the stamp of an arriving slot packet or probe. Returns whether its epoch is a new one. */
    static boolean onStamp(long nowNs, InboundPath path, int txStamp, int pathEpoch) {
        // R-PATH-019: after 16 s without arrival the next packet sets stamp and epoch unconditionally.
        boolean idle = nowNs - path.lastArrivalNs >= IDLE_NS;
        path.lastArrivalNs = nowNs;
        // R-PATH-013: otherwise only a later stamp does, whatever epoch an older one carries.
        if (path.echoing && !idle && !Serial32.isAfter(txStamp, path.stamp)) {
            return false;
        }
        boolean newEpoch = !path.echoing || pathEpoch != (path.epoch & 0xFF);
        path.stamp = txStamp;
        path.epoch = (byte) pathEpoch;
        path.stampAtNs = nowNs;
        path.echoing = true;
        if (path.held != null) {
            path.held.onStamp(nowNs, txStamp, pathEpoch);
        }
        return newEpoch;
    }

    /** Whether there is a stamp that may be told; to be asked before what is told is read. */
    static boolean settle(InboundPath path) {
        return path.held == null || path.held.settle();
    }

    /** Whether the highest stamp of all is the one that may be told. */
    static boolean isSettled(InboundPath path) {
        return path.held == null || path.held.isSettled();
    }

    static int stamp(InboundPath path) {
        return path.held == null ? path.stamp : path.held.stamp;
    }

    /** The epoch, 0..255; compared for equality only. */
    static int epoch(InboundPath path) {
        return path.held == null ? path.epoch & 0xFF : path.held.epoch;
    }

    static long atNs(InboundPath path) {
        return path.held == null ? path.stampAtNs : path.held.atNs;
    }
}

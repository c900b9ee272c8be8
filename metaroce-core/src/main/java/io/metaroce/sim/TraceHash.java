package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import java.nio.ByteBuffer;

/**
 * A fold over everything that happened: every delivery to a host and every drop, with its instant. Two runs with equal
 * hashes were the same run. What happened is added up, so that it does not matter in which order a world goes from node
 * to node.
 */
public final class TraceHash {
    private static final int HEADER_BYTES = 64;
    private static final long DROP = 0x4452_4F50_0000_0000L;

    private long value = 0x6D657461726F6365L;
    private long folds;

    /** A packet reached a host over a link. */
    void delivered(long timePs, int link, PacketPool packets, int packet) {
        fold(timePs, link, packets, packet);
    }

    /** A packet was dropped on a link, or at a host for a cause. */
    void dropped(long timePs, int link, DropCause cause, PacketPool packets, int packet) {
        fold(timePs + DROP * cause.number(), link, packets, packet);
    }

    /** The hash of everything so far. */
    public long value() {
        return value;
    }

    /** How many events went into it. */
    public long folds() {
        return folds;
    }

    private void fold(long timePs, int link, PacketPool packets, int packet) {
        long h = Fold.with(timePs, ((long) link << 32) + packets.length(packet));
        ByteBuffer bytes = packets.bytes(packet);
        int at = packets.offset(packet);
        int end = at + Math.min(packets.heldBytes(packet), HEADER_BYTES);
        int i = at;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            h = Fold.with(h, bytes.getLong(i));
        }
        for (; i < end; i++) {
            h = Fold.with(h, bytes.get(i));
        }
        value += SplitMix64.mix(h);
        folds++;
    }
}

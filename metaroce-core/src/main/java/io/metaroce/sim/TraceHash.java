package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import java.nio.ByteBuffer;

/**
 * An order-sensitive fold over everything that happened: every delivery to a host and every drop. Two runs with equal
 * hashes were the same run.
 */
public final class TraceHash {
    private static final int HEADER_BYTES = 64;
    private static final long DROP = 0x44524F50L;

    private long value = 0x6D657461726F6365L;
    private long folds;

    /** A packet reached a host over a link. */
    void delivered(long timePs, int link, ByteBuffer bytes, int at, int length) {
        fold(timePs, link, bytes, at, length);
    }

    /** A packet was dropped on a link, or at a host for a cause. */
    void dropped(long timePs, int link, DropCause cause, ByteBuffer bytes, int at, int length) {
        value = SplitMix64.mix(value + DROP + cause.number());
        fold(timePs, link, bytes, at, length);
    }

    /** The hash of everything so far. */
    public long value() {
        return value;
    }

    /** How many events went into it. */
    public long folds() {
        return folds;
    }

    private void fold(long timePs, int link, ByteBuffer bytes, int at, int length) {
        long h = value;
        h = SplitMix64.mix(h ^ timePs);
        h = SplitMix64.mix(h + ((long) link << 32) + length);
        int end = at + Math.min(length, HEADER_BYTES);
        int i = at;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            h = SplitMix64.mix(h ^ bytes.getLong(i));
        }
        for (; i < end; i++) {
            h = SplitMix64.mix(h + bytes.get(i));
        }
        value = h;
        folds++;
    }
}

package io.metaroce.rate;

import io.metaroce.num.FixedPoint;
import io.metaroce.num.Minifloat;

/**
 * The newest rate hint and its age. A hint is fresh for a while and rules as it is; then it grows by doublings, because
 * nobody knows any more; in the end it is forgotten.
 */
final class HintLimiter {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long FORGET_NS_MAX = 50_000_000;
    private static final int FORGET_ROUND_TRIPS = 64;
    private static final int DOUBLING_ROUND_TRIPS = 8;
    private static final int DOUBLINGS_MAX = 20; // 1 Mbyte/s becomes 1 Tbyte/s

    /** What is known of the receiver's share. */
    private enum Kind {
        NONE,
        RATE,
        PAUSE
    }

    private final LineModel line;
    private final long floorNs;
    private Kind kind = Kind.NONE;
    private boolean heard;
    private long bytesPerSecond;
    private long arrivedNs;
    private long freshUntilNs;
    private long forgottenAtNs;
    private long doublingNs;

    HintLimiter(LineModel line, long floorNs) {
        this.line = line;
        this.floorNs = floorNs;
    }

    void onHint(long nowNs, int code, long srttNs) {
        kind = code == Minifloat.HINT_NONE ? Kind.NONE : Minifloat.isPause(code) ? Kind.PAUSE : Kind.RATE;
        bytesPerSecond =
                kind == Kind.RATE ? FixedPoint.clamp(Minifloat.decodeHint(code), 1, line.lineBytesPerSecond()) : 0;
        heard = true;
        arrivedNs = nowNs;
        long fourPackets =
                kind == Kind.RATE ? FixedPoint.mulDiv(4L * line.packetBytes(), SECOND_NS, bytesPerSecond) : 0;
        long freshNs = Math.max(Math.max(4 * srttNs, fourPackets), floorNs);
        freshUntilNs = FixedPoint.addSaturated(nowNs, freshNs);
        long memoryNs = Math.max(Math.min(FORGET_ROUND_TRIPS * line.rtt0Ns(), FORGET_NS_MAX), floorNs);
        // A hint is never forgotten while it is fresh: at low rates freshness outlasts 64 round trips.
        forgottenAtNs = FixedPoint.addSaturated(nowNs, Math.max(memoryNs, freshNs));
        doublingNs = Math.max(DOUBLING_ROUND_TRIPS * line.rtt0Ns(), 1);
    }

    void forget() {
        kind = Kind.NONE;
        heard = false;
    }

    /** Whether nothing has been heard of the receiver's share for so long that what was heard is worth nothing. */
    boolean isForgotten(long nowNs) {
        return heard && nowNs > forgottenAtNs;
    }

    /** Whether a hint was heard and is no longer fresh. */
    boolean isStale(long nowNs) {
        return heard && nowNs > freshUntilNs;
    }

    /** How long the newest hint rules as it is, in ns. */
    long freshNs() {
        return freshUntilNs - arrivedNs;
    }

    /** Whether the newest hint named a rate. */
    boolean isRate() {
        return kind == Kind.RATE;
    }

    boolean isPaused(long nowNs) {
        return kind == Kind.PAUSE && nowNs <= forgottenAtNs;
    }

    long pausedUntilNs() {
        return kind == Kind.PAUSE ? forgottenAtNs + 1 : 0;
    }

    /** Whether the newest hint named a rate and is so old that it grows. */
    boolean isAgeing(long nowNs) {
        return kind == Kind.RATE && nowNs > freshUntilNs;
    }

    /** H: the share, aged; the line rate when none is known; 0 for a pause. */
    long bytesPerSecond(long nowNs) {
        if (kind == Kind.NONE) {
            return line.lineBytesPerSecond();
        }
        if (kind == Kind.PAUSE || nowNs <= freshUntilNs) {
            return bytesPerSecond;
        }
        long doublings = Math.min((nowNs - arrivedNs) / doublingNs, DOUBLINGS_MAX);
        return Math.min(bytesPerSecond << doublings, line.lineBytesPerSecond());
    }
}

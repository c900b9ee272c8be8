package io.metaroce.path;

import io.metaroce.num.Bits;
import io.metaroce.num.Serial32;
import io.metaroce.wire.PathBlock;

/**
 * Looks back at the route a path has left as failed: when something sent there is heard of after all, the move was a
 * mistake, and the path is given more time before it is suspected again.
 */
final class Departure {
    private static final int REMEMBERED_ROUND_TRIPS = 64;
    private static final int PATIENCE_MAX = 8;

    private boolean remembered;
    private @Bits(8) int epoch;
    private @Bits(32) int newestEcho;
    private long forgetNs;
    private int patience = 1;
    private long halveNs;

    void onLeft(long nowNs, int oldEpoch, boolean echoed, int oldEcho, long rttNs) {
        remembered = echoed;
        epoch = oldEpoch;
        newestEcho = oldEcho;
        forgetNs = nowNs + REMEMBERED_ROUND_TRIPS * rttNs;
    }

    /** Whether the block proves that the route was alive when it was left; true once per move. */
    boolean isRefutedBy(long nowNs, PathBlock block, long rttNs) {
        if (!remembered
                || nowNs > forgetNs
                || block.epoch() != epoch
                || !Serial32.isAfter(block.echoStamp(), newestEcho)) {
            return false;
        }
        remembered = false;
        patience = Math.min(2 * patienceAt(nowNs, rttNs), PATIENCE_MAX);
        halveNs = nowNs + REMEMBERED_ROUND_TRIPS * rttNs;
        return true;
    }

    /** What silence is multiplied by before it is suspicious: 1, 2, 4 or 8. */
    int patienceAt(long nowNs, long rttNs) {
        while (patience > 1 && nowNs >= halveNs) {
            patience /= 2;
            halveNs += Math.max(REMEMBERED_ROUND_TRIPS * rttNs, 1);
        }
        return patience;
    }
}

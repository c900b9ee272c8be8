package io.metaroce.connection;

import io.metaroce.num.Deadline;
import io.metaroce.path.Path;
import io.metaroce.path.PathState;

/**
 * Whether more than three quarters of the paths in use are silent, on several planes, while the rest delivers, and have
 * not been for long: a peer that stood still for a moment looks like that when it begins to answer.
 */
final class NearlyAllSilent {
    private static final int SILENT_TO_SPEAKING_MAX = 3;
    private static final int RTTS_IN_USE = 4;

    private NearlyAllSilent() {}

    /** Whether that is so, and the first of them has not been silent for two probe timeouts. */
    static boolean isSilentNow(long nowNs, PathSet paths, Agreement agreement) {
        int silent = 0;
        int speaking = 0;
        int planes = 0;
        long confirmedAtNs = Deadline.NEVER;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.state() == PathState.SUSPECT) {
                silent++;
                planes |= 1 << path.plane();
                confirmedAtNs = Math.min(confirmedAtNs, path.confirmAtNs(agreement.peerAckDelayNs()));
            } else if (path.isInUse() || isHeardLately(nowNs, path)) {
                speaking++;
            }
        }
        // One plane that is silent alone is the ordinary failure, even where little else is in use.
        return Integer.bitCount(planes) > 1 && silent > SILENT_TO_SPEAKING_MAX * speaking && nowNs < confirmedAtNs;
    }

    private static boolean isHeardLately(long nowNs, Path path) {
        return path.isEchoed() && nowNs - path.lastEvidenceNs() < RTTS_IN_USE * path.smoothedRttNs();
    }
}

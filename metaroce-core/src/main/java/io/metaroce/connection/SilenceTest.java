package io.metaroce.connection;

import io.metaroce.num.Serial32;
import io.metaroce.param.PathConfig;
import io.metaroce.path.Path;
import io.metaroce.path.TxStamps;

/**
 * Tells a silent path from a quiet one by looking at the others: stamps of all paths share one clock, so a path that
 * still waits for something sent well before what another path has just delivered is suspect.
 */
final class SilenceTest {
    private final PathSet paths;
    private final PathConfig config;

    SilenceTest(PathSet paths, PathConfig config) {
        this.paths = paths;
        this.config = config;
    }

    /** Whether {@code path} is silent while another delivers. */
    boolean isSilent(Path path) {
        if (!path.isInUse()) {
            return false;
        }
        long toleranceNs = toleranceNs(path);
        for (int i = 0; i < paths.count(); i++) {
            Path other = paths.outbound(i);
            if (other == path || !other.isEchoed()) {
                continue;
            }
            long skewNs = 2 * Math.abs(path.rtt().baseNs() - other.rtt().baseNs());
            long leadNs = (long) Serial32.distance(path.oldestStamp(), other.newestEcho()) << TxStamps.UNIT_SHIFT;
            if (leadNs > Math.max(toleranceNs, skewNs)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any other path has delivered something since {@code sinceNs}. */
    boolean othersDeliveredSince(Path path, long sinceNs) {
        for (int i = 0; i < paths.count(); i++) {
            Path other = paths.outbound(i);
            if (other != path && other.health().lastEvidenceNs() > sinceNs) {
                return true;
            }
        }
        return false;
    }

    private long toleranceNs(Path path) {
        long byRtt = Math.max(path.rtt().baseNs() / 4, 4 * path.rtt().variationNs());
        return Math.max(byRtt, config.silenceFloorNs());
    }
}

package io.metaroce.connection;

import io.metaroce.num.Serial32;
import io.metaroce.param.PathConfig;
import io.metaroce.path.Path;
import io.metaroce.path.TxStamps;
import org.jspecify.annotations.Nullable;

/**
 * Tells a silent path from a quiet one by looking at the others: stamps of all paths share one clock, so a path that
 * still waits for something sent well before what another path has just delivered is suspect.
 */
final class SilenceTest {
    private static final long RECENT_NS = 16_000_000_000L;

    private final PathSet paths;
    private final PathConfig config;

    SilenceTest(PathSet paths, PathConfig config) {
        this.paths = paths;
        this.config = config;
    }

    /** The path whose echo is the newest of all that have delivered lately, or null when none has. */
    @Nullable
    Path newest(long nowNs) {
        Path newest = null;
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            // Stamps wrap after 68 s, so only those of living paths may be compared.
            if (path.isEchoed()
                    && nowNs - path.lastEvidenceNs() < RECENT_NS
                    && (newest == null || Serial32.isAfter(path.newestEcho(), newest.newestEcho()))) {
                newest = path;
            }
        }
        return newest;
    }

    /** Whether {@code path} still waits for something sent well before what {@code newest} has just delivered. */
    boolean isSilent(long nowNs, Path path, Path newest) {
        if (path == newest || !path.isInUse()) {
            return false;
        }
        long leadNs = (long) Serial32.distance(path.oldestStamp(), newest.newestEcho()) << TxStamps.UNIT_SHIFT;
        return leadNs > toleranceNs(path, newest) * path.patience(nowNs);
    }

    /** Whether any other path has delivered something since {@code sinceNs}. */
    boolean othersDeliveredSince(Path path, long sinceNs) {
        for (int i = 0; i < paths.count(); i++) {
            Path other = paths.outbound(i);
            if (other != path && other.lastEvidenceNs() > sinceNs) {
                return true;
            }
        }
        return false;
    }

    private long toleranceNs(Path path, Path newest) {
        // What the slower way there, the spread of the path itself and the slower way back may add up to.
        long thereNs = 2 * Math.abs(path.baseRttNs() - newest.baseRttNs());
        long backNs = Math.min(paths.waysBack().spreadNs(), path.smoothedRttNs());
        long spreadNs = thereNs + 4 * path.rttVariationNs() + backNs;
        return Math.max(Math.max(path.baseRttNs() / 4, spreadNs), config.silenceFloorNs());
    }
}

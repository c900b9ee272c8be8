package io.metaroce.connection;

import io.metaroce.num.Bits;
import io.metaroce.num.Deadline;
import io.metaroce.num.Serial32;
import io.metaroce.num.StampClock;
import io.metaroce.param.PathConfig;
import io.metaroce.path.Path;

/**
 * Tells a silent path from a quiet one by looking at the others: stamps of all paths share one clock, so a path that
 * still waits for something sent well before what another path has just delivered is suspect.
 */
final class SilenceTest {
    private static final long TRUSTED_NS = 16_000_000_000L; // stamps wrap after 68 s

    private final PathSet paths;
    private final PathConfig config;
    private @Bits(32) int clearUntil; // echoes up to this stamp make no path suspect
    private long clearedAtNs = Deadline.NEVER;

    SilenceTest(PathSet paths, PathConfig config) {
        this.paths = paths;
        this.config = config;
    }

    /** Whether any path may be silent, now that {@code newest} has delivered; if not, none need be looked at. */
    boolean mayBeAny(long nowNs, Path newest) {
        boolean trusted = nowNs >= clearedAtNs && nowNs - clearedAtNs < TRUSTED_NS;
        boolean clear = trusted && !Serial32.isAfter(newest.newestEcho(), clearUntil);
        assert !clear || !isAnyBelowFloor(newest) : "a path may be silent and nobody looks at it";
        return !clear;
    }

    private boolean isAnyBelowFloor(Path newest) {
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.isInUse() && Serial32.distance(path.oldestStamp(), newest.newestEcho()) > floorStamps()) {
                return true;
            }
        }
        return false;
    }

    /** All have been looked at: what is in flight, or will be, is younger than it must be for this long. */
    void looked(long nowNs) {
        int oldest = StampClock.at(nowNs);
        for (int i = 0; i < paths.count(); i++) {
            Path path = paths.outbound(i);
            if (path.isInUse()) {
                oldest = Serial32.isBefore(path.oldestStamp(), oldest) ? path.oldestStamp() : oldest;
            }
        }
        clearUntil = oldest + floorStamps();
        clearedAtNs = nowNs;
    }

    /** Whether {@code path} still waits for something sent well before what {@code newest} has just delivered. */
    boolean isSilent(long nowNs, Path path, Path newest) {
        if (path == newest || !path.isInUse()) {
            return false;
        }
        long leadNs = StampClock.ns(path.oldestStamp(), newest.newestEcho());
        int patience = path.patience(nowNs);
        // Mostly the lead is below the least tolerance, and that of the path need not be known.
        return leadNs > patience * config.silenceFloorNs() && leadNs > patience * toleranceNs(path, newest);
    }

    /** Whether any other path has delivered something since {@code sinceNs}. */
    boolean othersDeliveredSince(Path path, long sinceNs) {
        if (paths.lastEvidenceNs() <= sinceNs) {
            return false;
        }
        for (int i = 0; i < paths.count(); i++) {
            Path other = paths.outbound(i);
            if (other != path && other.lastEvidenceNs() > sinceNs) {
                return true;
            }
        }
        return false;
    }

    /** What no tolerance is below. */
    private int floorStamps() {
        return StampClock.units(config.silenceFloorNs());
    }

    private long toleranceNs(Path path, Path newest) {
        // What the slower way there, the spread of the path itself and the slower way back may add up to.
        long thereNs = 2 * Math.abs(path.baseRttNs() - newest.baseRttNs());
        long backNs = Math.min(paths.waysBack().spreadNs(), path.smoothedRttNs());
        long spreadNs = thereNs + 4 * path.rttVariationNs() + backNs;
        return Math.max(Math.max(path.baseRttNs() / 4, spreadNs), config.silenceFloorNs());
    }
}

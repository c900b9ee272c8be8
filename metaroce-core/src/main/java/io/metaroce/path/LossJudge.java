package io.metaroce.path;

import io.metaroce.num.Deadline;
import io.metaroce.wire.PathBlock;
import org.jspecify.annotations.Nullable;

/** Judges each path by the rule of gaps, with as much patience as the path has proved to need. */
final class LossJudge {
    private static final @Nullable ReorderTolerance[] NO_TOLERANCES = {};

    private final TxSlots slots;
    private final int paths;
    private @Nullable ReorderTolerance[] tolerances = NO_TOLERANCES; // as soon as a path needs one

    LossJudge(int paths, TxSlots slots) {
        this.paths = paths;
        this.slots = slots;
    }

    /** Slots of the path were taken for lost and had come: it does not keep its order. */
    void onSpurious(long nowNs, PathRow row) {
        if (tolerances.length == 0) {
            tolerances = new ReorderTolerance[paths];
        }
        ReorderTolerance tolerance = tolerances[row.path];
        if (tolerance == null) {
            tolerance = new ReorderTolerance(nowNs + RttEstimator.smoothedNs(row));
            tolerances[row.path] = tolerance;
        }
        tolerance.onSpurious();
    }

    void onEvidence(long nowNs, PathRow row) {
        ReorderTolerance tolerance = of(row);
        if (tolerance != null) {
            tolerance.onEvidence(nowNs, RttEstimator.smoothedNs(row));
        }
    }

    void judge(long nowNs, PathRow row, PathBlock block, int epoch, int coveredPackets, TxSlots.Outcome outcome) {
        ReorderTolerance tolerance = of(row);
        boolean keepsOrder = tolerance == null || tolerance.packets() == 0;
        LossRule.judge(nowNs, row, slots, block, epoch, coveredPackets, keepsOrder ? null : tolerance, outcome);
    }

    /** When {@link #loseLate} has something to do, or never. */
    long lateAtNs(PathRow row) {
        ReorderTolerance tolerance = of(row);
        return tolerance == null ? Deadline.NEVER : tolerance.late().atNs();
    }

    /** Takes for lost what later transmissions passed a while ago and has not come since. */
    void loseLate(long nowNs, PathRow row, TxSlots.Outcome outcome) {
        ReorderTolerance tolerance = of(row);
        if (tolerance != null) {
            LossRule.judgeLate(nowNs, row, slots, tolerance, outcome);
        }
    }

    /** Later transmissions that may pass a slot before it is lost; 0 while the path keeps its order. */
    int reorderPackets(PathRow row) {
        ReorderTolerance tolerance = of(row);
        return tolerance == null ? 0 : tolerance.packets();
    }

    /** Another route. */
    void restart(PathRow row) {
        ReorderTolerance tolerance = of(row);
        if (tolerance != null) {
            tolerance.restart();
        }
    }

    private @Nullable ReorderTolerance of(PathRow row) {
        return row.path < tolerances.length ? tolerances[row.path] : null;
    }
}

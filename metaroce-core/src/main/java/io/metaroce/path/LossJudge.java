package io.metaroce.path;

import io.metaroce.num.Deadline;
import io.metaroce.wire.PathBlock;
import org.jspecify.annotations.Nullable;

/** Judges each path by the rule of gaps, with as much patience as the path has proved to need. */
final class LossJudge {
    private static final int PATIENCE_SHARE = 4;

    private final SlotSlab slab;
    private final TxSlots slots;
    private final RttEstimator rtt;
    private final int paths;
    private @Nullable ReorderTolerance[] tolerances = {}; // as soon as a path needs one

    LossJudge(int paths, SlotSlab slab, TxSlots slots, RttEstimator rtt) {
        this.paths = paths;
        this.slab = slab;
        this.slots = slots;
        this.rtt = rtt;
    }

    /** Slots of the path were taken for lost and had come: it does not keep its order. */
    void onSpurious(long nowNs, int path) {
        if (tolerances.length == 0) {
            tolerances = new ReorderTolerance[paths];
        }
        ReorderTolerance tolerance = tolerances[path];
        if (tolerance == null) {
            tolerance = new ReorderTolerance(nowNs + rtt.smoothedNs(path));
            tolerances[path] = tolerance;
        }
        tolerance.onSpurious();
    }

    void onEvidence(long nowNs, int path) {
        ReorderTolerance tolerance = of(path);
        if (tolerance != null) {
            tolerance.onEvidence(nowNs, rtt.smoothedNs(path));
        }
    }

    void judge(long nowNs, int path, PathBlock block, int epoch, int coveredPackets, TxSlots.Outcome outcome) {
        ReorderTolerance tolerance = of(path);
        if (tolerance == null || tolerance.packets() == 0) {
            LossRule.judge(path, slots, slab, block, epoch, coveredPackets, outcome);
        } else {
            LossRule.judgePatiently(
                    nowNs, path, slots, slab, block, epoch, coveredPackets, tolerance, patienceNs(path), outcome);
        }
    }

    /** When {@link #loseLate} has something to do, or never. */
    long lateAtNs(int path) {
        ReorderTolerance tolerance = of(path);
        return tolerance == null ? Deadline.NEVER : tolerance.late().atNs();
    }

    /** Takes for lost what later transmissions passed a while ago and has not come since. */
    void loseLate(long nowNs, int path, TxSlots.Outcome outcome) {
        ReorderTolerance tolerance = of(path);
        if (tolerance != null) {
            LossRule.judgeLate(nowNs, path, slots, slab, tolerance, patienceNs(path), outcome);
        }
    }

    /** Later transmissions that may pass a slot before it is lost; 0 while the path keeps its order. */
    int reorderPackets(int path) {
        ReorderTolerance tolerance = of(path);
        return tolerance == null ? 0 : tolerance.packets();
    }

    /** Another route. */
    void restart(int path) {
        ReorderTolerance tolerance = of(path);
        if (tolerance != null) {
            tolerance.restart();
        }
    }

    private @Nullable ReorderTolerance of(int path) {
        return path < tolerances.length ? tolerances[path] : null;
    }

    private long patienceNs(int path) {
        return rtt.baseNs(path) / PATIENCE_SHARE;
    }
}

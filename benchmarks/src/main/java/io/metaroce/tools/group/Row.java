package io.metaroce.tools.group;

import io.metaroce.collective.Collective;
import io.metaroce.collective.Task;

/**
 * What one size gave.
 *
 * @param task what was run
 * @param timeNs of one run at the slowest rank, the mean of those that were timed
 * @param wrong elements that were wrong, of all ranks together
 */
public record Row(Task task, double timeNs, long wrong) {
    /** Bytes of a rank by time, in GB/s (10^9). */
    public double algorithmBandwidth() {
        return task.bytes() / timeNs;
    }

    /** What the busiest link must carry for that at least, in GB/s; comparable between numbers of ranks. */
    public double busBandwidth() {
        return algorithmBandwidth() * busShare(task);
    }

    /** What the busiest link must carry at least for one byte of a rank, of an all-reduce or all-to-all. */
    public static double busShare(Task task) {
        double share = (task.ranks() - 1.0) / task.ranks();
        return task.what() == Collective.ALL_REDUCE ? 2 * share : share;
    }

    /** Elements as nccl-tests count them: of an all-to-all those for one rank. */
    public int count() {
        return task.what() == Collective.ALL_TO_ALL ? task.elements() / task.ranks() : task.elements();
    }
}

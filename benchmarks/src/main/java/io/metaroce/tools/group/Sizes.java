package io.metaroce.tools.group;

import io.metaroce.collective.Algorithm;
import io.metaroce.collective.Collective;
import io.metaroce.collective.ElementType;
import io.metaroce.collective.Task;
import java.util.ArrayList;
import java.util.List;

/** The tasks that options ask for, one for each size. */
final class Sizes {
    private static final int SLICE_BYTES = 128 << 10;
    private static final int SLICES_MAX = 64;
    private static final int BYTES_MAX = 512 << 20;

    private Sizes() {}

    static ElementType type(GroupOptions options) {
        return switch (options.type) {
            case "int32", "int" -> ElementType.INT32;
            case "int64" -> ElementType.INT64;
            case "float" -> ElementType.FLOAT32;
            case "double" -> ElementType.FLOAT64;
            default ->
                throw new IllegalArgumentException(
                        "-d " + options.type + " is no type; write int32, int64, float or double");
        };
    }

    static List<Task> tasks(Collective what, GroupOptions options, int ranks) {
        if (ranks < 2 || ranks > Task.RANKS_MAX) {
            throw new IllegalArgumentException(ranks + " ranks are outside 2.." + Task.RANKS_MAX);
        }
        if (options.factor < 2 || options.iterations < 1 || options.warmUp < 0) {
            throw new IllegalArgumentException("-f is at least 2, -n at least 1, -w at least 0");
        }
        if (options.maxBytes.bytes() > BYTES_MAX) {
            throw new IllegalArgumentException("-e " + options.maxBytes.bytes() + " is more than 512M");
        }
        List<Task> tasks = new ArrayList<>();
        for (long bytes = Math.max(1, options.minBytes.bytes());
                bytes <= options.maxBytes.bytes();
                bytes *= options.factor) {
            tasks.add(task(what, options, ranks, (int) bytes));
        }
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("-b is greater than -e: no size is left");
        }
        return tasks;
    }

    /** As nccl-tests do it, a size is made a whole number of elements, and of blocks where blocks must be equal. */
    private static Task task(Collective what, GroupOptions options, int ranks, int bytes) {
        int element = type(options).bytes();
        boolean isReduction = what == Collective.ALL_REDUCE;
        int unit = isReduction ? element : element * ranks;
        int whole = Math.max(unit, bytes / unit * unit);
        Algorithm given = options.algorithm;
        Algorithm how = given != null ? given : isReduction ? Algorithm.RING : Algorithm.SHIFT;
        int moved = how == Algorithm.RING ? whole / ranks : whole;
        int slices = options.slices > 0 ? options.slices : Math.max(1, Math.min(SLICES_MAX, moved / SLICE_BYTES));
        Task task = Task.of(what, how, ranks, whole)
                .withElementBytes(element)
                .withWindow(options.window)
                .withTransfer(options.transfer);
        if (isReduction) {
            task = task.withSlices(slices);
        }
        if (how == Algorithm.HIERARCHICAL) {
            task = task.withGroupRanks(options.groupRanks);
        }
        return options.bothWays ? task.withBothWays() : task;
    }
}

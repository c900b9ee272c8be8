package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Tasks of every kind for tests. */
final class Tasks {
    private Tasks() {}

    /** One of each kind, for so many ranks and elements of four bytes; those that need a power of two if it is one. */
    static List<Task> all(int ranks, int elements, int slices) {
        int bytes = elements * Integer.BYTES;
        int blocks = ranks * Math.max(1, elements / ranks) * Integer.BYTES;
        List<Task> all = new ArrayList<>();
        all.add(Task.of(Collective.ALL_REDUCE, Algorithm.RING, ranks, bytes).withSlices(slices));
        all.add(Task.of(Collective.ALL_REDUCE, Algorithm.RING, ranks, bytes)
                .withSlices(slices)
                .withBothWays()
                .withStreams(2));
        all.add(Task.of(Collective.REDUCE_SCATTER, Algorithm.RING, ranks, bytes).withSlices(slices));
        all.add(Task.of(Collective.ALL_GATHER, Algorithm.RING, ranks, bytes)
                .withSlices(slices)
                .withBothWays());
        all.add(Task.of(Collective.ALL_REDUCE, Algorithm.HALVING_DOUBLING, ranks, bytes)
                .withSlices(slices)
                .withStreams(2));
        for (int group = 1; group <= ranks; group++) {
            if (ranks % group == 0) {
                all.add(Task.of(Collective.ALL_REDUCE, Algorithm.HIERARCHICAL, ranks, bytes)
                        .withSlices(slices)
                        .withGroupRanks(group));
            }
        }
        all.add(Task.of(Collective.BROADCAST, Algorithm.RING, ranks, bytes)
                .withSlices(slices)
                .withRoot(ranks - 1));
        all.add(Task.of(Collective.BROADCAST, Algorithm.TREE, ranks, bytes)
                .withSlices(slices)
                .withRoot(ranks / 2));
        all.add(Task.of(Collective.ALL_TO_ALL, Algorithm.SHIFT, ranks, blocks).withWindow(2));
        all.add(Task.of(Collective.ALL_TO_ALL, Algorithm.AT_ONCE, ranks, blocks).withSeed(slices));
        all.add(Task.of(Collective.ALL_TO_ALL, Algorithm.BRUCK, ranks, blocks));
        all.add(Task.of(Collective.BARRIER, Algorithm.DISSEMINATION, ranks, 0));
        if (Schedules.isPowerOfTwo(ranks)) {
            all.add(Task.of(Collective.REDUCE_SCATTER, Algorithm.HALVING_DOUBLING, ranks, bytes));
            all.add(Task.of(Collective.ALL_GATHER, Algorithm.HALVING_DOUBLING, ranks, bytes));
            all.add(Task.of(Collective.ALL_TO_ALL, Algorithm.XOR, ranks, blocks).withWindow(1));
        }
        return all;
    }

    /** The same with bytes that are sent, and with bytes that are read. */
    static List<Task> sentAndRead(List<Task> tasks) {
        List<Task> all = new ArrayList<>();
        for (Task task : tasks) {
            all.add(task.withTransfer(Transfer.SEND));
            all.add(task.withTransfer(Transfer.READ));
        }
        return all;
    }

    /** The ranks in an order that a seed draws. */
    static List<Integer> shuffled(int ranks, long seed) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        return order;
    }
}

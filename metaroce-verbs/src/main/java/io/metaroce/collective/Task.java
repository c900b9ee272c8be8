package io.metaroce.collective;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What is to be compiled. Equal tasks give equal programs. Begin with {@link #of} and change what you need.
 *
 * @param what the operation
 * @param how the algorithm
 * @param ranks 1..1024
 * @param bytes of the data of each rank, 0..2^30: a whole number of elements
 * @param elementBytes bytes of one element, 1..16; nothing is cut within an element
 * @param slices parts into which what one step moves is cut, so that steps overlap
 * @param bothWays whether every other slice of a ring runs the other way
 * @param streams streams of a pair over which the slices of one direction are spread
 * @param window steps of an all-to-all by {@link Algorithm#SHIFT} or {@link Algorithm#XOR} under way at once
 * @param root who has the data of a broadcast
 * @param groupRanks ranks of a group of {@link Algorithm#HIERARCHICAL}; divides the number of ranks
 * @param order the ranks as they stand beside each other in the network: a hint that changes who talks to whom
 * @param seed of orders that are to differ from rank to rank
 * @param transfer how bytes come from one rank to another
 */
public record Task(
        Collective what,
        Algorithm how,
        int ranks,
        int bytes,
        int elementBytes,
        int slices,
        boolean bothWays,
        int streams,
        int window,
        int root,
        int groupRanks,
        List<Integer> order,
        long seed,
        Transfer transfer) {
    /** Most ranks. */
    public static final int RANKS_MAX = 1024;
    /** Most bytes of one rank. */
    public static final int BYTES_MAX = 1 << 30;

    private static final int ELEMENT_MAX = 16;
    private static final int PARTS_MAX = 4096;

    /** Refuses what cannot be compiled. */
    public Task {
        within("ranks", ranks, 1, RANKS_MAX);
        within("bytes", bytes, 0, BYTES_MAX);
        within("elementBytes", elementBytes, 1, ELEMENT_MAX);
        within("slices", slices, 1, PARTS_MAX);
        within("streams", streams, 1, PARTS_MAX);
        within("window", window, 1, RANKS_MAX);
        within("root", root, 0, ranks - 1);
        within("groupRanks", groupRanks, 1, ranks);
        order = List.copyOf(order);
        if (bytes % elementBytes != 0) {
            throw new IllegalArgumentException(bytes + " bytes are no whole number of elements of " + elementBytes);
        }
        if (order.size() != ranks || !new TreeSet<>(order).equals(new TreeSet<>(range(ranks)))) {
            throw new IllegalArgumentException("order names each of 0.." + (ranks - 1) + " once, not " + order);
        }
    }

    /** In the order of numbers, in one piece, elements of four bytes. */
    public static Task of(Collective what, Algorithm how, int ranks, int bytes) {
        return new Task(what, how, ranks, bytes, Integer.BYTES, 1, false, 1, 4, 0, 1, range(ranks), 1, Transfer.WRITE);
    }

    /** The same with elements of other length. */
    public Task withElementBytes(int value) {
        return with(draft -> draft.elementBytes = value);
    }

    /** The same in so many slices. */
    public Task withSlices(int value) {
        return with(draft -> draft.slices = value);
    }

    /** The same with every other slice of a ring the other way. */
    public Task withBothWays() {
        return with(draft -> draft.bothWays = true);
    }

    /** The same over so many streams of a pair and direction. */
    public Task withStreams(int value) {
        return with(draft -> draft.streams = value);
    }

    /** The same with so many steps of an all-to-all at once. */
    public Task withWindow(int value) {
        return with(draft -> draft.window = value);
    }

    /** The same with another root. */
    public Task withRoot(int value) {
        return with(draft -> draft.root = value);
    }

    /** The same with groups of so many ranks. */
    public Task withGroupRanks(int value) {
        return with(draft -> draft.groupRanks = value);
    }

    /** The same with ranks that stand beside each other in another order. */
    public Task withOrder(List<Integer> value) {
        return with(draft -> draft.order = value);
    }

    /** The same with another seed. */
    public Task withSeed(long value) {
        return with(draft -> draft.seed = value);
    }

    /** The same with bytes that come otherwise. */
    public Task withTransfer(Transfer value) {
        return with(draft -> draft.transfer = value);
    }

    /** Elements of each rank. */
    public int elements() {
        return bytes / elementBytes;
    }

    /** Streams of a pair that programs of this task use at most. */
    public int lanes() {
        return bothWays ? 2 * streams : streams;
    }

    private static List<Integer> range(int ranks) {
        return IntStream.range(0, ranks).boxed().toList();
    }

    private static void within(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " = " + value + "; " + low + " to " + high + " is allowed");
        }
    }

    private Task with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new Task(
                what,
                how,
                ranks,
                bytes,
                draft.elementBytes,
                draft.slices,
                draft.bothWays,
                draft.streams,
                draft.window,
                draft.root,
                draft.groupRanks,
                draft.order,
                draft.seed,
                draft.transfer);
    }

    /** A task while one of its parts is changed. */
    private static final class Draft {
        private int elementBytes;
        private int slices;
        private boolean bothWays;
        private int streams;
        private int window;
        private int root;
        private int groupRanks;
        private List<Integer> order;
        private long seed;
        private Transfer transfer;

        Draft(Task from) {
            elementBytes = from.elementBytes;
            slices = from.slices;
            bothWays = from.bothWays;
            streams = from.streams;
            window = from.window;
            root = from.root;
            groupRanks = from.groupRanks;
            order = from.order;
            seed = from.seed;
            transfer = from.transfer;
        }
    }
}

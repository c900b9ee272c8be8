package io.metaroce.collective;

import java.util.Arrays;
import java.util.List;

/** Compiles tasks: who sends what to whom, and after what. Pure, so programs may be kept as long as one likes. */
public final class Schedules {
    private Schedules() {}

    /**
     * The programs of all ranks, by rank.
     *
     * @throws IllegalArgumentException when the algorithm does not do this, or not with so many ranks
     */
    public static List<Program> compile(Task task) {
        Draft draft = new Draft(task);
        switch (task.what()) {
            case ALL_REDUCE -> allReduce(draft);
            case REDUCE_SCATTER -> reduceScatter(draft);
            case ALL_GATHER -> allGather(draft);
            case BROADCAST -> broadcast(draft);
            case ALL_TO_ALL -> allToAll(draft);
            case BARRIER -> barrier(draft);
        }
        return draft.programs();
    }

    private static void allReduce(Draft draft) {
        switch (draft.task().how()) {
            case RING -> {
                Ring ring = Ring.ofAll(draft);
                ring.reduceScatter();
                ring.allGather();
            }
            case HALVING_DOUBLING -> HalvingDoubling.allReduce(draft);
            case HIERARCHICAL -> Hierarchy.allReduce(draft);
            default -> throw refused(draft.task());
        }
    }

    private static void reduceScatter(Draft draft) {
        switch (draft.task().how()) {
            case RING -> Ring.ofAll(draft).reduceScatter();
            case HALVING_DOUBLING -> HalvingDoubling.reduceScatter(draft);
            default -> throw refused(draft.task());
        }
    }

    private static void allGather(Draft draft) {
        switch (draft.task().how()) {
            case RING -> Ring.ofAll(draft).allGather();
            case HALVING_DOUBLING -> HalvingDoubling.allGather(draft);
            default -> throw refused(draft.task());
        }
    }

    private static void broadcast(Draft draft) {
        switch (draft.task().how()) {
            case RING -> Broadcast.ring(draft);
            case TREE -> Broadcast.tree(draft);
            default -> throw refused(draft.task());
        }
    }

    private static void allToAll(Draft draft) {
        switch (draft.task().how()) {
            case SHIFT, XOR, AT_ONCE -> AllToAll.direct(draft);
            case BRUCK -> Bruck.allToAll(draft);
            default -> throw refused(draft.task());
        }
    }

    private static void barrier(Draft draft) {
        if (draft.task().how() != Algorithm.DISSEMINATION) {
            throw refused(draft.task());
        }
        List<Integer> order = draft.task().order();
        int ranks = order.size();
        int[] heard = new int[ranks];
        Arrays.fill(heard, Program.NONE);
        for (int ahead = 1; ahead < ranks; ahead *= 2) {
            int[] next = new int[ranks];
            for (int p = 0; p < ranks; p++) {
                int to = (p + ahead) % ranks;
                Draft.Message message = draft.move(order.get(p), order.get(to), 0, Range.EMPTY, Range.EMPTY, ahead);
                draft.after(order.get(p), message.sent(), heard[p]);
                next[to] = draft.join(order.get(to));
                draft.after(order.get(to), next[to], message.arrived());
                draft.after(order.get(to), next[to], heard[to]);
            }
            heard = next;
        }
    }

    /** Whether a number is a power of two. */
    static boolean isPowerOfTwo(int number) {
        return Integer.bitCount(number) == 1;
    }

    static IllegalArgumentException refused(Task task) {
        return new IllegalArgumentException(task.what() + " is not done by " + task.how() + " with " + task.ranks()
                + " ranks; choose another algorithm");
    }
}

package io.metaroce.collective;

import io.metaroce.num.SplitMix64;

/** Every block goes straight to where it belongs. */
final class AllToAll {
    private AllToAll() {}

    static void direct(Draft draft) {
        Task task = draft.task();
        if (task.how() == Algorithm.XOR && !Schedules.isPowerOfTwo(task.ranks())) {
            throw Schedules.refused(task);
        }
        for (int place = 0; place < task.ranks(); place++) {
            keepsOwn(draft, task.order().get(place));
            sends(draft, place);
        }
    }

    /** The range of the data that goes to a rank. */
    static Range blockFor(Task task, int rank) {
        Blocks blocks = equalBlocks(task);
        return Range.data(blocks.at(rank, 0), blocks.bytes(rank, 0));
    }

    /** The range of the result that comes from a rank. */
    static Range blockFrom(Task task, int rank) {
        Blocks blocks = equalBlocks(task);
        return Range.result(blocks.at(rank, 0), blocks.bytes(rank, 0));
    }

    private static Blocks equalBlocks(Task task) {
        if (task.elements() % task.ranks() != 0) {
            throw new IllegalArgumentException(
                    task.elements() + " elements do not make " + task.ranks() + " equal blocks; take a multiple");
        }
        return Blocks.of(task, task.ranks(), 1);
    }

    private static void keepsOwn(Draft draft, int rank) {
        Task task = draft.task();
        if (blockFor(task, rank).bytes() > 0) {
            int unused = draft.local(rank, Op.COPY, blockFor(task, rank), blockFrom(task, rank), 0);
        }
    }

    private static void sends(Draft draft, int place) {
        Task task = draft.task();
        int steps = task.ranks() - 1;
        int window = task.how() == Algorithm.AT_ONCE ? steps : task.window();
        int turn = task.how() == Algorithm.AT_ONCE && steps > 0
                ? new SplitMix64(task.seed()).split("collective.turn", place).nextInt(steps)
                : 0;
        int rank = task.order().get(place);
        int[] left = new int[steps];
        for (int i = 0; i < steps; i++) {
            int step = 1 + (i + turn) % steps;
            int to = task.order().get(task.how() == Algorithm.XOR ? place ^ step : (place + step) % task.ranks());
            Range from = blockFor(task, to);
            if (from.bytes() > 0) {
                Draft.Message message = draft.move(rank, to, 0, from, blockFrom(task, rank), i);
                left[i] = message.left();
                draft.after(rank, message.sent(), i < window ? Program.NONE : left[i - window]);
            }
        }
    }
}

package io.metaroce.collective;

import java.util.Arrays;

/** From the root to all, slice by slice. */
final class Broadcast {
    private Broadcast() {}

    /** Along the ring: bytes leave each rank once, and slices follow each other. */
    static void ring(Draft draft) {
        int n = draft.task().ranks();
        for (int slice = 0; slice < draft.task().slices(); slice++) {
            int[] heard = none(n);
            for (int p = 0; p < n - 1; p++) {
                pass(draft, slice, p, p + 1, p, heard);
            }
        }
    }

    /** In round k whoever has it tells the one 2^k places ahead: few rounds, for short data. */
    static void tree(Draft draft) {
        int n = draft.task().ranks();
        for (int slice = 0; slice < draft.task().slices(); slice++) {
            int[] heard = none(n);
            for (int ahead = 1; ahead < n; ahead *= 2) {
                for (int p = 0; p < Math.min(ahead, n - ahead); p++) {
                    pass(draft, slice, p, p + ahead, ahead, heard);
                }
            }
        }
    }

    private static int[] none(int ranks) {
        int[] nodes = new int[ranks];
        Arrays.fill(nodes, Program.NONE);
        return nodes;
    }

    /** Places are counted from the root. */
    private static void pass(Draft draft, int slice, int from, int to, int priority, int[] heard) {
        Task task = draft.task();
        Blocks blocks = Blocks.of(task, 1, task.slices());
        Range range = Range.data(blocks.at(0, slice), blocks.bytes(0, slice));
        if (range.bytes() > 0) {
            int lane = slice % task.streams();
            Draft.Message message = draft.move(rankAt(task, from), rankAt(task, to), lane, range, range, priority);
            draft.after(rankAt(task, from), message.sent(), heard[from]);
            heard[to] = message.arrived();
        }
    }

    private static int rankAt(Task task, int place) {
        return task.order().get((task.order().indexOf(task.root()) + place) % task.ranks());
    }
}

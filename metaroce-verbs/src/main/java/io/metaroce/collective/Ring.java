package io.metaroce.collective;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The two halves of a ring. In step t of the first, member p passes on what it has of block p - t - 1, and the next
 * adds its own: at the end member p holds the sum of block p. In the second, complete blocks go round.
 *
 * <p>Slice s of a step waits for slice s of the step before, and for nothing else, so steps overlap. Operands: block b
 * is summed up from member b + 1 on around the ring to member b, what arrives being the left operand; slices that run
 * the other way from member b - 1 on.
 */
final class Ring {
    private final Draft draft;
    private final List<Integer> members;
    private final List<Integer> places; // which block in memory is the p-th here
    private final Blocks blocks;
    private final int scratch; // what arrives goes to the same place of the scratch, counted from here
    private final int priority;
    private final int[][] last; // [member][block * slices + slice]: after which node its data may be used

    private Ring(Draft draft, List<Integer> members, List<Integer> places, Blocks blocks, int scratch, int priority) {
        this.draft = draft;
        this.members = members;
        this.places = places;
        this.blocks = blocks;
        this.scratch = scratch;
        this.priority = priority;
        last = new int[members.size()][blocks.blocks() * blocks.slices()];
        for (int[] row : last) {
            Arrays.fill(row, Program.NONE);
        }
    }

    /** All ranks, all data. */
    static Ring ofAll(Draft draft) {
        Task task = draft.task();
        return new Ring(draft, task.order(), task.order(), Blocks.of(task, task.ranks(), task.slices()), 0, 0);
    }

    /** Some members, whose block p is the p-th. */
    static Ring of(Draft draft, List<Integer> members, Blocks blocks, int scratch, int priority) {
        List<Integer> places = IntStream.range(0, members.size()).boxed().toList();
        return new Ring(draft, members, places, blocks, scratch, priority);
    }

    /** After which node a member's slice may be used. */
    int last(int member, int block, int slice) {
        return last[member][block * blocks.slices() + slice];
    }

    void last(int member, int block, int slice, int node) {
        last[member][block * blocks.slices() + slice] = node;
    }

    void reduceScatter() {
        eachStep((step, slice, from, to, way) -> {
            int block = Math.floorMod(from - way * (step + 1), members.size());
            int bytes = blocks.bytes(places.get(block), slice);
            int at = blocks.at(places.get(block), slice);
            if (bytes > 0) {
                Range own = Range.data(at, bytes);
                Range side = Range.scratch(scratch + at, bytes);
                Draft.Message message =
                        draft.move(members.get(from), members.get(to), lane(slice), own, side, priority + step);
                draft.after(members.get(from), message.sent(), last(from, block, slice));
                int sum = draft.local(members.get(to), Op.REDUCE, side, own, priority + step);
                draft.after(members.get(to), sum, message.arrived());
                draft.after(members.get(to), sum, last(to, block, slice));
                last(to, block, slice, sum);
            }
        });
    }

    void allGather() {
        eachStep((step, slice, from, to, way) -> {
            int block = Math.floorMod(from - way * step, members.size());
            int bytes = blocks.bytes(places.get(block), slice);
            if (bytes > 0) {
                Range range = Range.data(blocks.at(places.get(block), slice), bytes);
                int late = priority + members.size() + step;
                Draft.Message message = draft.move(members.get(from), members.get(to), lane(slice), range, range, late);
                draft.after(members.get(from), message.sent(), last(from, block, slice));
                last(to, block, slice, message.arrived());
            }
        });
    }

    private int lane(int slice) {
        Task task = draft.task();
        return task.bothWays() ? (slice % 2) * task.streams() + slice / 2 % task.streams() : slice % task.streams();
    }

    private void eachStep(Step what) {
        int n = members.size();
        for (int step = 0; step < n - 1; step++) {
            for (int slice = 0; slice < blocks.slices(); slice++) {
                int way = draft.task().bothWays() && slice % 2 == 1 ? -1 : 1;
                for (int from = 0; from < n; from++) {
                    what.passes(step, slice, from, Math.floorMod(from + way, n), way);
                }
            }
        }
    }

    /** What one member passes on to another in one step. */
    private interface Step {
        void passes(int step, int slice, int from, int to, int way);
    }
}

package io.metaroce.collective;

import java.util.ArrayList;
import java.util.List;

/**
 * All-reduce of groups that are near within and far from each other: a ring within each group leaves member i with the
 * group's sum of block i; a ring of the members i of all groups sums those up; a ring within gathers all blocks.
 */
final class Hierarchy {
    private Hierarchy() {}

    static void allReduce(Draft draft) {
        Task task = draft.task();
        int size = task.groupRanks();
        int groups = task.ranks() / size;
        if (groups * size != task.ranks()) {
            throw Schedules.refused(task);
        }
        Blocks blocks = Blocks.of(task, size, task.slices());
        List<Ring> near = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            Ring ring = Ring.of(draft, task.order().subList(g * size, (g + 1) * size), blocks, 0, 0);
            ring.reduceScatter();
            near.add(ring);
        }
        for (int i = 0; i < size; i++) {
            for (int slice = 0; slice < task.slices(); slice++) {
                far(draft, near, blocks, i, slice);
            }
        }
        near.forEach(Ring::allGather);
    }

    /** Sums up one slice of the block of all members i. */
    private static void far(Draft draft, List<Ring> near, Blocks blocks, int i, int slice) {
        Task task = draft.task();
        int groups = near.size();
        List<Integer> members = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            members.add(task.order().get(g * task.groupRanks() + i));
        }
        // Another group may be ahead while the ring within still uses the first half of the scratch.
        Ring ring = Ring.of(draft, members, blocks.cut(i, slice, groups), task.bytes(), task.groupRanks());
        for (int g = 0; g < groups; g++) {
            for (int part = 0; part < groups; part++) {
                ring.last(g, part, 0, near.get(g).last(i, i, slice));
            }
        }
        ring.reduceScatter();
        ring.allGather();
        for (int g = 0; g < groups; g++) {
            int all = draft.join(members.get(g));
            for (int part = 0; part < groups; part++) {
                draft.after(members.get(g), all, ring.last(g, part, 0));
            }
            near.get(g).last(i, i, slice, all);
        }
    }
}

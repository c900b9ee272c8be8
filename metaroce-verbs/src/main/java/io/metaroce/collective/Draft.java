package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The programs of all ranks while they are made. */
final class Draft {
    private final Task task;
    private final List<RankDraft> ranks = new ArrayList<>();
    private final int[] ready; // [from * ranks + to]: the node of from that hears that to has begun

    /** A message: the node that sends it and the node of the other rank that hears of it. */
    record Message(int sent, int arrived) {}

    Draft(Task task) {
        this.task = task;
        ready = new int[task.ranks() * task.ranks()];
        Arrays.fill(ready, Program.NONE);
        for (int i = 0; i < task.ranks(); i++) {
            ranks.add(new RankDraft());
        }
    }

    Task task() {
        return task;
    }

    /** A node that joins others. */
    int join(int rank) {
        RankDraft own = ranks.get(rank);
        return own.add(Op.NOP, Program.NONE, 0, Range.EMPTY, Range.EMPTY, 0);
    }

    /** A range that is copied or reduced into another of the same rank; {@code priority} as in programs. */
    int local(int rank, Op op, Range source, Range target, int priority) {
        return ranks.get(rank).add(op, Program.NONE, 0, source, target, priority);
    }

    /** A message of one rank to another. What has bytes waits until the other has begun. */
    Message write(int from, int to, int lane, Range source, Range target, int priority) {
        int begun = source.bytes() == 0 ? Program.NONE : hearsBegin(from, to);
        int sent = ranks.get(from).add(Op.WRITE_IMM, to, lane, source, target, priority);
        int arrived = ranks.get(to).add(Op.RECV, from, lane, Range.EMPTY, target, priority);
        ranks.get(from).immediate(sent, arrived);
        ranks.get(to).reaches(target);
        after(from, sent, begun);
        return new Message(sent, arrived);
    }

    /** Lets a node wait for another of the same rank; for none if that is {@link Program#NONE}. */
    void after(int rank, int node, int before) {
        if (before != Program.NONE) {
            ranks.get(rank).edge(before, node);
        }
    }

    private int hearsBegin(int from, int to) {
        int at = from * task.ranks() + to;
        if (ready[at] == Program.NONE) {
            int sent = ranks.get(to).add(Op.WRITE_IMM, from, 0, Range.EMPTY, Range.EMPTY, Integer.MIN_VALUE);
            ready[at] = ranks.get(from).add(Op.RECV, to, 0, Range.EMPTY, Range.EMPTY, Integer.MIN_VALUE);
            ranks.get(to).immediate(sent, ready[at]);
        }
        return ready[at];
    }

    List<Program> programs() {
        List<Program> all = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            all.add(ranks.get(rank).program(task, rank));
        }
        return List.copyOf(all);
    }
}

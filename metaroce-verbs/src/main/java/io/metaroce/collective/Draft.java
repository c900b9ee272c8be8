package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The programs of all ranks while they are made. */
final class Draft {
    private final Task task;
    private final List<RankDraft> ranks = new ArrayList<>();
    private final int[] ready; // [from * ranks + to]: the node of from that hears that to has begun

    /**
     * A range on its way to another rank.
     *
     * @param sent the node of its owner that begins it: what this waits for, it waits for
     * @param arrived the node of the other rank with whose end it is there
     * @param left the node of its owner with whose end the range may change again
     */
    record Message(int sent, int arrived, int left) {}

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

    /** A range of one rank goes to another as the task says. What has bytes waits until the other has begun. */
    Message move(int from, int to, int lane, Range source, Range target, int priority) {
        if (source.bytes() == 0) {
            return write(from, to, lane, source, target, priority);
        }
        int begun = hearsBegin(from, to);
        Message made = switch (task.transfer()) {
            case WRITE -> write(from, to, lane, source, target, priority);
            case SEND -> message(Op.SEND, Op.RECV_INTO, from, to, lane, source, target, priority);
            case READ -> read(from, to, lane, source, target, priority);
        };
        after(from, made.sent(), begun);
        return made;
    }

    private Message write(int from, int to, int lane, Range source, Range target, int priority) {
        return message(Op.WRITE_IMM, Op.RECV, from, to, lane, source, target, priority);
    }

    private Message message(Op sends, Op hears, int from, int to, int lane, Range source, Range target, int priority) {
        int sent = ranks.get(from).add(sends, to, lane, source, target, priority);
        int arrived = ranks.get(to).add(hears, from, lane, Range.EMPTY, target, priority);
        ranks.get(from).immediate(sent, arrived);
        ranks.get(to).reaches(target);
        return new Message(sent, arrived, sent);
    }

    /** Its owner says that it is ready, the other reads it, and says that it has: until then the owner is not done. */
    private Message read(int from, int to, int lane, Range source, Range target, int priority) {
        Message ready = write(from, to, lane, Range.EMPTY, Range.EMPTY, priority);
        int read = ranks.get(to).add(Op.READ, from, lane, source, target, priority);
        ranks.get(from).reaches(source);
        after(to, read, ready.arrived());
        Message has = write(to, from, lane, Range.EMPTY, Range.EMPTY, priority);
        after(to, has.sent(), read);
        return new Message(ready.sent(), read, has.arrived());
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

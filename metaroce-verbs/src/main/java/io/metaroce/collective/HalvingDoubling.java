package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Exchanges at distances n/2, n/4, …, 1, each time of half of what was kept, and back. Block p of n ends with member p.
 * Operands: what arrives is the left one. Ranks beyond the largest power of two give their data to a member first and
 * get the sum from it at the end.
 *
 * <p>Slices are parts of the vector that go through all of it independently; they exist for the whole all-reduce only,
 * because a slice of each block lies in many pieces.
 */
final class HalvingDoubling {
    private final Draft draft;
    private final List<Integer> members;
    private final Blocks blocks;
    private final int scratch;
    private final int lane;
    private final int[] last; // of each member: after which node what it keeps may be used
    private int priority;

    private HalvingDoubling(Draft draft, List<Integer> members, Blocks blocks, int scratch, int lane) {
        this.draft = draft;
        this.members = members;
        this.blocks = blocks;
        this.scratch = scratch;
        this.lane = lane;
        last = new int[members.size()];
        Arrays.fill(last, Program.NONE);
    }

    static void allReduce(Draft draft) {
        Task task = draft.task();
        int n = Integer.highestOneBit(task.ranks());
        List<Integer> extra = task.order().subList(n, task.ranks());
        Blocks layers = Blocks.of(task, 1, task.slices());
        int longest = Blocks.of(task, task.slices(), 1).longest();
        int halves = n * new Blocks(0, longest / task.elementBytes(), task.elementBytes(), n, 1).longest();
        int folded = extra.isEmpty() ? 0 : longest;
        for (int layer = 0; layer < task.slices(); layer++) {
            HalvingDoubling one = new HalvingDoubling(
                    draft,
                    task.order().subList(0, n),
                    layers.cut(0, layer, n),
                    layer * (folded + halves),
                    layer % task.streams());
            one.fold(extra);
            one.halve(one.scratch + folded);
            one.doubleUp();
            one.unfold(extra);
        }
    }

    static void reduceScatter(Draft draft) {
        all(draft).halve(0);
    }

    static void allGather(Draft draft) {
        all(draft).doubleUp();
    }

    /** All ranks in the order of their numbers, for block r must end with rank r. */
    private static HalvingDoubling all(Draft draft) {
        Task task = draft.task();
        if (!Schedules.isPowerOfTwo(task.ranks()) || task.slices() != 1) {
            throw Schedules.refused(task);
        }
        List<Integer> members = new ArrayList<>(task.order());
        members.sort(null);
        return new HalvingDoubling(draft, members, Blocks.of(task, task.ranks(), 1), 0, 0);
    }

    private Range whole() {
        return between(0, members.size());
    }

    private Range between(int fromBlock, int toBlock) {
        int at = blocks.at(fromBlock, 0);
        return Range.data(at, blocks.at(toBlock, 0) - at);
    }

    private void fold(List<Integer> extra) {
        for (int i = 0; i < extra.size(); i++) {
            sendAndAdd(extra.get(i), Program.NONE, i, whole(), scratch);
        }
        priority++;
    }

    private void unfold(List<Integer> extra) {
        for (int i = 0; i < extra.size(); i++) {
            if (whole().bytes() > 0) {
                Draft.Message message = draft.move(members.get(i), extra.get(i), lane, whole(), whole(), priority);
                draft.after(members.get(i), message.sent(), last[i]);
            }
        }
    }

    /** Each step receives into room of its own, from {@code room} on: a partner may be a step ahead. */
    private void halve(int room) {
        int side = room;
        int[] keeps = new int[members.size()]; // first block that a member keeps
        for (int distance = members.size() / 2; distance > 0; distance /= 2) {
            int[] before = last.clone();
            for (int p = 0; p < members.size(); p++) {
                int partner = p ^ distance;
                int from = keeps[p] + ((p & distance) == 0 ? distance : 0);
                sendAndAdd(members.get(p), before[p], partner, between(from, from + distance), side);
            }
            for (int p = 0; p < members.size(); p++) {
                keeps[p] += p & distance;
            }
            side += distance * blocks.longest();
            priority++;
        }
    }

    private void doubleUp() {
        for (int distance = 1; distance < members.size(); distance *= 2) {
            int[] before = last.clone();
            for (int p = 0; p < members.size(); p++) {
                int first = p / distance * distance;
                Range range = between(first, first + distance);
                int partner = p ^ distance;
                if (range.bytes() > 0) {
                    Draft.Message message =
                            draft.move(members.get(p), members.get(partner), lane, range, range, priority);
                    draft.after(members.get(p), message.sent(), before[p]);
                    int both = draft.join(members.get(partner));
                    draft.after(members.get(partner), both, message.arrived());
                    draft.after(members.get(partner), both, last[partner]);
                    last[partner] = both;
                }
            }
            priority++;
        }
    }

    /** A member gets a range of another rank and adds it to its own. */
    private void sendAndAdd(int fromRank, int after, int toMember, Range range, int side) {
        if (range.bytes() == 0) {
            return;
        }
        int to = members.get(toMember);
        Range arrives = Range.scratch(side, range.bytes());
        Draft.Message message = draft.move(fromRank, to, lane, range, arrives, priority);
        draft.after(fromRank, message.sent(), after);
        int sum = draft.local(to, Op.REDUCE, arrives, range, priority);
        draft.after(to, sum, message.arrived());
        draft.after(to, sum, last[toMember]);
        last[toMember] = sum;
    }
}

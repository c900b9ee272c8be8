package io.metaroce.collective;

import java.util.ArrayList;
import java.util.List;

/**
 * All to all in log2 n rounds, for blocks so short that messages cost more than bytes. A rank holds its blocks turned,
 * so that block i is for the rank i places ahead; in round k all blocks whose number has bit k go 2^k places ahead
 * together. Then each stands where its sender is i places behind.
 */
final class Bruck {
    private final Draft draft;
    private final Task task;
    private final int n;
    private final int block;
    private final int[][] last; // [place][i]: after which node block i may be used

    private Bruck(Draft draft) {
        this.draft = draft;
        task = draft.task();
        n = task.ranks();
        block = AllToAll.blockFor(task, 0).bytes();
        last = new int[n][n];
    }

    static void allToAll(Draft draft) {
        Bruck bruck = new Bruck(draft);
        if (bruck.block > 0) {
            bruck.turn();
            int room = bruck.n;
            for (int ahead = 1; ahead < bruck.n; ahead *= 2) {
                room = bruck.round(ahead, room);
            }
            bruck.turnBack();
        }
    }

    /** Block i of the scratch becomes what is for the rank i places ahead. */
    private void turn() {
        for (int place = 0; place < n; place++) {
            for (int i = 0; i < n; i++) {
                Range from = AllToAll.blockFor(task, rankAt(place + i));
                last[place][i] = draft.local(rankAt(place), Op.COPY, from, slot(i), 0);
            }
        }
    }

    /** One round; blocks of the scratch from {@code room} on are free. Returns from where on they are afterwards. */
    private int round(int ahead, int room) {
        List<Integer> moved = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            if ((i & ahead) != 0) {
                moved.add(i);
            }
        }
        int arrivals = room + moved.size();
        int[] heard = new int[n];
        int[][] packed = new int[n][];
        for (int place = 0; place < n; place++) {
            packed[place] = pack(place, moved, room, ahead);
            Range from = Range.scratch(room * block, moved.size() * block);
            Range to = Range.scratch(arrivals * block, moved.size() * block);
            Draft.Message message = draft.move(rankAt(place), rankAt(place + ahead), 0, from, to, ahead);
            for (int node : packed[place]) {
                draft.after(rankAt(place), message.sent(), node);
            }
            heard[(place + ahead) % n] = message.arrived();
        }
        for (int place = 0; place < n; place++) {
            unpack(place, moved, arrivals, ahead, heard[place], packed[place]);
        }
        return arrivals + moved.size();
    }

    private int[] pack(int place, List<Integer> moved, int room, int priority) {
        int[] nodes = new int[moved.size()];
        for (int j = 0; j < nodes.length; j++) {
            nodes[j] = draft.local(rankAt(place), Op.COPY, slot(moved.get(j)), slot(room + j), priority);
            draft.after(rankAt(place), nodes[j], last[place][moved.get(j)]);
        }
        return nodes;
    }

    private void unpack(int place, List<Integer> moved, int arrivals, int priority, int heard, int[] packed) {
        for (int j = 0; j < moved.size(); j++) {
            int node = draft.local(rankAt(place), Op.COPY, slot(arrivals + j), slot(moved.get(j)), priority);
            draft.after(rankAt(place), node, heard);
            draft.after(rankAt(place), node, packed[j]);
            last[place][moved.get(j)] = node;
        }
    }

    /** What now stands in block i came from the rank i places behind. */
    private void turnBack() {
        for (int place = 0; place < n; place++) {
            for (int i = 0; i < n; i++) {
                Range to = AllToAll.blockFrom(task, rankAt(place - i));
                int node = draft.local(rankAt(place), Op.COPY, slot(i), to, n);
                draft.after(rankAt(place), node, last[place][i]);
            }
        }
    }

    private int rankAt(int place) {
        return task.order().get(Math.floorMod(place, n));
    }

    private Range slot(int i) {
        return Range.scratch(i * block, block);
    }
}

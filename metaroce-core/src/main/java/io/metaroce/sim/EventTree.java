package io.metaroce.sim;

import java.util.Arrays;

/**
 * The earliest of many instants: a tournament with one entry per leaf.
 *
 * <p>A leaf is anything that can have a next event: a link (arrival of its first packet), a host (its next wake), the
 * fault plan. Each leaf has one key, the time of its next event, or {@link SimTime#NEVER}. Ties go to the lower leaf
 * number, so the order of events depends on nothing but the world itself. Nothing is allocated once the leaves exist.
 *
 * <p>Node 1 is the root, the children of node i are 2i and 2i+1, leaf k is node width+k. Every node holds key and
 * number of the earlier of its children. Giving a leaf another key plays its games again on the way up, and stops where
 * nothing changes: one comparison a level, against the neighbour, whereas a heap needs two and moves entries.
 */
public final class EventTree {
    private static final int FIRST_WIDTH = 16;

    private int width = FIRST_WIDTH;
    private long[] key = never(2 * FIRST_WIDTH);
    private int[] winner = new int[2 * FIRST_WIDTH];
    private int leaves;

    /** Adds a leaf whose next event never comes. Set-up only. */
    public int addLeaf() {
        if (leaves == width) {
            widen();
        }
        int leaf = leaves++;
        winner[width + leaf] = leaf;
        play(width + leaf);
        return leaf;
    }

    /** Number of leaves. */
    public int leaves() {
        return leaves;
    }

    /** The leaf with the earliest key, the lowest number among equals. There must be a leaf. */
    public int first() {
        return winner[1];
    }

    /** The earliest key. There must be a leaf. */
    public long firstKey() {
        return key[1];
    }

    /** The key of a leaf. */
    public long key(int leaf) {
        return key[width + leaf];
    }

    /** Gives a leaf another key. */
    public void set(int leaf, long timePs) {
        int node = width + leaf;
        if (key[node] != timePs) {
            key[node] = timePs;
            play(node);
        }
    }

    private void play(int from) {
        long[] keys = key;
        int[] winners = winner;
        int node = from;
        while (node > 1) {
            int better = betterOf(keys, node & ~1);
            long bestKey = keys[better];
            int best = winners[better];
            node >>>= 1;
            if (keys[node] == bestKey && winners[node] == best) {
                return;
            }
            keys[node] = bestKey;
            winners[node] = best;
        }
    }

    // The left one, which has the lower number, unless the right one is earlier. Without a branch, for nobody can
    // foresee how it would go: keys are never negative, so the sign of the difference says it.
    private static int betterOf(long[] keys, int left) {
        return left + (int) ((keys[left + 1] - keys[left]) >>> (Long.SIZE - 1));
    }

    private void widen() {
        long[] before = Arrays.copyOfRange(key, width, 2 * width);
        width *= 2;
        key = never(2 * width);
        winner = new int[2 * width];
        for (int leaf = 0; leaf < before.length; leaf++) {
            key[width + leaf] = before[leaf];
            winner[width + leaf] = leaf;
        }
        for (int node = width - 1; node > 0; node--) {
            int better = betterOf(key, 2 * node);
            key[node] = key[better];
            winner[node] = winner[better];
        }
    }

    private static long[] never(int length) {
        long[] keys = new long[length];
        Arrays.fill(keys, SimTime.NEVER);
        return keys;
    }
}

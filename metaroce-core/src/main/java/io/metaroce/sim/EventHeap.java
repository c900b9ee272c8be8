package io.metaroce.sim;

import java.util.Arrays;

/**
 * The earliest of many instants: a plain binary heap with one entry per leaf.
 *
 * <p>A leaf is anything that can have a next event: a link (arrival of its first packet), a host (its next wake), the
 * fault plan. Each leaf has one key, the time of its next event, or {@link SimTime#NEVER}. Ties go to the lower leaf
 * number, so the order of events depends on nothing but the world itself. Nothing is allocated once the leaves exist.
 */
public final class EventHeap {
    private static final int FIRST_CAPACITY = 16;

    private long[] key = new long[FIRST_CAPACITY];
    private int[] heap = new int[FIRST_CAPACITY]; // leaf numbers, heap order
    private int[] place = new int[FIRST_CAPACITY]; // where in the heap a leaf stands
    private int leaves;

    /** Adds a leaf whose next event never comes. Set-up only. */
    public int addLeaf() {
        int leaf = leaves++;
        if (leaf == key.length) {
            key = Arrays.copyOf(key, 2 * leaf);
            heap = Arrays.copyOf(heap, 2 * leaf);
            place = Arrays.copyOf(place, 2 * leaf);
        }
        key[leaf] = SimTime.NEVER;
        heap[leaf] = leaf;
        place[leaf] = leaf;
        siftUp(leaf);
        return leaf;
    }

    /** Number of leaves. */
    public int leaves() {
        return leaves;
    }

    /** The leaf with the earliest key, the lowest number among equals. There must be a leaf. */
    public int first() {
        return heap[0];
    }

    /** The earliest key. There must be a leaf. */
    public long firstKey() {
        return key[heap[0]];
    }

    /** The key of a leaf. */
    public long key(int leaf) {
        return key[leaf];
    }

    /** Gives a leaf another key. */
    public void set(int leaf, long timePs) {
        long before = key[leaf];
        if (timePs == before) {
            return;
        }
        key[leaf] = timePs;
        if (timePs < before) {
            siftUp(place[leaf]);
        } else {
            siftDown(place[leaf]);
        }
    }

    private void siftUp(int from) {
        int at = from;
        int leaf = heap[at];
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isEarlier(leaf, heap[parent])) {
                break;
            }
            put(at, heap[parent]);
            at = parent;
        }
        put(at, leaf);
    }

    private void siftDown(int from) {
        int at = from;
        int leaf = heap[at];
        while (true) {
            int child = 2 * at + 1;
            if (child >= leaves) {
                break;
            }
            if (child + 1 < leaves && isEarlier(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isEarlier(heap[child], leaf)) {
                break;
            }
            put(at, heap[child]);
            at = child;
        }
        put(at, leaf);
    }

    private boolean isEarlier(int a, int b) {
        return key[a] < key[b] || (key[a] == key[b] && a < b);
    }

    private void put(int at, int leaf) {
        heap[at] = leaf;
        place[leaf] = at;
    }
}

package io.metaroce.engine;

import io.metaroce.num.Deadline;
import java.util.Arrays;

/** Connections by the instant at which they want to be called; equal instants in order of their number. */
final class DeadlineHeap {
    static final int ABSENT = -1;

    private Peering[] heap = new Peering[16];
    private int size;

    /** Sets the instant of a connection, adding it or taking it out as needed. */
    void set(Peering peering, long atNs) {
        peering.deadlineNs = atNs;
        if (atNs == Deadline.NEVER) {
            remove(peering);
        } else if (peering.heapIndex == ABSENT) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, size * 2);
            }
            put(size, peering);
            size++;
            up(peering.heapIndex);
        } else {
            up(peering.heapIndex);
            down(peering.heapIndex);
        }
    }

    void remove(Peering peering) {
        int index = peering.heapIndex;
        if (index == ABSENT) {
            return;
        }
        size--;
        if (index != size) {
            Peering moved = heap[size];
            put(index, moved);
            up(index);
            down(moved.heapIndex);
        }
        peering.heapIndex = ABSENT;
    }

    long earliestNs() {
        return size == 0 ? Deadline.NEVER : heap[0].deadlineNs;
    }

    Peering first() {
        return heap[0];
    }

    private void up(int from) {
        int index = from;
        while (index > 0 && isBefore(heap[index], heap[(index - 1) / 2])) {
            swap(index, (index - 1) / 2);
            index = (index - 1) / 2;
        }
    }

    private void down(int from) {
        int index = from;
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                return;
            }
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], heap[index])) {
                return;
            }
            swap(index, child);
            index = child;
        }
    }

    private static boolean isBefore(Peering a, Peering b) {
        if (a.deadlineNs != b.deadlineNs) {
            return a.deadlineNs < b.deadlineNs;
        }
        return a.connection().localId() < b.connection().localId();
    }

    private void swap(int a, int b) {
        Peering was = heap[a];
        put(a, heap[b]);
        put(b, was);
    }

    private void put(int index, Peering peering) {
        heap[index] = peering;
        peering.heapIndex = index;
    }
}

package io.metaroce.collective;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ready nodes of a program: a binary heap, lowest priority first, then lowest number. */
final class NodeHeap {
    private final int[] nodes;
    private int size;
    private @Nullable Program program;

    NodeHeap(int capacity) {
        nodes = new int[capacity];
    }

    void clear(Program next) {
        size = 0;
        program = next;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int node) {
        int at = size++;
        while (at > 0 && isBefore(node, nodes[(at - 1) / 2])) {
            nodes[at] = nodes[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        nodes[at] = node;
    }

    int takeFirst() {
        int first = nodes[0];
        int node = nodes[--size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(nodes[child + 1], nodes[child])) {
                child++;
            }
            if (!isBefore(nodes[child], node)) {
                break;
            }
            nodes[at] = nodes[child];
            at = child;
        }
        nodes[at] = node;
        return first;
    }

    private boolean isBefore(int a, int b) {
        Program of = Objects.requireNonNull(program);
        int first = of.priority(a);
        int second = of.priority(b);
        return first != second ? first < second : a < b;
    }
}

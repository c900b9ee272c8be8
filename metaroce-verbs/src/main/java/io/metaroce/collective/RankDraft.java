package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The program of one rank while it is made. */
final class RankDraft {
    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> immediates = new ArrayList<>();
    private final int[] bufferBytes = new int[Buffer.values().length];
    private int[] edges = new int[64]; // pairs: before, after
    private int edgeInts;

    private record Node(Op op, int peer, int lane, Range source, Range target, int priority) {}

    int add(Op op, int peer, int lane, Range source, Range target, int priority) {
        if (nodes.size() == Program.NODES_MAX) {
            throw new IllegalArgumentException("more than " + Program.NODES_MAX + " nodes: take fewer slices");
        }
        nodes.add(new Node(op, peer, lane, source, target, priority));
        immediates.add(Program.NONE);
        if (op != Op.READ) {
            reaches(source);
        }
        if (!op.isMessage()) {
            reaches(target);
        }
        return nodes.size() - 1;
    }

    /** A buffer of this rank must be long enough for a range. */
    void reaches(Range range) {
        int at = range.buffer().index();
        bufferBytes[at] = Math.max(bufferBytes[at], range.end());
    }

    void immediate(int node, int value) {
        immediates.set(node, value);
    }

    void edge(int before, int after) {
        if (edgeInts == edges.length) {
            edges = Arrays.copyOf(edges, 2 * edgeInts);
        }
        edges[edgeInts++] = before;
        edges[edgeInts++] = after;
    }

    Program program(Task task, int rank) {
        int n = nodes.size();
        int[] dependencies = new int[n];
        int[] firstSuccessor = new int[n + 1];
        for (int i = 0; i < edgeInts; i += 2) {
            firstSuccessor[edges[i] + 1]++;
            dependencies[edges[i + 1]]++;
        }
        for (int i = 0; i < n; i++) {
            firstSuccessor[i + 1] += firstSuccessor[i];
        }
        int[] next = firstSuccessor.clone();
        int[] successors = new int[edgeInts / 2];
        for (int i = 0; i < edgeInts; i += 2) {
            successors[next[edges[i]]++] = edges[i + 1];
        }
        return new Program(task, rank, columns(dependencies, firstSuccessor, successors), bufferBytes.clone());
    }

    private Program.Columns columns(int[] dependencies, int[] firstSuccessor, int[] successors) {
        return new Program.Columns(
                nodes.stream().map(Node::op).toArray(Op[]::new),
                nodes.stream().mapToInt(Node::peer).toArray(),
                nodes.stream().mapToInt(Node::lane).toArray(),
                nodes.stream().map(node -> node.source().buffer()).toArray(Buffer[]::new),
                nodes.stream().mapToInt(node -> node.source().offset()).toArray(),
                nodes.stream().map(node -> node.target().buffer()).toArray(Buffer[]::new),
                nodes.stream().mapToInt(node -> node.target().offset()).toArray(),
                nodes.stream().mapToInt(node -> lengthOf(node)).toArray(),
                immediates.stream().mapToInt(Integer::intValue).toArray(),
                nodes.stream().mapToInt(Node::priority).toArray(),
                dependencies,
                firstSuccessor,
                successors);
    }

    private static int lengthOf(Node node) {
        return node.op().isArrival() ? node.target().bytes() : node.source().bytes();
    }
}

package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs programs on symbols: every cell of memory says from which place of the data it comes, and of which ranks. Adding
 * two cells needs the same place and no rank in both.
 */
final class Contributions {
    /** Ranks that fit into the bits of a cell. */
    static final int RANKS_MAX = 64;

    private final List<Program> programs;
    private final EventGraph graph;
    private final Task task;
    private final int cellBytes;
    private final int[][][] places; // [rank][buffer][cell]
    private final long[][][] ranks;
    private final List<String> faults = new ArrayList<>();

    Contributions(List<Program> programs, EventGraph graph) {
        this.programs = programs;
        this.graph = graph;
        task = programs.get(0).task();
        if (programs.size() > RANKS_MAX) {
            throw new IllegalArgumentException(
                    programs.size() + " ranks; at most " + RANKS_MAX + " can be checked, take fewer");
        }
        cellBytes = commonBytes();
        places = new int[programs.size()][Buffer.values().length][];
        ranks = new long[programs.size()][Buffer.values().length][];
        for (int rank = 0; rank < programs.size(); rank++) {
            for (Buffer buffer : Buffer.values()) {
                int bytes =
                        Math.max(programs.get(rank).bufferBytes(buffer), buffer == Buffer.SCRATCH ? 0 : task.bytes());
                places[rank][buffer.index()] = new int[bytes / cellBytes];
                ranks[rank][buffer.index()] = new long[bytes / cellBytes];
            }
            give(rank);
        }
    }

    List<String> faults() {
        for (int event : graph.order()) {
            int node = graph.nodeOf(event);
            if (node != Program.NONE) {
                step(graph.rankOf(event), node);
            }
        }
        for (int rank = 0; rank < programs.size(); rank++) {
            judge(rank);
        }
        return faults;
    }

    private int commonBytes() {
        int common = task.bytes();
        Blocks blocks = blocks();
        for (int block = 0; block < task.ranks(); block++) {
            common = gcd(common, blocks.at(block, 0));
        }
        for (Program program : programs) {
            for (int node = 0; node < program.nodes(); node++) {
                common = gcd(common, gcd(program.sourceOffset(node), program.targetOffset(node)));
                common = gcd(common, program.length(node));
            }
        }
        return Math.max(1, common);
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private Blocks blocks() {
        return Blocks.of(task, task.ranks(), 1);
    }

    /** The data that a rank brings along. */
    private void give(int rank) {
        int[] place = places[rank][Buffer.DATA.index()];
        Arrays.setAll(place, cell -> cell);
        int from = 0;
        int to = place.length;
        switch (task.what()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_TO_ALL -> {}
            case ALL_GATHER -> {
                from = blocks().at(rank, 0) / cellBytes;
                to = blocks().at(rank, 1) / cellBytes;
            }
            case BROADCAST -> to = rank == task.root() ? to : 0;
            case BARRIER -> to = 0;
        }
        Arrays.fill(ranks[rank][Buffer.DATA.index()], from, to, 1L << rank);
    }

    private void step(int rank, int node) {
        Program program = programs.get(rank);
        switch (program.op(node)) {
            case WRITE_IMM, SEND, NOP -> {}
            case RECV, RECV_INTO -> {
                int from = program.peer(node);
                move(from, graph.sender(rank, node), from, rank, false);
            }
            case READ -> move(rank, node, program.peer(node), rank, false);
            case COPY -> move(rank, node, rank, rank, false);
            case REDUCE -> move(rank, node, rank, rank, true);
        }
    }

    /** What a node of a rank does to a buffer of {@code at} with one of {@code whose}. */
    private void move(int rank, int node, int whose, int at, boolean adds) {
        Program program = programs.get(rank);
        int from = program.source(node).index();
        int to = program.target(node).index();
        int source = program.sourceOffset(node) / cellBytes;
        int target = program.targetOffset(node) / cellBytes;
        for (int i = 0; i < program.length(node) / cellBytes; i++) {
            int place = places[whose][from][source + i];
            long of = ranks[whose][from][source + i];
            long old = adds ? ranks[at][to][target + i] : 0;
            boolean fits = of != 0 && (!adds || (old != 0 && places[at][to][target + i] == place && (of & old) == 0));
            if (!fits) {
                faults.add("rank " + rank + ", node " + node + ", byte " + i * cellBytes + ": ranks "
                        + Long.toBinaryString(of) + " of place " + place + " and " + Long.toBinaryString(old));
                return;
            }
            places[at][to][target + i] = place;
            ranks[at][to][target + i] = of | old;
        }
    }

    private void judge(int rank) {
        long all = -1L >>> (RANKS_MAX - programs.size());
        Blocks blocks = blocks();
        switch (task.what()) {
            case ALL_REDUCE -> expect(rank, Buffer.DATA, 0, task.bytes(), 0, all);
            case REDUCE_SCATTER ->
                expect(rank, Buffer.DATA, blocks.at(rank, 0), blocks.bytes(rank, 0), blocks.at(rank, 0), all);
            case ALL_GATHER -> {
                for (int b = 0; b < task.ranks(); b++) {
                    expect(rank, Buffer.DATA, blocks.at(b, 0), blocks.bytes(b, 0), blocks.at(b, 0), 1L << b);
                }
            }
            case BROADCAST -> expect(rank, Buffer.DATA, 0, task.bytes(), 0, 1L << task.root());
            case ALL_TO_ALL -> {
                for (int b = 0; b < task.ranks(); b++) {
                    expect(rank, Buffer.RESULT, blocks.at(b, 0), blocks.bytes(b, 0), blocks.at(rank, 0), 1L << b);
                }
            }
            case BARRIER -> everybodyHasBegun(rank);
        }
    }

    private void expect(int rank, Buffer buffer, int offset, int bytes, int place, long of) {
        for (int i = 0; i < bytes / cellBytes; i++) {
            int at = offset / cellBytes + i;
            if (places[rank][buffer.index()][at] != place / cellBytes + i || ranks[rank][buffer.index()][at] != of) {
                faults.add("rank " + rank + ", " + buffer + " at byte " + at * cellBytes + " has ranks "
                        + Long.toBinaryString(ranks[rank][buffer.index()][at]) + " of place "
                        + places[rank][buffer.index()][at] * cellBytes);
                return;
            }
        }
    }

    private void everybodyHasBegun(int rank) {
        Program program = programs.get(rank);
        for (int other = 0; other < programs.size(); other++) {
            boolean hears = other == rank;
            for (int node = 0; node < program.nodes(); node++) {
                hears |= graph.hasBegun(other, graph.end(rank, node));
            }
            if (!hears) {
                faults.add("rank " + rank + " is done although rank " + other + " may not have begun");
            }
        }
    }
}

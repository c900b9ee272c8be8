package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Of two accesses to the same byte, one of which changes it, one always ends before the other begins. And nobody writes
 * to a rank, or reads from one, that has not begun; nor does it read when that may be done. A message reads and writes
 * from its sending to its arrival, a read from its beginning to its end.
 */
final class AccessLaw {
    private final List<Program> programs;
    private final EventGraph graph;
    private final List<String> faults = new ArrayList<>();

    private record Access(int rank, int node, int from, int to, boolean writes, int begins, int ends) {
        @Override
        public String toString() {
            return "rank " + rank + ", node " + node;
        }
    }

    AccessLaw(List<Program> programs, EventGraph graph) {
        this.programs = programs;
        this.graph = graph;
    }

    List<String> faults() {
        List<List<Access>> all = new ArrayList<>(); // [rank * buffers + buffer]
        for (int i = 0; i < programs.size() * Buffer.values().length; i++) {
            all.add(new ArrayList<>());
        }
        for (int rank = 0; rank < programs.size(); rank++) {
            for (int node = 0; node < programs.get(rank).nodes(); node++) {
                add(all, rank, node);
            }
        }
        all.forEach(this::check);
        return faults;
    }

    private void add(List<List<Access>> all, int rank, int node) {
        Program program = programs.get(rank);
        int bytes = program.length(node);
        Op op = program.op(node);
        if (bytes == 0 || op.isArrival() || op == Op.NOP) {
            return;
        }
        int begins = graph.start(rank, node);
        boolean isMessage = op.isMessage();
        int where = isMessage ? program.peer(node) : rank;
        int fromWhere = op == Op.READ ? program.peer(node) : rank;
        int ends = isMessage ? graph.start(where, program.immediate(node)) : graph.end(rank, node);
        int source = program.sourceOffset(node);
        int target = program.targetOffset(node);
        all.get(at(fromWhere, program.source(node)))
                .add(new Access(rank, node, source, source + bytes, false, begins, ends));
        all.get(at(where, program.target(node)))
                .add(new Access(rank, node, target, target + bytes, true, begins, ends));
        if (isMessage && !graph.hasBegun(where, begins)) {
            faults.add("rank " + rank + ", node " + node + " writes to rank " + where + ", which may not have begun");
        }
        if (op == Op.READ && !graph.hasBegun(fromWhere, begins)) {
            faults.add(
                    "rank " + rank + ", node " + node + " reads from rank " + fromWhere + ", which may not have begun");
        }
        if (op == Op.READ && !isHeardOf(fromWhere, ends)) {
            faults.add("rank " + rank + ", node " + node + " reads from rank " + fromWhere + ", which may be done");
        }
    }

    /** Whether a rank cannot be done before an event. */
    private boolean isHeardOf(int rank, int event) {
        for (int node = 0; node < programs.get(rank).nodes(); node++) {
            if (graph.isBefore(event, graph.start(rank, node))) {
                return true;
            }
        }
        return false;
    }

    private static int at(int rank, Buffer buffer) {
        return rank * Buffer.values().length + buffer.index();
    }

    private void check(List<Access> accesses) {
        accesses.sort(Comparator.comparingInt(Access::from));
        for (int i = 0; i < accesses.size(); i++) {
            Access first = accesses.get(i);
            for (int j = i + 1; j < accesses.size() && accesses.get(j).from() < first.to(); j++) {
                Access second = accesses.get(j);
                boolean isOwn = first.rank() == second.rank() && first.node() == second.node();
                if (!isOwn && (first.writes() || second.writes()) && !isOrdered(first, second)) {
                    faults.add(first + " and " + second + " touch the same bytes in any order");
                }
            }
        }
    }

    private boolean isOrdered(Access first, Access second) {
        return graph.isBefore(first.ends(), second.begins()) || graph.isBefore(second.ends(), first.begins());
    }
}

package io.metaroce.collective;

/** Programs from which an edge is missing. */
final class Mutant {
    private Mutant() {}

    static int edges(Program program) {
        int edges = 0;
        for (int node = 0; node < program.nodes(); node++) {
            edges += program.successors(node);
        }
        return edges;
    }

    /** The program without its n-th edge. */
    static Program without(Program program, int n) {
        RankDraft draft = new RankDraft();
        for (int node = 0; node < program.nodes(); node++) {
            int bytes = program.length(node);
            boolean reads = !program.op(node).isArrival();
            int copy = draft.add(
                    program.op(node),
                    program.peer(node),
                    program.lane(node),
                    reads ? new Range(program.source(node), program.sourceOffset(node), bytes) : Range.EMPTY,
                    new Range(program.target(node), program.targetOffset(node), bytes),
                    program.priority(node));
            draft.immediate(copy, program.immediate(node));
        }
        int at = 0;
        for (int node = 0; node < program.nodes(); node++) {
            for (int i = 0; i < program.successors(node); i++) {
                if (at++ != n) {
                    draft.edge(node, program.successor(node, i));
                }
            }
        }
        return draft.program(program.task(), program.rank());
    }
}

package io.metaroce.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What can be known of programs without running them: that they end, that every receive gets what it is for, that
 * nobody reads what may just be changed, and that every contribution arrives exactly once. For at most 64 ranks and
 * some ten thousand nodes.
 */
public final class ProgramCheck {
    private final List<Program> programs;
    private final EventGraph graph;
    private final List<String> faults;

    /**
     * Checks the programs of all ranks.
     *
     * @throws IllegalArgumentException when they are too many, or a message names no node that waits for it
     */
    public ProgramCheck(List<Program> programs) {
        this.programs = List.copyOf(programs);
        graph = new EventGraph(this.programs);
        List<String> found = new ArrayList<>();
        if (graph.isAcyclic()) {
            found.addAll(new TurnLaw(this.programs).faults());
            found.addAll(new AccessLaw(this.programs, graph).faults());
            found.addAll(new Contributions(this.programs, graph).faults());
        } else {
            found.add("some nodes wait for each other: " + (graph.events() - graph.order().length) + " never happen");
        }
        faults = List.copyOf(found);
    }

    /** What is wrong, in sentences; empty if nothing is. */
    public List<String> faults() {
        return faults;
    }

    /** Messages one after the other on the longest way through all ranks, the one that says "I have begun" included. */
    public int criticalPath() {
        return graph.longestChain();
    }

    /** Bytes that the busiest rank sends. */
    public long bytesSentMax() {
        long[] sent = new long[programs.size()];
        for (Program program : programs) {
            for (int node = 0; node < program.nodes(); node++) {
                if (program.op(node).isMessage()) {
                    sent[program.rank()] += program.length(node);
                } else if (program.op(node) == Op.READ) {
                    sent[program.peer(node)] += program.length(node);
                }
            }
        }
        return Arrays.stream(sent).max().orElse(0);
    }

    @Override
    public String toString() {
        return programs.get(0).task().what() + " by " + programs.get(0).task().how() + ": " + criticalPath()
                + " messages on the critical path, " + bytesSentMax() + " bytes sent at most, " + faults.size()
                + " faults";
    }
}

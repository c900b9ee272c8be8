package io.metaroce.sim.swarm;

import java.util.ArrayList;
import java.util.List;

/**
 * Depth-first search through what may become of the packets of a small world: each is delivered, or meets one of a list
 * of fates, and every combination of up to so many fates among so many packets is run. The tree is found by running it:
 * a packet can be chosen only in a run that sends it, and choices before it are those of that run, so no two runs are
 * the same and none is left out.
 */
final class FateExplorer {
    /** Lost; twice at once; a copy much later; overtaken by the next; very late, after it was given up. */
    static final List<String> FATES = List.of("drop", "twice", "twice after 30us", "late 1us", "late 30us");

    private final SwarmCase base;
    private final List<String> fates;
    private final int first;
    private final int last;
    private final int fatesMax;
    private final int runsMax;
    private final List<String> chosen = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long runs;
    private long traces;
    private boolean isCut;

    /**
     * A search.
     *
     * @param base the world, to whose faults the fates are added
     * @param fates what may become of a packet besides being delivered
     * @param first number of the first packet that may meet a fate, counted over both hosts from 1
     * @param last number of the last such packet
     * @param fatesMax packets that meet one in the same run
     * @param runsMax runs at most; {@link #isCut} says whether they were too few
     */
    FateExplorer(SwarmCase base, List<String> fates, int first, int last, int fatesMax, int runsMax) {
        this.base = base;
        this.fates = fates;
        this.first = first;
        this.last = last;
        this.fatesMax = fatesMax;
        this.runsMax = runsMax;
    }

    /** Runs all of it. */
    FateExplorer explore() {
        explore(first);
        return this;
    }

    /** Cases that failed, each with what was wrong. */
    List<String> wrong() {
        return wrong;
    }

    /** Interleavings run. */
    long runs() {
        return runs;
    }

    /** A fold over the traces of all of them. */
    long traces() {
        return traces;
    }

    /** Whether the search ended before its end. */
    boolean isCut() {
        return isCut;
    }

    private void explore(int next) {
        if (runs == runsMax) {
            isCut = true;
            return;
        }
        List<String> faults = new ArrayList<>(base.faults());
        faults.addAll(chosen);
        SwarmCase one = base.withFaults(faults);
        CaseRunner.Outcome outcome = CaseRunner.run(one);
        runs++;
        traces = 31 * traces + outcome.traceHash();
        if (!outcome.isRight()) {
            wrong.add(CaseText.line(one) + "\n" + outcome.fault());
        }
        // Numbers of packets before the one chosen last are as they were in the run that led here.
        long end = Math.min(last, outcome.packets());
        for (int number = next; number <= end && chosen.size() < fatesMax && !isCut; number++) {
            for (String fate : fates) {
                chosen.add("packet " + number + " " + fate);
                explore(number + 1);
                chosen.remove(chosen.size() - 1);
            }
        }
    }
}

package io.metaroce.tools.lab;

import io.metaroce.collective.Program;
import io.metaroce.collective.ProgramRunner;
import io.metaroce.collective.RankIo;
import io.metaroce.sim.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Ranks of a collective in one world, whatever transport they have: each goes on when something has happened to it. */
final class Ranks {
    private static final long LIMIT_NS = 10_000_000_000L;

    private final World world;
    private final List<ProgramRunner> runners = new ArrayList<>();
    private final ArrayDeque<Integer> woken = new ArrayDeque<>();
    private final boolean[] isWoken;
    private final boolean[] isDone;
    private int doneCount;

    Ranks(World world, int count) {
        this.world = world;
        isWoken = new boolean[count];
        isDone = new boolean[count];
    }

    /** Gives every rank its surroundings. */
    void add(int nodesMax, IntFunction<RankIo> io) {
        for (int rank = 0; rank < isWoken.length; rank++) {
            runners.add(new ProgramRunner(io.apply(rank), nodesMax, 2 * isWoken.length + 2));
        }
    }

    /** Something has happened to a rank. */
    void wake(int rank) {
        if (!isWoken[rank]) {
            isWoken[rank] = true;
            woken.addLast(rank);
        }
    }

    /** Lets all ranks begin now, and time pass until all are done. Returns how long that took, in ns. */
    double run(List<Program> programs) {
        long beganNs = world.nowNs();
        doneCount = 0;
        for (int rank = 0; rank < runners.size(); rank++) {
            isDone[rank] = false;
            runners.get(rank).begin(programs.get(rank));
            wake(rank);
        }
        if (!world.runUntil(this::turn, LIMIT_NS)) {
            throw new IllegalStateException(
                    doneCount + " of " + runners.size() + " ranks are done at " + world.nowNs() + " ns");
        }
        return world.nowNs() - beganNs;
    }

    private boolean turn() {
        while (!woken.isEmpty()) {
            int rank = woken.removeFirst();
            isWoken[rank] = false;
            if (runners.get(rank).turn() && !isDone[rank]) {
                isDone[rank] = true;
                doneCount++;
            }
        }
        return doneCount == runners.size();
    }
}

package io.metaroce.tools.lab;

import io.metaroce.collective.Program;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.World;
import java.util.ArrayDeque;

/** Reductions and copies of one rank that only take time, one after the other, as fast as memory is. */
final class PhantomCompute {
    private final World world;
    private final long bytesPerNs; // 0: they take no time
    private final Runnable wake;
    private final ArrayDeque<Integer> done = new ArrayDeque<>();
    private long freePs;

    PhantomCompute(World world, long bytesPerNs, Runnable wake) {
        this.world = world;
        this.bytesPerNs = bytesPerNs;
        this.wake = wake;
    }

    /** Begins a node; returns whether it is done at once. */
    boolean start(Program program, int node) {
        if (bytesPerNs == 0) {
            return true;
        }
        freePs = Math.max(freePs, world.nowPs()) + program.length(node) * SimTime.NS / bytesPerNs;
        world.at(freePs, () -> {
            done.addLast(node);
            wake.run();
        });
        return false;
    }

    boolean hasDone() {
        return !done.isEmpty();
    }

    int takeDone() {
        return done.removeFirst();
    }
}

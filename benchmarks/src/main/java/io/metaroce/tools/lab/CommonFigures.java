package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Figures that several experiments give, each computed in one way. */
final class CommonFigures {
    private CommonFigures() {}

    /** The payload rates of flows that took so long each for equal bytes, in bit/s. */
    static double[] goodputs(double bytesOfFlow, double[] tookNs) {
        return Arrays.stream(tookNs).map(ns -> bytesOfFlow * 8e9 / ns).toArray();
    }

    /** The mean and the least of these rates, and what all flows carried together until the last was done. */
    static void goodput(Map<String, Double> figures, double bytesOfFlow, double[] tookNs) {
        double[] goodputs = goodputs(bytesOfFlow, tookNs);
        double least = Double.MAX_VALUE;
        double lastNs = 0;
        for (int i = 0; i < tookNs.length; i++) {
            least = Math.min(least, goodputs[i]);
            lastNs = Math.max(lastNs, tookNs[i]);
        }
        figures.put("goodput_bps", sum(goodputs) / tookNs.length);
        figures.put("goodput_min_bps", least);
        figures.put("makespan_ns", lastNs);
        figures.put("aggregate_bps", tookNs.length * bytesOfFlow * 8e9 / lastNs);
    }

    /** The least possible time, and what was needed in parts of it; asked after the makespan is told. */
    static void slowdown(Map<String, Double> figures, double idealNs) {
        figures.put("ideal_ns", idealNs);
        figures.put("slowdown", Objects.requireNonNull(figures.get("makespan_ns"), "no makespan") / idealNs);
    }

    /** Jain's index of fairness: 1 when all shares are equal. */
    static double jain(double[] shares) {
        double sum = sum(shares);
        double squares = 0;
        for (double share : shares) {
            squares += share * share;
        }
        return sum * sum / (shares.length * squares);
    }

    /** Which parts of the slots were sent again, and sent again in vain. */
    static void paths(Map<String, Double> figures, Traffic traffic) {
        List<PathView> paths = traffic.paths();
        double slots = paths.stream().mapToLong(PathView::slots).sum();
        figures.put("resent", paths.stream().mapToLong(PathView::resentPackets).sum() / slots);
        figures.put("spurious", paths.stream().mapToLong(PathView::duplicates).sum() / slots);
    }

    /**
     * What is said of every run: simulated packets handed to NICs, and the lower 48 bits of the trace hash; equal runs
     * have equal ones.
     */
    static void world(Map<String, Double> figures, LabFabric fabric) {
        figures.put("packets", (double) fabric.world().conservation().sentPackets());
        figures.put("trace48", (double) (fabric.world().trace().value() >>> 16));
    }

    // One after the other, so that the last digit does not depend on how it is summed.
    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}

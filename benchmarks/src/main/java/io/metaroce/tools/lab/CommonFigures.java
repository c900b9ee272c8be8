package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Figures that several experiments give, each computed in one way. */
final class CommonFigures {
    private CommonFigures() {}

    /**
     * Of flows of so many bytes that took so long each: mean and least of their payload rates, how equal these are,
     * what all carried together until the last was done, and how long that was in parts of the least possible time.
     */
    static void streams(Map<String, Double> figures, double[] bytes, double[] tookNs, double idealNs) {
        double[] goodputs = new double[tookNs.length];
        for (int i = 0; i < goodputs.length; i++) {
            goodputs[i] = bytes[i] * 8e9 / tookNs[i];
        }
        double lastNs = Arrays.stream(tookNs).max().orElseThrow();
        figures.put("goodput_bps", sum(goodputs) / tookNs.length);
        figures.put("goodput_min_bps", Arrays.stream(goodputs).min().orElseThrow());
        figures.put("jain", jain(goodputs));
        figures.put("makespan_ns", lastNs);
        figures.put("aggregate_bps", sum(bytes) * 8e9 / lastNs);
        figures.put("ideal_ns", idealNs);
        figures.put("slowdown", lastNs / idealNs);
    }

    /** Of flows to the first place that took so long each: the last, by the bound and by the first, and the queue. */
    static void incast(Map<String, Double> figures, LabFabric fabric, double[] tookNs, double idealNs) {
        double last = Arrays.stream(tookNs).max().orElseThrow();
        figures.put("ideal_ns", idealNs);
        figures.put("makespan_ns", last);
        figures.put("tail", last / idealNs);
        figures.put("spread", last / Arrays.stream(tookNs).min().orElseThrow());
        figures.put("queue_max_bytes", fabric.linkTo(0).counters().waitMaxPs() / 1e12 * fabric.rate());
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

    /** For each slot: what was sent again, what was sent again in vain, probes, and reports that came back. */
    static void paths(Map<String, Double> figures, Traffic traffic) {
        List<PathView> paths = traffic.paths();
        double slots = paths.stream().mapToLong(PathView::slots).sum();
        figures.put("resent", paths.stream().mapToLong(PathView::resentPackets).sum() / slots);
        figures.put("spurious", paths.stream().mapToLong(PathView::duplicates).sum() / slots);
        figures.put("probes", paths.stream().mapToLong(PathView::probes).sum() / slots);
        double reports = traffic.flows().stream()
                .map(Flow::from)
                .distinct()
                .mapToLong(host -> host.counters().get(Counter.ACKS_RECEIVED))
                .sum();
        figures.put("reports", reports / slots);
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

package io.metaroce.tools.lab;

import java.util.Map;
import java.util.TreeMap;

/**
 * Flows of many messages between hosts of different leaves: a permutation of some hosts, or all to all. Goodput counts
 * payload from the first request posted to the last completion of each flow.
 */
final class StreamsExperiment implements Experiment {
    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        int bytes = knobs.number("message_bytes");
        long messages = knobs.get("messages");
        Traffic traffic = new Traffic(fabric, bytes, knobs.number("outstanding"));
        if (knobs.get("all_to_all", 0) > 0) {
            allToAll(fabric, traffic);
        } else {
            traffic.permute();
        }
        traffic.connect();
        long startNs = fabric.world().nowNs();
        traffic.write(messages, knobs.get("jitter_ns", 0));
        traffic.complete();
        return figures(fabric, traffic, startNs, (double) messages * bytes);
    }

    private static void allToAll(LabFabric fabric, Traffic traffic) {
        for (int k = 1; k < fabric.places(); k++) {
            for (int from = 0; from < fabric.places(); from++) {
                traffic.add(from, (from + k) % fabric.places());
            }
        }
    }

    private static Map<String, Double> figures(LabFabric fabric, Traffic traffic, long startNs, double bytesOfFlow) {
        Map<String, Double> figures = new TreeMap<>();
        double[] tookNs = traffic.flows().stream()
                .mapToDouble(flow -> flow.doneNs() - startNs)
                .toArray();
        CommonFigures.goodput(figures, bytesOfFlow, tookNs);
        figures.put("jain", CommonFigures.jain(CommonFigures.goodputs(bytesOfFlow, tookNs)));
        CommonFigures.paths(figures, traffic);
        CommonFigures.world(figures, fabric);
        return figures;
    }
}

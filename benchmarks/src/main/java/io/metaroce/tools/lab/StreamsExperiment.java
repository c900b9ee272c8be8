package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
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
            for (int[] pair : Placement.permutation(fabric, (int) knobs.get("pairs", fabric.places()))) {
                traffic.add(pair[0], pair[1]);
            }
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
        double sum = 0;
        double squares = 0;
        double least = Double.MAX_VALUE;
        double lastNs = 0;
        double slots = 0;
        double resent = 0;
        double spurious = 0;
        for (Flow flow : traffic.flows()) {
            double goodput = bytesOfFlow * 8e9 / (flow.doneNs() - startNs);
            sum += goodput;
            squares += goodput * goodput;
            least = Math.min(least, goodput);
            lastNs = Math.max(lastNs, (double) (flow.doneNs() - startNs));
            for (PathView path : flow.view().paths()) {
                slots += path.slots();
                resent += path.resentPackets();
                spurious += path.duplicates();
            }
        }
        int flows = traffic.flows().size();
        figures.put("goodput_bps", sum / flows);
        figures.put("goodput_min_bps", least);
        figures.put("makespan_ns", lastNs);
        figures.put("aggregate_bps", flows * bytesOfFlow * 8e9 / lastNs);
        figures.put("jain", sum * sum / (flows * squares));
        figures.put("resent", resent / slots);
        figures.put("spurious", spurious / slots);
        Experiment.common(figures, fabric);
        return figures;
    }
}

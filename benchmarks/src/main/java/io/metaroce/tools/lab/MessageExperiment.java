package io.metaroce.tools.lab;

import java.util.Map;
import java.util.TreeMap;

/** One message, or one each way, between hosts of different leaves: how far from the least time it could take. */
final class MessageExperiment implements Experiment {
    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        int bytes = knobs.number("message_bytes");
        Traffic traffic = new Traffic(fabric, bytes, 1);
        Flow there = traffic.add(0, fabric.places() - 1);
        if (knobs.isSet("both_ways")) {
            traffic.add(fabric.places() - 1, 0);
        }
        traffic.connect();
        long startNs = fabric.world().nowNs();
        traffic.write(1, 0);
        traffic.complete();
        double took = there.doneNs() - startNs;
        double ideal = traffic.load(1).idealAtSenderNs();
        Map<String, Double> figures = new TreeMap<>();
        figures.put("completion_ns", took);
        figures.put("ideal_ns", ideal);
        figures.put("slowdown", took / ideal);
        figures.put("late_packet_times", (took - ideal) * fabric.rate() / 1e9 / fabric.wire(LabFabric.PAYLOAD_BYTES));
        CommonFigures.world(figures, fabric);
        return figures;
    }
}

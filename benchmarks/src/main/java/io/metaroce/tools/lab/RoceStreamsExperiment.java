package io.metaroce.tools.lab;

import io.metaroce.sim.roce.RoceChannel;
import java.util.Map;
import java.util.TreeMap;

/** What {@link StreamsExperiment} does, over models of RoCEv2: the same pairs, bytes and fabric. */
final class RoceStreamsExperiment implements Experiment {
    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        RoceTraffic traffic = new RoceTraffic(fabric);
        for (int[] pair : Placement.pairs(fabric)) {
            traffic.add(pair[0], pair[1]);
        }
        long messages = knobs.get("messages");
        long bytes = knobs.get("message_bytes");
        traffic.write(messages, bytes, knobs.get("jitter_ns", 0));
        traffic.complete();
        Map<String, Double> figures = new TreeMap<>();
        double[] tookNs = traffic.tookNs();
        double bytesOfFlow = (double) messages * bytes;
        CommonFigures.goodput(figures, bytesOfFlow, tookNs);
        double flowsOfSender = traffic.channels().size()
                / (double) traffic.channels().stream()
                        .map(RoceChannel::from)
                        .distinct()
                        .count();
        CommonFigures.slowdown(figures, traffic.idealNs(flowsOfSender * messages, (double) bytes));
        figures.put("jain", CommonFigures.jain(CommonFigures.goodputs(bytesOfFlow, tookNs)));
        traffic.figures(figures);
        return figures;
    }
}

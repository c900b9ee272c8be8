package io.metaroce.tools.lab;

import java.util.Arrays;
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
        double idealNs = traffic.idealNs((double) Placement.flowsOfSender(fabric) * messages, (double) bytes);
        CommonFigures.streams(figures, of(tookNs.length, (double) messages * bytes), tookNs, idealNs);
        traffic.figures(figures);
        return figures;
    }

    private static double[] of(int count, double value) {
        double[] all = new double[count];
        Arrays.fill(all, value);
        return all;
    }
}

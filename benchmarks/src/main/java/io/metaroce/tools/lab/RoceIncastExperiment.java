package io.metaroce.tools.lab;

import io.metaroce.sim.roce.RoceChannel;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@link IncastExperiment} does, over models of RoCEv2: the same senders, bytes and fabric. Nobody is told a
 * share, so nothing is said about when shares are right.
 */
final class RoceIncastExperiment implements Experiment {
    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        RoceTraffic traffic = new RoceTraffic(fabric);
        int senders = knobs.number("senders");
        for (int i = 0; i < senders; i++) {
            traffic.add(IncastExperiment.sender(fabric, i), 0);
        }
        RoceVictims victims = new RoceVictims(fabric, traffic);
        Map<String, Double> figures = new TreeMap<>();
        victims.begin(figures);
        long bytes = knobs.get("message_bytes");
        double ideal = traffic.idealNs(senders, (double) bytes);
        traffic.write(1, bytes, knobs.get("jitter_ns", 0));
        traffic.run((long) (ideal / 2));
        figures.put(
                "jain",
                CommonFigures.jain(traffic.channels().stream()
                        .mapToDouble(RoceChannel::arrivedPackets)
                        .toArray()));
        victims.end(figures, ideal);
        traffic.complete();
        CommonFigures.incast(figures, fabric, traffic.tookNs(), ideal);
        traffic.figures(figures);
        return figures;
    }
}

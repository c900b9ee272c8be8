package io.metaroce.tools.lab;

import io.metaroce.trace.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Flows that an incast should not touch: as many as the knob {@code victims} says, from other leaves to neighbours of
 * the one whom all write to, one each. They have had time to fill their links when it begins.
 */
final class Victims {
    private static final int ROUND_TRIPS_BEFORE = 20; // of which the second half is looked at

    private final LabFabric fabric;
    private final Traffic traffic;
    private final List<Flow> flows = new ArrayList<>();
    private double[] before = {};

    Victims(LabFabric fabric, Traffic traffic) {
        this.fabric = fabric;
        this.traffic = traffic;
        for (int i = 0; i < count(fabric); i++) {
            flows.add(traffic.addBeside(sender(fabric, i), 1 + i));
        }
    }

    /** How many the knobs ask for: each wants a neighbour of the receiver of its own. */
    static int count(LabFabric fabric) {
        int count = fabric.knobs().number("victims", 0);
        if (count >= fabric.hostsPerLeaf()) {
            throw new IllegalArgumentException("the receiver has no " + count + " neighbours");
        }
        return count;
    }

    /** The last hosts of the other leaves, where no sender of an incast is unless there are very many. */
    static int sender(LabFabric fabric, int number) {
        int leaves = fabric.places() / fabric.hostsPerLeaf() - 1;
        return (2 + number % leaves) * fabric.hostsPerLeaf() - 1 - number / leaves;
    }

    /** Lets them begin, and tells what part of their links they have without the incast, which begins now. */
    void begin(Map<String, Double> figures) {
        if (flows.isEmpty()) {
            return;
        }
        long halfNs = (long) (ROUND_TRIPS_BEFORE * fabric.roundTripNs() / 2);
        flows.forEach(flow -> flow.write(Long.MAX_VALUE));
        traffic.run(halfNs);
        double[] half = received();
        traffic.run(halfNs);
        before = received();
        tell(figures, "victims_before", half, before, fabric.payloadRate() * halfNs / 1e9);
    }

    /** Tells what part of their links they had until the incast could have been over, all together and the worst. */
    void end(Map<String, Double> figures, long startNs, double idealNs) {
        if (flows.isEmpty()) {
            return;
        }
        traffic.run(Math.max(0, (long) (startNs + idealNs) - fabric.world().nowNs()));
        tell(
                figures,
                "victims_kept",
                before,
                received(),
                fabric.payloadRate() * (fabric.world().nowNs() - startNs) / 1e9);
    }

    /** What part of so much each had, all together and the worst. */
    static void tell(Map<String, Double> figures, String name, double[] before, double[] after, double could) {
        double sum = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < after.length; i++) {
            double share = (after[i] - before[i]) / could;
            sum += share;
            least = Math.min(least, share);
        }
        figures.put(name, sum / after.length);
        figures.put(name + "_least", least);
    }

    private double[] received() {
        return flows.stream()
                .mapToDouble(flow -> flow.to().counters().get(Counter.RX_PAYLOAD_BYTES))
                .toArray();
    }
}

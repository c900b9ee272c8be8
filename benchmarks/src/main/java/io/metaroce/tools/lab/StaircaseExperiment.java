package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Flows come one by one and go again: 1, 2, 3, 4, 3, 2, 1 at a time, all through one link. With {@code one_receiver}
 * that is the last one, and the receiver tells them their shares; otherwise they only share a link in the middle, and
 * nobody but their own marks tells them. In the second half of each step shares should be equal and the link full.
 */
final class StaircaseExperiment implements Experiment {
    private static final int FLOWS = 4;
    private static final int STEPS = 2 * FLOWS - 1;
    private static final int BINS_OF_STEP = 20;

    private final List<Event> events;
    private final SeriesLog series = new SeriesLog();

    /** One before which these things happen to the fabric. */
    StaircaseExperiment(List<Event> events) {
        this.events = events;
    }

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        Traffic traffic = new Traffic(fabric, knobs.number("message_bytes"), knobs.number("outstanding"));
        boolean isOneReceiver = knobs.isSet("one_receiver");
        for (int i = 0; i < FLOWS; i++) {
            traffic.add(i, fabric.hostsPerLeaf() + (isOneReceiver ? 0 : i));
        }
        // What the fabric is like is so before anybody measures it: a way does not become longer while it is used.
        if (!events.isEmpty()) {
            fabric.world().faults(Event.plan(events, traffic));
        }
        traffic.connect();
        Map<String, Double> figures = new TreeMap<>();
        double payload = fabric.payloadRate();
        long binNs = knobs.get("step_ns") / BINS_OF_STEP;
        double worstJain = 1;
        double leastUse = 1;
        for (int step = 0; step < STEPS; step++) {
            if (step < FLOWS) {
                traffic.flows().get(step).write(Long.MAX_VALUE);
            } else {
                traffic.flows().get(step - FLOWS).stop();
            }
            double[] bytes = step(traffic, step, binNs, payload);
            int first = Math.max(0, step - FLOWS + 1);
            double[] shares = Arrays.copyOfRange(bytes, first, Math.min(FLOWS, step + 1));
            double use = Arrays.stream(shares).sum() / (payload * binNs / 1e9 * BINS_OF_STEP / 2);
            figures.put("jain_of_step_" + (step + 1), CommonFigures.jain(shares));
            figures.put("use_of_step_" + (step + 1), use);
            if (step == FLOWS - 1) {
                figures.put("odd_by_even", (shares[1] + shares[3]) / (shares[0] + shares[2]));
            }
            worstJain = Math.min(worstJain, CommonFigures.jain(shares));
            leastUse = Math.min(leastUse, use);
        }
        figures.put("jain_worst", worstJain);
        figures.put("use_least", leastUse);
        CommonFigures.world(figures, fabric);
        return figures;
    }

    @Override
    public List<Series> series() {
        return series.all();
    }

    /** Payload that arrived from each flow in the second half of a step. */
    private double[] step(Traffic traffic, int step, long binNs, double payload) {
        double[] bytes = new double[FLOWS];
        for (int bin = 0; bin < BINS_OF_STEP; bin++) {
            double[] before = sent(traffic);
            traffic.run(binNs);
            double[] after = sent(traffic);
            for (int i = 0; i < FLOWS; i++) {
                double came = after[i] - before[i];
                bytes[i] += bin < BINS_OF_STEP / 2 ? 0 : came;
                series.add(
                        "share/flow " + (i + 1),
                        (step * BINS_OF_STEP + bin + 1.0) * binNs,
                        came / (payload * binNs / 1e9));
            }
        }
        return bytes;
    }

    private static double[] sent(Traffic traffic) {
        return traffic.flows().stream()
                .mapToDouble(flow ->
                        flow.view().paths().stream().mapToLong(PathView::slots).sum()
                                * (double) LabFabric.PAYLOAD_BYTES)
                .toArray();
    }
}

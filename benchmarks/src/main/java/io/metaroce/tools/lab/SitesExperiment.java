package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Endless flows from another site, and from the same one, to one receiver or to a host each. After some far round trips
 * what each flow has and what all have together is measured over more of them.
 */
final class SitesExperiment implements Experiment {
    private static final int BINS_OF_ROUND_TRIP = 4;
    private static final double EQUAL = 0.99;

    private final SeriesLog series = new SeriesLog();

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        int far = knobs.number("far");
        int near = knobs.number("near", 0);
        boolean isOneReceiver = knobs.isSet("one_receiver");
        Traffic traffic = new Traffic(fabric, knobs.number("message_bytes"), knobs.number("outstanding"));
        for (int i = 0; i < near + far; i++) {
            traffic.add(sender(fabric, i, near), isOneReceiver ? 0 : i);
        }
        traffic.connect();
        traffic.write(Long.MAX_VALUE, knobs.get("jitter_ns", 0));
        int first = knobs.number("first_round_trips");
        int last = first + knobs.number("round_trips");
        double[] begin = {};
        double payload = 0;
        int settled = 0;
        double[] before = slots(traffic);
        for (int i = 0; i < last; i++) {
            if (i == first) {
                begin = before;
                payload = received(traffic, isOneReceiver);
            }
            double came = received(traffic, isOneReceiver);
            double[] after = roundTrip(traffic, fabric, near, i);
            came = (received(traffic, isOneReceiver) - came) * 8e9 / fabric.roundTripNs();
            series.add("goodput/all flows", i + 1.0, came);
            settled = CommonFigures.jain(difference(after, before)) < EQUAL ? i + 1 : settled;
            before = after;
        }
        double[] shares = difference(before, begin);
        payload = received(traffic, isOneReceiver) - payload;
        Map<String, Double> figures = new TreeMap<>();
        figures.put("jain", CommonFigures.jain(shares));
        figures.put("settled_round_trips", (double) settled);
        double bps = payload * 8e9 / (fabric.roundTripNs() * (last - first));
        figures.put("goodput_bps", bps);
        int links = isOneReceiver ? 1 : Math.min(far, knobs.number("haul_links"));
        figures.put("use", bps / (8 * fabric.payloadRate() * links));
        if (near > 0) {
            figures.put("far_by_near", mean(shares, near, near + far) / mean(shares, 0, near));
        }
        CommonFigures.paths(figures, traffic);
        CommonFigures.world(figures, fabric);
        return figures;
    }

    @Override
    public List<Series> series() {
        return series.all();
    }

    // Near ones are at other leaves than the receiver; far ones are leaf by leaf those of the second site.
    private static int sender(LabFabric fabric, int flow, int near) {
        if (flow < near) {
            return (1 + flow) * fabric.hostsPerLeaf() % (fabric.places() / 2) + flow;
        }
        int leaves = fabric.places() / 2 / fabric.hostsPerLeaf();
        int number = flow - near;
        return fabric.places() / 2 + number % leaves * fabric.hostsPerLeaf() + number / leaves;
    }

    private double[] roundTrip(Traffic traffic, LabFabric fabric, int near, int number) {
        double[] now = slots(traffic);
        long binNs = (long) (fabric.roundTripNs() / BINS_OF_ROUND_TRIP);
        for (int bin = 0; bin < BINS_OF_ROUND_TRIP; bin++) {
            double[] before = now;
            traffic.run(binNs);
            now = slots(traffic);
            double[] sent = difference(now, before);
            double sum = Arrays.stream(sent).sum();
            for (int i = 0; i < sent.length && sum > 0; i++) {
                series.add(
                        "share/" + (i < near ? "near " + i : "far " + (i - near)),
                        number + (bin + 1.0) / BINS_OF_ROUND_TRIP,
                        sent[i] * sent.length / sum);
            }
        }
        return now;
    }

    private static double[] slots(Traffic traffic) {
        return traffic.flows().stream()
                .mapToDouble(flow ->
                        flow.view().paths().stream().mapToLong(PathView::slots).sum())
                .toArray();
    }

    private static double received(Traffic traffic, boolean isOneReceiver) {
        return traffic.flows().stream()
                .limit(isOneReceiver ? 1 : traffic.flows().size())
                .mapToDouble(flow -> flow.to().counters().get(Counter.RX_PAYLOAD_BYTES))
                .sum();
    }

    private static double[] difference(double[] after, double[] before) {
        double[] all = new double[after.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = after[i] - before[i];
        }
        return all;
    }

    private static double mean(double[] values, int from, int to) {
        return Arrays.stream(values, from, to).average().orElse(0);
    }
}

package io.metaroce.tools.lab;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Flows of many messages between hosts of different leaves: a permutation of some hosts, or all to all. Goodput counts
 * payload from the first request posted to the last completion of each flow; the bound is what the narrowest stage of
 * the fabric needs for all that passes it.
 */
final class StreamsExperiment implements Experiment {
    private final List<Event> events;
    private final SeriesLog series = new SeriesLog();

    /** One during which these things happen to the fabric, counted from the first message. */
    StreamsExperiment(List<Event> events) {
        this.events = events;
    }

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        LabFabric fabric = new LabFabric(knobs, seed);
        int bytes = knobs.number("message_bytes");
        long messages = knobs.get("messages");
        Traffic traffic = new Traffic(fabric, bytes, knobs.number("outstanding"));
        traffic.place();
        traffic.connect();
        if (!events.isEmpty()) {
            fabric.world().faults(Event.plan(events, traffic));
        }
        long startNs = fabric.world().nowNs();
        traffic.write(messages, knobs.get("jitter_ns", 0));
        traffic.complete();
        return figures(fabric, traffic, startNs, messages);
    }

    @Override
    public List<Series> series() {
        return series.all();
    }

    private Map<String, Double> figures(LabFabric fabric, Traffic traffic, long startNs, long messages) {
        Map<String, Double> figures = new TreeMap<>();
        double[] tookNs = traffic.tookNs(startNs);
        double idealNs = traffic.load((double) messages).idealAtSenderNs();
        double[] bytes = traffic.flows().stream()
                .mapToDouble(flow -> (double) messages * flow.messageBytes())
                .toArray();
        CommonFigures.streams(figures, bytes, tookNs, idealNs);
        series.add(Series.distribution("completion/flows", tookNs));
        CommonFigures.paths(figures, traffic);
        CommonFigures.world(figures, fabric);
        return figures;
    }
}

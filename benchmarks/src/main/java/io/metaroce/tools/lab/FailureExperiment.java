package io.metaroce.tools.lab;

import io.metaroce.engine.PathView;
import io.metaroce.trace.Counter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Long flows while something happens to the fabric: goodput in bins of a few microseconds. What counts is how long it
 * takes from the first event until goodput stays near what is left, and from the moment in which the first thing comes
 * back until it is near what was before; besides, how much of it is kept until the end, and how long a flow waited for
 * its next completion at most.
 */
final class FailureExperiment implements Experiment {
    private static final int NEAR_PERCENT = 95;
    private static final int SMOOTHED_BINS = 2; // a round trip

    private final List<Event> events;
    private final SeriesLog series = new SeriesLog();

    FailureExperiment(List<Event> events) {
        this.events = events;
    }

    @Override
    public Map<String, Double> run(Knobs knobs, long seed) {
        if (events.isEmpty() || events.get(events.size() - 1).atNs() >= knobs.get("run_ns")) {
            throw new IllegalArgumentException(
                    "something must happen before the run ends at " + knobs.get("run_ns") + " ns: " + events);
        }
        LabFabric fabric = new LabFabric(knobs, seed);
        Traffic traffic = new Traffic(fabric, knobs.number("message_bytes"), knobs.number("outstanding"));
        traffic.place();
        traffic.connect();
        fabric.world().faults(Event.plan(events, traffic));
        traffic.write(Long.MAX_VALUE, 0);
        long binNs = knobs.get("bin_ns");
        double[] bytes = bins(traffic, binNs, (int) (knobs.get("run_ns") / binNs));
        Map<String, Double> figures = new TreeMap<>();
        int first = (int) (events.get(0).atNs() / binNs);
        double before = mean(bytes, first / 2, first);
        double left = before * knobs.get("left_percent") / 100;
        int last = (int) (restoredNs(knobs.get("run_ns")) / binNs);
        int bad = lastBelow(bytes, first, last, left * NEAR_PERCENT / 100);
        drawLeft(binNs, first, last, left);
        figures.put("recovery_round_trips", bad * binNs / fabric.roundTripNs());
        figures.put("lost_bytes", lostBytes(bytes, first, last, left));
        figures.put("kept", mean(bytes, first, bytes.length) / before);
        figures.put("longest_wait_round_trips", longestWaitNs(traffic) / fabric.roundTripNs());
        figures.put("goodput_before_bps", before * 8e9 / binNs);
        figures.put("goodput_after_bps", mean(bytes, (first + last) / 2, last) * 8e9 / binNs);
        if (last < bytes.length) {
            double full = before * NEAR_PERCENT / 100;
            figures.put("restored_ns", (double) lastBelow(bytes, last, bytes.length, full) * binNs);
        }
        CommonFigures.paths(figures, traffic);
        figures.put("moves_per_path", movesPerPath(traffic));
        figures.put("moves_in_vain", count(traffic, Counter.REBIND_SPURIOUS));
        CommonFigures.world(figures, fabric);
        return figures;
    }

    @Override
    public List<Series> series() {
        return series.all();
    }

    /** When the first thing comes back, or the end of the run. */
    private long restoredNs(long runNs) {
        for (Event event : events) {
            if (event.what().endsWith(" up")) {
                return event.atNs();
            }
        }
        return runNs;
    }

    private double[] bins(Traffic traffic, long binNs, int count) {
        double[] bytes = new double[count];
        double before = 0;
        for (int i = 0; i < count; i++) {
            if (i == events.get(0).atNs() / binNs) {
                traffic.flows().forEach(Flow::watch);
            }
            traffic.run(binNs);
            double now = 0;
            for (Flow flow : traffic.flows()) {
                now += flow.to().counters().get(Counter.RX_PAYLOAD_BYTES);
            }
            bytes[i] = now - before;
            before = now;
            draw((i + 1.0) * binNs, bytes[i] * 8e9 / binNs, traffic.flows().get(0));
        }
        return bytes;
    }

    /** Goodput of all, and of one connection what it was told and the window and round trip of each path. */
    private void draw(double ns, double bps, Flow one) {
        series.add("goodput/all flows", ns, bps);
        series.add("hint/receiver's share", ns, one.view().hintBytesPerSecond() * 8.0);
        List<PathView> paths = one.view().paths();
        for (PathView path : paths) {
            series.add("window/path " + path.id(), ns, (double) path.windowBytes());
            series.add("rtt/path " + path.id(), ns, (double) path.srttNs());
        }
    }

    /** What can be carried from the first event until the first thing comes back. */
    private void drawLeft(long binNs, int first, int last, double left) {
        for (int bin = first; bin < last; bin++) {
            series.add("goodput/what is left can carry", (bin + 1.0) * binNs, left * 8e9 / binNs);
        }
    }

    private static double mean(double[] bytes, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += bytes[i];
        }
        return sum / Math.max(1, to - from);
    }

    /** Bins from {@code from} to the end of the last pair of bins that lies below a limit; 0 if none does. */
    private static int lastBelow(double[] bytes, int from, int to, double limit) {
        for (int end = to; end - SMOOTHED_BINS >= from; end--) {
            if (mean(bytes, end - SMOOTHED_BINS, end) < limit) {
                return end - from;
            }
        }
        return 0;
    }

    private static double lostBytes(double[] bytes, int from, int to, double left) {
        double lost = 0;
        for (int i = from; i < to; i++) {
            lost += Math.max(0, left - bytes[i]);
        }
        return lost;
    }

    /** The longest time in which a flow had nothing completed, from the first event on. */
    private static double longestWaitNs(Traffic traffic) {
        return traffic.flows().stream().mapToDouble(Flow::longestWaitNs).max().orElse(0);
    }

    /** Over all hosts that begin flows. */
    private static double count(Traffic traffic, Counter counter) {
        return traffic.flows().stream()
                .map(Flow::from)
                .distinct()
                .mapToDouble(host -> host.counters().get(counter))
                .sum();
    }

    private static double movesPerPath(Traffic traffic) {
        return traffic.paths().stream().mapToDouble(PathView::epoch).average().orElse(0);
    }
}

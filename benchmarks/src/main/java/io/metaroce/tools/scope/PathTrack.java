package io.metaroce.tools.scope;

import io.metaroce.tools.page.Chart;
import io.metaroce.tools.page.Chart.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** One path of one connection over time, as the side that sends on it knows it. */
final class PathTrack {
    private static final double MS = 1e6;
    private static final int DOTS_MAX = 4000;
    private static final String TIME = "time, ms";

    private final Map<String, Curve> curves = new TreeMap<>();
    private long firstPsn = -1;
    private long packets;
    private long resends;
    private long missingMost;
    private long marks;
    private String state = "";

    /** Values over time. */
    private record Curve(List<Double> x, List<Double> y) {
        void add(long timeNs, double value) {
            x.add(timeNs / MS);
            y.add(value);
        }
    }

    void sent(TraceEvent event) {
        long psn = event.number("psn", 0);
        if (firstPsn < 0) {
            firstPsn = psn;
        }
        packets++;
        boolean isAgain = event.data().path("resent").asBoolean(false);
        resends += isAgain ? 1 : 0;
        curve(isAgain ? "sent again" : "sent").add(event.timeNs(), ahead(psn));
        if (isAgain) {
            curve("sent again, in all").add(event.timeNs(), (double) resends);
        }
    }

    void acknowledged(TraceEvent event, JsonNode block) {
        if (firstPsn < 0) {
            return;
        }
        curve("acknowledged").add(event.timeNs(), ahead(block.path("cum_psn").asLong(0)));
        long missing = block.path("missing").asLong(0);
        missingMost = Math.max(missingMost, missing);
        curve("missing").add(event.timeNs(), (double) missing);
        marks = Math.max(marks, block.path("marked").asLong(0));
        curve("marked").add(event.timeNs(), (double) block.path("marked").asLong(0));
    }

    void sampled(TraceEvent event) {
        state = event.text("state");
        curve("window").add(event.timeNs(), event.number("window_bytes", 0) / 1024.0);
        curve("in flight").add(event.timeNs(), event.number("in_flight_bytes", 0) / 1024.0);
        if (event.number("rtt_ns", 0) > 0) {
            curve("round trip").add(event.timeNs(), event.number("rtt_ns", 0) / 1e3);
            curve("least").add(event.timeNs(), event.number("base_rtt_ns", 0) / 1e3);
        }
    }

    boolean isUsed() {
        return packets > 0;
    }

    /** The row of the table and the charts of this path, as the page's template names them. */
    Map<String, Object> model(String id, int path) {
        List<Map<String, Object>> charts = new ArrayList<>();
        chart(
                charts,
                id,
                "Packets",
                "slot number",
                Map.of("sent", Kind.DOTS, "sent again", Kind.DOTS, "acknowledged", Kind.TRACE));
        chart(
                charts,
                id,
                "Gaps and resends",
                "packets",
                Map.of("missing", Kind.TRACE, "sent again, in all", Kind.TRACE));
        chart(charts, id, "Window", "KiB", Map.of("window", Kind.TRACE, "in flight", Kind.TRACE));
        chart(charts, id, "Round trip", "µs", Map.of("round trip", Kind.TRACE, "least", Kind.TRACE));
        chart(charts, id, "Congestion marks, in all", "packets", Map.of("marked", Kind.TRACE));
        return Map.of(
                "path", path,
                "state", state,
                "packets", packets,
                "resends", resends,
                "missing", missingMost,
                "marks", marks,
                "charts", charts);
    }

    private void chart(List<Map<String, Object>> into, String id, String title, String unit, Map<String, Kind> lines) {
        Chart chart = new Chart(TIME, unit, false);
        new TreeMap<>(lines).forEach((name, kind) -> {
            Curve curve = curves.get(name);
            if (curve != null) {
                chart.line(name, kind, thinned(curve.x()), thinned(curve.y()));
            }
        });
        if (!chart.isEmpty()) {
            into.add(Map.of("title", title, "id", id + "-" + into.size(), "data", chart.json()));
        }
    }

    /** Every n-th value, so that a page of a long trace still opens. */
    private static List<Double> thinned(List<Double> values) {
        int step = values.size() / DOTS_MAX + 1;
        List<Double> kept = new ArrayList<>();
        for (int i = 0; i < values.size(); i += step) {
            kept.add(values.get(i));
        }
        return kept;
    }

    private double ahead(long psn) {
        return (int) (psn - firstPsn); // numbers wrap at 32 bits
    }

    private Curve curve(String name) {
        return curves.computeIfAbsent(name, unused -> new Curve(new ArrayList<>(), new ArrayList<>()));
    }
}

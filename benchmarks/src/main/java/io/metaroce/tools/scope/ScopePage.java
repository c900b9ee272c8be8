package io.metaroce.tools.scope;

import io.metaroce.tools.page.Chart;
import io.metaroce.tools.page.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** A trace as a page in one file that draws each path of each connection over time. */
public final class ScopePage {
    private static final double MS = 1e6;

    private final Map<String, String> localOf = new TreeMap<>(); // by the peer's number of the connection
    private final Map<String, Side> connections = new TreeMap<>();
    private final List<String> news = new ArrayList<>();
    private String local = "";
    private long events;

    private ScopePage() {}

    /** One connection. */
    private static final class Side {
        private final Map<Integer, PathTrack> paths = new TreeMap<>();
        private final List<Double> times = new ArrayList<>();
        private final List<Double> hint = new ArrayList<>();
        private final List<Double> paced = new ArrayList<>();
        private final List<Double> window = new ArrayList<>();
        private final List<Double> inFlight = new ArrayList<>();

        PathTrack path(long id) {
            return paths.computeIfAbsent((int) id, unused -> new PathTrack());
        }

        void sampled(TraceEvent event) {
            times.add(event.timeNs() / MS);
            hint.add(event.number("hint_bytes_per_s", 0) * 8 / 1e6);
            paced.add(event.number("paced_bytes_per_s", 0) * 8 / 1e6);
            window.add(event.number("window_bytes", 0) / 1024.0);
            inFlight.add(event.number("in_flight_bytes", 0) / 1024.0);
        }
    }

    /** Reads a trace and makes the page. */
    public static String of(Path trace) throws IOException {
        ScopePage page = new ScopePage();
        // Packets name a connection by the number of whoever receives them, so that is learnt first.
        TraceFile.read(trace, page::learn);
        TraceFile.read(trace, page::take);
        return page.write(String.valueOf(trace.getFileName()));
    }

    private void learn(TraceEvent event) {
        if (event.name().equals("connection_state")) {
            localOf.put(event.text("peer"), event.text("connection"));
        }
    }

    private void take(TraceEvent event) {
        events++;
        switch (event.name()) {
            case "trace_start" -> local = event.text("local");
            case "packet_sent" -> sent(event);
            case "packet_received" -> received(event);
            case "connection_state" -> side(event.text("connection")).sampled(event);
            case "path_state" ->
                side(event.text("connection")).path(event.number("path", 0)).sampled(event);
            case "slot_lost" -> {}
            default -> news.add(TraceText.of(event).strip());
        }
    }

    private void sent(TraceEvent event) {
        String id = localOf.get(event.text("to"));
        if (id != null && event.isSlot()) {
            side(id).path(event.number("path", 0)).sent(event);
        }
    }

    private void received(TraceEvent event) {
        for (JsonNode block : event.data().path("blocks")) {
            side(event.text("to")).path(block.path("path").asInt(0)).acknowledged(event, block);
        }
    }

    private Side side(String id) {
        return connections.computeIfAbsent(id, unused -> new Side());
    }

    private String write(String name) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        connections.forEach((id, side) -> all.add(connection(id, side)));
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("trace", name);
        model.put("local", local);
        model.put("events", events);
        model.put("connections", all);
        model.put("news", news.subList(0, Math.min(news.size(), 500)));
        return Page.of("scope", model);
    }

    private static Map<String, Object> connection(String id, Side side) {
        List<Map<String, Object>> charts = new ArrayList<>();
        Chart rate = new Chart("time, ms", "Mbit/s", false)
                .line("granted by the receiver (hint)", Chart.Kind.TRACE, side.times, side.hint)
                .line("paced", Chart.Kind.TRACE, side.times, side.paced);
        charts.add(Map.of("title", "Rate", "id", id + "-rate", "data", rate.json()));
        Chart window = new Chart("time, ms", "KiB", false)
                .line("window", Chart.Kind.TRACE, side.times, side.window)
                .line("in flight", Chart.Kind.TRACE, side.times, side.inFlight);
        charts.add(Map.of("title", "Window of the connection", "id", id + "-window", "data", window.json()));
        List<Map<String, Object>> paths = new ArrayList<>();
        side.paths.forEach((path, track) -> {
            if (track.isUsed()) {
                paths.add(track.model(id + "-" + path, path));
            }
        });
        return Map.of("id", id, "charts", charts, "paths", paths);
    }
}

package io.metaroce.tools.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lines over one axis, as {@code chart.js} draws them. Not for several threads. */
public final class Chart {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final String xLabel;
    private final String yLabel;
    private final boolean isLogX;
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private boolean isLogY;
    private double from;

    private record Line(Map<Double, Double> points, Kind kind) {}

    /** How a line is drawn. */
    public enum Kind {
        /** What was measured: a mark at every point. */
        POINTS,
        /** Many points of one run: a line only. */
        TRACE,
        /** The same of a count that stays until it rises. */
        STEPS,
        /** Single happenings: marks without a line between them. */
        DOTS,
        /** A closed form or a bound: dashed. */
        BOUND
    }

    /** An empty chart; labels name quantity and unit. */
    public Chart(String xLabel, String yLabel, boolean isLogX) {
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.isLogX = isLogX;
    }

    /** Equal ratios are equal distances upwards; what is not above 0 is not drawn. */
    public Chart logY() {
        isLogY = true;
        return this;
    }

    /** What stands up begins here instead of at 0, unless something is below. */
    public Chart from(double value) {
        from = value;
        return this;
    }

    /** Points that were measured, of the line that has most of them; those of single runs all count. */
    public int pointsMax() {
        return lines.values().stream()
                .filter(line -> line.kind() != Kind.BOUND)
                .mapToInt(line -> line.points().size())
                .max()
                .orElse(0);
    }

    /** One more line, of as many values as places. */
    public Chart line(String name, Kind kind, List<Double> x, List<Double> y) {
        Map<Double, Double> points = new TreeMap<>();
        for (int i = 0; i < x.size(); i++) {
            points.put(x.get(i), y.get(i));
        }
        lines.put(name, new Line(points, kind));
        return this;
    }

    /** Whether there is nothing to draw. */
    public boolean isEmpty() {
        return lines.values().stream().allMatch(line -> line.points().isEmpty());
    }

    /** Every place of any line, in order. */
    public List<Double> places() {
        SortedSet<Double> all = new TreeSet<>();
        lines.values().forEach(line -> all.addAll(line.points().keySet()));
        return new ArrayList<>(all);
    }

    /** As the script reads it; safe within a {@code script} element. */
    public String json() {
        ObjectNode root =
                MAPPER.createObjectNode().put("x", xLabel).put("y", yLabel).put("log", isLogX);
        root.put("logy", isLogY).put("from", from);
        List<Double> places = places();
        ArrayNode series = root.putArray("series");
        ArrayNode data = root.putArray("data");
        ArrayNode along = data.addArray();
        places.forEach(along::add);
        lines.forEach((name, line) -> {
            series.addObject().put("name", name).put("kind", line.kind().name());
            ArrayNode values = data.addArray();
            for (Double place : places) {
                Double value = line.points().get(place);
                if (value == null || (isLogY && value <= 0)) {
                    values.addNull();
                } else {
                    values.add(value);
                }
            }
        });
        return MAPPER.writeValueAsString(root).replace("<", "\\u003c");
    }
}

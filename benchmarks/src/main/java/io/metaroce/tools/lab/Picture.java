package io.metaroce.tools.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Something drawn of a scenario: either a figure over a knob, a line for each group of cases, or the series of one run.
 *
 * @param title what it shows, in words
 * @param xLabel what lies along, with its unit
 * @param yLabel what stands up, with its unit
 * @param isLogX whether equal ratios are equal distances along
 * @param isLogY whether equal ratios are equal distances upwards
 * @param yFrom where what stands up begins
 * @param knob knob whose value is the place of a case, or empty if series are drawn
 * @param knobScale what the knob is multiplied by
 * @param metric figure that is drawn
 * @param metricScale what the figure, or the values of series, are multiplied by
 * @param lines cases by the name of their line
 * @param proportionalTo case through whose point a line is drawn that grows as the knob does, or empty
 * @param curves names of closed forms drawn beside, see {@link Curve}
 * @param seriesOf case whose first seed is drawn, or empty
 * @param seriesKind which of its series
 * @param seriesScale what places of series are multiplied by
 */
public record Picture(
        String title,
        String xLabel,
        String yLabel,
        boolean isLogX,
        boolean isLogY,
        double yFrom,
        String knob,
        double knobScale,
        String metric,
        double metricScale,
        Map<String, List<String>> lines,
        String proportionalTo,
        List<String> curves,
        String seriesOf,
        String seriesKind,
        double seriesScale) {

    static Picture read(JsonNode node) {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        node.path("lines").properties().forEach(entry -> lines.put(entry.getKey(), Scenario.texts(entry.getValue())));
        return new Picture(
                node.path("title").asString(""),
                node.path("x_label").asString(""),
                node.path("y_label").asString(""),
                node.path("log_x").asBoolean(false),
                node.path("log_y").asBoolean(false),
                node.path("y_from").asDouble(0),
                node.path("knob").asString(""),
                node.path("knob_scale").asDouble(1),
                node.path("metric").asString(""),
                node.path("metric_scale").asDouble(1),
                lines,
                node.path("proportional_to").asString(""),
                Scenario.texts(node.path("curves")),
                node.path("series_of").asString(""),
                node.path("series_kind").asString(""),
                node.path("series_scale").asDouble(1));
    }
}

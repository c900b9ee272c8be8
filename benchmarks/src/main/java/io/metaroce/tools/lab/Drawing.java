package io.metaroce.tools.lab;

import io.metaroce.tools.page.Chart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes the chart that a picture describes out of results; cases that were not run are left out. */
public final class Drawing {
    private Drawing() {}

    /** The chart; empty if nothing of it was run. */
    public static Chart of(Picture picture, Results results) {
        Chart chart = new Chart(picture.xLabel(), picture.yLabel(), picture.isLogX()).from(picture.yFrom());
        if (picture.isLogY()) {
            chart = chart.logY();
        }
        if (picture.seriesOf().isEmpty()) {
            drawLines(chart, picture, results);
        } else {
            for (Series one : results.series(picture.seriesOf())) {
                if (one.kind().equals(picture.seriesKind())) {
                    chart.line(
                            one.label(),
                            picture.seriesKind().equals("completion") ? Chart.Kind.STEPS : Chart.Kind.TRACE,
                            scaled(one.x(), picture.seriesScale()),
                            scaled(one.y(), picture.metricScale()));
                }
            }
        }
        if (!chart.isEmpty()) {
            List<Double> places = chart.places();
            drawProportional(chart, picture, results, places);
            for (String name : picture.curves()) {
                Series curve = Curve.valueOf(name).at(places);
                chart.line(curve.label(), Chart.Kind.BOUND, curve.x(), curve.y());
            }
        }
        return chart;
    }

    private static void drawLines(Chart chart, Picture picture, Results results) {
        picture.lines().forEach((name, caseNames) -> {
            Map<Double, Double> points = new TreeMap<>();
            for (String caseName : caseNames) {
                Scenario.Case one = results.scenario().caseNamed(caseName);
                Figure figure = results.figures(caseName).get(picture.metric());
                if (figure != null) {
                    points.put(
                            one.knobs().get(picture.knob(), 0) * picture.knobScale(),
                            figure.median() * picture.metricScale());
                }
            }
            if (!points.isEmpty()) {
                chart.line(name, Chart.Kind.POINTS, new ArrayList<>(points.keySet()), new ArrayList<>(points.values()));
            }
        });
    }

    private static void drawProportional(Chart chart, Picture picture, Results results, List<Double> places) {
        if (picture.proportionalTo().isEmpty()) {
            return;
        }
        Scenario.Case one = results.scenario().caseNamed(picture.proportionalTo());
        Figure figure = results.figures(one.name()).get(picture.metric());
        if (figure != null) {
            double each = figure.median()
                    * picture.metricScale()
                    / (one.knobs().get(picture.knob(), 0) * picture.knobScale());
            chart.line("so many times one", Chart.Kind.BOUND, places, scaled(places, each));
        }
    }

    private static List<Double> scaled(List<Double> values, double factor) {
        return values.stream().map(value -> value * factor).toList();
    }
}

package io.metaroce.tools;

import io.metaroce.tools.lab.Drawing;
import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Grid;
import io.metaroce.tools.lab.Picture;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import io.metaroce.tools.page.Chart;
import io.metaroce.tools.page.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page about claims: verdicts, pictures, every figure, and the command that gives each again. */
final class ClaimPage {
    private ClaimPage() {}

    static String of(ClaimTable table, List<Results> all, boolean isQuick) throws IOException {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("form", isQuick ? "quick form" : "full form");
        model.put("java", Runtime.version().toString());
        model.put("verdicts", verdicts(table));
        model.put(
                "claims", table.rows().stream().map(row -> claim(row, isQuick)).toList());
        List<Map<String, Object>> scenarios = new ArrayList<>();
        for (Results results : all) {
            if (!results.cases().isEmpty()) {
                scenarios.add(scenario(results, isQuick));
            }
        }
        model.put("scenarios", scenarios);
        return Page.of("claims", model);
    }

    private static List<Map<String, Object>> verdicts(ClaimTable table) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        List.of("beaten", "reproduced", "not reproduced", "failed").forEach(name -> counts.put(name, 0));
        table.rows().forEach(row -> counts.merge(row.verdict(), 1, Integer::sum));
        List<Map<String, Object>> all = new ArrayList<>();
        counts.forEach((name, count) -> all.add(Map.of("name", name, "style", style(name), "count", count)));
        return all;
    }

    private static String style(String verdict) {
        return verdict.replace(' ', '-');
    }

    private static Map<String, Object> claim(ClaimTable.Row row, boolean isQuick) {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("id", row.claim().id());
        model.put("text", row.claim().text());
        model.put("measured", row.measured());
        model.put("range", row.range());
        model.put("bound", row.claim().bound());
        String sign = row.claim().isUpperLimit() ? "≤ " : "≥ ";
        model.put("pass", sign + row.claim().pass());
        model.put("stretch", sign + row.claim().stretch());
        model.put("verdict", row.verdict());
        model.put("style", style(row.verdict()));
        model.put("failures", row.failures());
        model.put("command", command(row.scenario(), row.claim().caseName(), row.seeds(), isQuick));
        return model;
    }

    private static String command(Scenario scenario, String caseName, int seeds, boolean isQuick) {
        return "./metaroce sim run " + scenario.name() + " --case " + caseName + (isQuick ? " --quick" : "")
                + " --seeds " + seeds;
    }

    private static Map<String, Object> scenario(Results results, boolean isQuick) {
        Scenario scenario = results.scenario();
        List<Map<String, Object>> pictures = new ArrayList<>();
        for (Picture picture : scenario.pictures()) {
            Chart chart = Drawing.of(picture, results);
            if (chart.pointsMax() > 1) {
                pictures.add(Map.of(
                        "title", picture.title(), "id", scenario.name() + "-" + pictures.size(), "data", chart.json()));
            }
        }
        List<Map<String, Object>> cases = new ArrayList<>();
        for (String one : results.cases()) {
            List<Map<String, Object>> figures = new ArrayList<>();
            int seeds = 0;
            for (Map.Entry<String, Figure> entry : results.figures(one).entrySet()) {
                Figure figure = entry.getValue();
                seeds = Math.max(seeds, figure.seeds());
                figures.add(Map.of(
                        "name",
                        entry.getKey(),
                        "median",
                        SimRun.number(figure.median()),
                        "min",
                        SimRun.number(figure.min()),
                        "max",
                        SimRun.number(figure.max()),
                        "seeds",
                        figure.seeds()));
            }
            cases.add(Map.of(
                    "name",
                    one,
                    "figures",
                    figures,
                    "failures",
                    results.failures(one),
                    "command",
                    command(scenario, one, seeds, isQuick)));
        }
        return Map.of(
                "name", scenario.name(),
                "title", scenario.title(),
                "bound", scenario.bound(),
                "pictures", pictures,
                "grids", grids(results),
                "cases", cases);
    }

    // None or one.
    private static List<Map<String, Object>> grids(Results results) {
        Grid grid = results.scenario().grid();
        List<Grid.Row> rows = grid.rows(results);
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Grid.Row row : rows) {
            List<Map<String, Object>> entries = new ArrayList<>();
            row.entries()
                    .forEach(entry ->
                            entries.add(Map.of("text", entry.text(), "style", entry.isOther() ? "n other" : "n")));
            shown.add(Map.of("name", row.name(), "entries", entries));
        }
        return rows.isEmpty() ? List.of() : List.of(Map.of("columns", grid.columns(), "rows", shown));
    }
}

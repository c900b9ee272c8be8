package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the cases of one scenario gave, seed by seed. */
public final class Results {
    /** Appended to the name of a rate: the same divided by its bound, the baseline of that seed. */
    public static final String RELATIVE = ".relative";

    private static final String RATE = "_bps";

    private final Scenario scenario;
    private final Map<String, List<Map<String, Double>>> bySeed = new LinkedHashMap<>();

    Results(Scenario scenario, Map<String, List<Map<String, Double>>> raw) {
        this.scenario = scenario;
        for (Scenario.Case one : scenario.cases()) {
            List<Map<String, Double>> runs = raw.get(one.name());
            if (runs != null) {
                bySeed.put(one.name(), divided(one, runs, raw.get(one.baseline())));
            }
        }
    }

    /** The scenario. */
    public Scenario scenario() {
        return scenario;
    }

    /** Names of the cases that were run. */
    public List<String> cases() {
        return List.copyOf(bySeed.keySet());
    }

    /** The figures of a case, by name. */
    public Map<String, Figure> figures(String caseName) {
        List<Map<String, Double>> runs = bySeed.getOrDefault(caseName, List.of());
        Map<String, Figure> figures = new TreeMap<>();
        if (!runs.isEmpty()) {
            for (String name : runs.get(0).keySet()) {
                figures.put(
                        name, Figure.of(runs.stream().map(run -> run.get(name)).toList()));
            }
        }
        return figures;
    }

    private static List<Map<String, Double>> divided(
            Scenario.Case one, List<Map<String, Double>> runs, @Nullable List<Map<String, Double>> baseline) {
        if (baseline == null) {
            return runs;
        }
        List<Map<String, Double>> all = new ArrayList<>();
        for (int seed = 0; seed < runs.size(); seed++) {
            Map<String, Double> figures = new TreeMap<>(runs.get(seed));
            Map<String, Double> bound = baseline.get(seed);
            runs.get(seed).forEach((name, value) -> {
                Double whole = bound.get(name);
                if (name.endsWith(RATE) && whole != null) {
                    figures.put(name + RELATIVE, value / (whole * one.times()));
                }
            });
            all.add(figures);
        }
        return all;
    }
}

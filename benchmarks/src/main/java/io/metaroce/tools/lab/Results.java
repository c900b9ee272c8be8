package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the cases of one scenario gave, seed by seed. */
public final class Results {
    /** Appended to the name of a rate, or a slowdown: the same divided by its bound, the baseline of that seed. */
    public static final String RELATIVE = ".relative";

    /** Appended to the name of a rate: the same divided by the best of the case's rivals of that seed. */
    public static final String AGAINST_BEST = ".against_best";

    private static final String RATE = "_bps";
    private static final String SLOWDOWN = "slowdown";

    private final Scenario scenario;
    private final Map<String, List<Map<String, Double>>> figuresBySeed = new LinkedHashMap<>();
    private final Map<String, List<CellResult>> raw;

    Results(Scenario scenario, Map<String, List<CellResult>> raw) {
        this.scenario = scenario;
        this.raw = raw;
        for (Scenario.Case one : scenario.cases()) {
            List<CellResult> runs = raw.get(one.name());
            if (runs != null) {
                figuresBySeed.put(one.name(), divided(one, runs, raw.get(one.baseline())));
            }
        }
        scenario.cases().forEach(this::compareWithRivals);
    }

    private void compareWithRivals(Scenario.Case one) {
        List<Map<String, Double>> runs = figuresBySeed.getOrDefault(one.name(), List.of());
        for (int seed = 0; seed < runs.size(); seed++) {
            Map<String, Double> best = new TreeMap<>();
            for (String rival : one.rivals()) {
                List<CellResult> others = raw.getOrDefault(rival, List.of());
                if (seed < others.size()) {
                    others.get(seed).figures().forEach((name, value) -> best.merge(name, value, Math::max));
                }
            }
            Map<String, Double> figures = runs.get(seed);
            best.forEach((name, value) -> {
                Double own = figures.get(name);
                if (name.endsWith(RATE) && own != null) {
                    figures.put(name + AGAINST_BEST, own / value);
                }
            });
        }
    }

    /** The scenario. */
    public Scenario scenario() {
        return scenario;
    }

    /** Names of the cases that were run. */
    public List<String> cases() {
        return List.copyOf(figuresBySeed.keySet());
    }

    /** The figures of a case, by name, over the seeds that gave them. */
    public Map<String, Figure> figures(String caseName) {
        Map<String, List<Double>> values = new TreeMap<>();
        for (Map<String, Double> run : figuresBySeed.getOrDefault(caseName, List.of())) {
            run.forEach((name, value) ->
                    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
        }
        Map<String, Figure> figures = new TreeMap<>();
        values.forEach((name, all) -> figures.put(name, Figure.of(all)));
        return figures;
    }

    /** What the first seed of a case drew. */
    public List<Series> series(String caseName) {
        List<CellResult> runs = raw.getOrDefault(caseName, List.of());
        return runs.isEmpty() ? List.of() : runs.get(0).series();
    }

    /** Why runs of a case could not be finished; none if all could. */
    public List<String> failures(String caseName) {
        List<String> failures = new ArrayList<>();
        List<CellResult> runs = raw.getOrDefault(caseName, List.of());
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).isFailed()) {
                failures.add("seed " + (i + 1) + ": " + runs.get(i).failure());
            }
        }
        return failures;
    }

    /**
     * Why runs that a claim rests on could not be finished: those of its case, and, where its figure is a comparison,
     * those it is compared with.
     */
    public List<String> failures(Scenario.Claim claim) {
        Scenario.Case about = scenario.caseNamed(claim.caseName());
        List<String> failures = new ArrayList<>(failures(about.name()));
        if (claim.metric().endsWith(RELATIVE)) {
            failures.addAll(failuresOfOther(about.baseline()));
        } else if (claim.metric().endsWith(AGAINST_BEST)) {
            about.rivals().forEach(rival -> failures.addAll(failuresOfOther(rival)));
        }
        return failures;
    }

    private List<String> failuresOfOther(String caseName) {
        return failures(caseName).stream().map(why -> caseName + ", " + why).toList();
    }

    /** Whether every run could be finished. */
    public boolean isComplete() {
        return cases().stream().allMatch(one -> failures(one).isEmpty());
    }

    private static List<Map<String, Double>> divided(
            Scenario.Case one, List<CellResult> runs, @Nullable List<CellResult> baseline) {
        List<Map<String, Double>> all = new ArrayList<>();
        for (int seed = 0; seed < runs.size(); seed++) {
            Map<String, Double> figures = new TreeMap<>(runs.get(seed).figures());
            if (baseline != null && seed < baseline.size()) {
                Map<String, Double> bound = baseline.get(seed).figures();
                runs.get(seed).figures().forEach((name, value) -> {
                    Double whole = bound.get(name);
                    if ((name.endsWith(RATE) || name.equals(SLOWDOWN)) && whole != null) {
                        figures.put(name + RELATIVE, value / (whole * one.times()));
                    }
                });
            }
            all.add(figures);
        }
        return all;
    }
}

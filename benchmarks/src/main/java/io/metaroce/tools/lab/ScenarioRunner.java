package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs the cells of a scenario, one per case and seed, some at a time. What comes out does not depend on how many: each
 * cell is a world of its own.
 */
public final class ScenarioRunner {
    private final boolean isQuick;
    private final int jobs;
    private final Consumer<String> progress;

    /**
     * A runner.
     *
     * @param isQuick whether the small form of each scenario is run
     * @param jobs cells at a time
     * @param progress is told what has been done
     */
    public ScenarioRunner(boolean isQuick, int jobs, Consumer<String> progress) {
        this.isQuick = isQuick;
        this.jobs = jobs;
        this.progress = progress;
    }

    /** Runs it with seeds 1 and up; {@code seeds} of 0 means as many as the scenario says. */
    public Results run(Scenario scenario, int seeds, String onlyCase) throws InterruptedException {
        int count = seeds > 0 ? seeds : isQuick ? scenario.quickSeeds() : scenario.seeds();
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            Map<String, List<Future<Map<String, Double>>>> begun = new LinkedHashMap<>();
            for (Scenario.Case one : chosen(scenario, onlyCase)) {
                List<Future<Map<String, Double>>> runs = new ArrayList<>();
                for (int seed = 1; seed <= count; seed++) {
                    long number = seed;
                    runs.add(pool.submit(() -> {
                        Knobs knobs = one.knobs(isQuick);
                        Map<String, Double> figures = Experiment.named(scenario.experiment(), knobs, one.events())
                                .run(knobs, number);
                        progress.accept(scenario.name() + " " + one.name() + ", seed " + number);
                        return figures;
                    }));
                }
                begun.put(one.name(), runs);
            }
            return new Results(scenario, collected(begun));
        } finally {
            pool.shutdownNow();
        }
    }

    // The cases asked for, and those they are compared with.
    private List<Scenario.Case> chosen(Scenario scenario, String onlyCase) {
        List<Scenario.Case> cases = new ArrayList<>();
        String baseline = "";
        for (Scenario.Case one : scenario.cases()) {
            baseline = one.name().equals(onlyCase) ? one.baseline() : baseline;
        }
        for (Scenario.Case one : scenario.cases()) {
            boolean isWanted = onlyCase.isEmpty()
                    ? one.isQuick() || !isQuick
                    : one.name().equals(onlyCase) || one.name().equals(baseline);
            if (isWanted) {
                cases.add(one);
            }
        }
        if (cases.isEmpty()) {
            throw new IllegalArgumentException(scenario.name() + " has no case '" + onlyCase + "'; there are "
                    + scenario.cases().stream().map(Scenario.Case::name).toList());
        }
        return cases;
    }

    private static Map<String, List<Map<String, Double>>> collected(
            Map<String, List<Future<Map<String, Double>>>> begun) throws InterruptedException {
        Map<String, List<Map<String, Double>>> all = new LinkedHashMap<>();
        for (Map.Entry<String, List<Future<Map<String, Double>>>> one : begun.entrySet()) {
            List<Map<String, Double>> runs = new ArrayList<>();
            for (Future<Map<String, Double>> run : one.getValue()) {
                try {
                    runs.add(run.get());
                } catch (ExecutionException e) {
                    throw new IllegalStateException("case " + one.getKey() + " failed: " + e.getCause(), e);
                }
            }
            all.put(one.getKey(), runs);
        }
        return all;
    }
}

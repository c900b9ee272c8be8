package io.metaroce.tools.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs cells, one per case and seed, some at a time. What comes out does not depend on how many: each cell is a world
 * of its own. Seeds go first: when it is interrupted, every case has been run with some.
 */
public final class ScenarioRunner {
    private final boolean isQuick;
    private final int jobs;
    private final CellStore store;
    private final Progress progress;

    /**
     * A runner.
     *
     * @param isQuick whether the small form of each scenario is run
     * @param jobs cells at a time
     * @param store results of earlier runs; what is there is not run again
     * @param progress is told what has been done
     */
    public ScenarioRunner(boolean isQuick, int jobs, CellStore store, Progress progress) {
        this.isQuick = isQuick;
        this.jobs = jobs;
        this.store = store;
        this.progress = progress;
    }

    /** Runs one with seeds 1 and up; {@code seeds} of 0 means as many as the scenario says. */
    public Results run(Scenario scenario, int seeds, String onlyCase) throws InterruptedException {
        return run(Map.of(scenario, cases(scenario, onlyCase)), seeds).get(0);
    }

    /** Runs several with all their cases, or those of the quick form. */
    public List<Results> run(List<Scenario> scenarios, int seeds) throws InterruptedException {
        Map<Scenario, List<Scenario.Case>> all = new LinkedHashMap<>();
        scenarios.forEach(scenario -> all.put(scenario, cases(scenario, "")));
        return run(all, seeds);
    }

    private List<Results> run(Map<Scenario, List<Scenario.Case>> all, int seeds) throws InterruptedException {
        List<Cell> cells = new ArrayList<>();
        int most = all.keySet().stream()
                .mapToInt(scenario -> seeds(scenario, seeds))
                .max()
                .orElse(0);
        for (int seed = 1; seed <= most; seed++) {
            for (Map.Entry<Scenario, List<Scenario.Case>> entry : all.entrySet()) {
                if (seed <= seeds(entry.getKey(), seeds)) {
                    for (Scenario.Case one : entry.getValue()) {
                        cells.add(cell(entry.getKey(), one, seed));
                    }
                }
            }
        }
        Map<String, CellResult> done = run(cells);
        List<Results> results = new ArrayList<>();
        for (Map.Entry<Scenario, List<Scenario.Case>> entry : all.entrySet()) {
            Map<String, List<CellResult>> ofCases = new LinkedHashMap<>();
            for (Scenario.Case one : entry.getValue()) {
                List<CellResult> ofSeeds = new ArrayList<>();
                for (int seed = 1; seed <= seeds(entry.getKey(), seeds); seed++) {
                    ofSeeds.add(Objects.requireNonNull(
                            done.get(cell(entry.getKey(), one, seed).id())));
                }
                ofCases.put(one.name(), ofSeeds);
            }
            results.add(new Results(entry.getKey(), ofCases));
        }
        return results;
    }

    private int seeds(Scenario scenario, int asked) {
        return asked > 0 ? asked : isQuick ? scenario.quickSeeds() : scenario.seeds();
    }

    private Cell cell(Scenario scenario, Scenario.Case one, int seed) {
        return new Cell(scenario.name(), one.name(), one.experiment(), one.knobs(isQuick), one.events(), seed);
    }

    /** Results by the name of their cell. */
    private Map<String, CellResult> run(List<Cell> cells) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            Map<Cell, Future<CellResult>> begun = new LinkedHashMap<>();
            progress.begin(cells.size());
            for (Cell cell : cells) {
                begun.put(cell, pool.submit(() -> run(cell)));
            }
            Map<String, CellResult> done = new LinkedHashMap<>();
            for (Map.Entry<Cell, Future<CellResult>> one : begun.entrySet()) {
                try {
                    done.put(one.getKey().id(), one.getValue().get());
                } catch (ExecutionException e) {
                    throw new IllegalStateException(one.getKey() + " failed: " + e.getCause(), e);
                }
            }
            return done;
        } finally {
            pool.shutdownNow();
        }
    }

    private CellResult run(Cell cell) throws IOException {
        @Nullable CellResult earlier = store.find(cell);
        if (earlier != null) {
            progress.done(cell, earlier, 0);
            return earlier;
        }
        long begin = System.nanoTime();
        CellResult result = cell.run();
        store.keep(cell, result);
        progress.done(cell, result, System.nanoTime() - begin);
        return result;
    }

    // The cases asked for, and those they are compared with.
    private List<Scenario.Case> cases(Scenario scenario, String onlyCase) {
        List<Scenario.Case> cases = new ArrayList<>();
        Set<String> wanted = new TreeSet<>(Set.of(onlyCase));
        for (Scenario.Case one : scenario.cases()) {
            if (one.name().equals(onlyCase)) {
                wanted.add(one.baseline());
                wanted.addAll(one.rivals());
            }
        }
        for (Scenario.Case one : scenario.cases()) {
            boolean isWanted = onlyCase.isEmpty() ? one.isQuick() || !isQuick : wanted.contains(one.name());
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
}

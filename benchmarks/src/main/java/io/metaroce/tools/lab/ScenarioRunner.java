package io.metaroce.tools.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
        all.forEach((scenario, cases) -> {
            for (Scenario.Case one : cases) {
                for (int seed = 1; seed <= seeds(scenario, one, seeds); seed++) {
                    cells.add(cell(scenario, one, seed));
                }
            }
        });
        cells.sort(Comparator.comparingLong(Cell::seed));
        List<CellResult> done = run(cells);
        Map<String, Map<String, List<CellResult>>> byName = new TreeMap<>(); // scenario, then case; in order of seeds
        for (int i = 0; i < cells.size(); i++) {
            byName.computeIfAbsent(cells.get(i).scenario(), name -> new TreeMap<>())
                    .computeIfAbsent(cells.get(i).caseName(), name -> new ArrayList<>())
                    .add(done.get(i));
        }
        return all.keySet().stream()
                .map(scenario -> new Results(scenario, byName.getOrDefault(scenario.name(), Map.of())))
                .toList();
    }

    private int seeds(Scenario scenario, Scenario.Case one, int asked) {
        if (asked > 0) {
            return asked;
        }
        return isQuick ? scenario.quickSeeds() : Math.min(scenario.seeds(), one.seedsMax());
    }

    private Cell cell(Scenario scenario, Scenario.Case one, int seed) {
        return new Cell(scenario.name(), one.name(), one.experiment(), one.knobs(isQuick), one.events(), seed);
    }

    /** Results in the order of their cells. */
    private List<CellResult> run(List<Cell> cells) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            progress.begin(cells.size());
            List<Future<CellResult>> begun = new ArrayList<>();
            cells.forEach(cell -> begun.add(pool.submit(() -> run(cell))));
            List<CellResult> done = new ArrayList<>();
            for (int i = 0; i < begun.size(); i++) {
                try {
                    done.add(begun.get(i).get());
                } catch (ExecutionException e) {
                    throw new IllegalStateException(cells.get(i) + " failed: " + e.getCause(), e);
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
        if (onlyCase.isEmpty()) {
            return scenario.cases().stream()
                    .filter(one -> one.isQuick() || !isQuick)
                    .toList();
        }
        Scenario.Case asked = scenario.caseNamed(onlyCase);
        return scenario.cases().stream()
                .filter(one -> one.name().equals(asked.name())
                        || one.name().equals(asked.baseline())
                        || asked.rivals().contains(one.name()))
                .toList();
    }
}

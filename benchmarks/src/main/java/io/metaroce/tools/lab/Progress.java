package io.metaroce.tools.lab;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Tells a person how far a set of runs is: one line for each cell that is done, with what is left. Any thread. */
public final class Progress {
    private static final double NS_PER_S = 1e9;

    private final PrintWriter out;
    private final int jobs;
    private final Map<String, Double> secondsOfCase = new HashMap<>();
    private int cells;
    private int done;
    private int run;
    private int failed;
    private double seconds;

    /** On this stream; {@code jobs} run at a time. */
    public Progress(PrintWriter out, int jobs) {
        this.out = out;
        this.jobs = jobs;
    }

    synchronized void begin(int more) {
        cells += more;
    }

    synchronized void done(Cell cell, CellResult result, long tookNs) {
        double took = tookNs / NS_PER_S;
        done++;
        if (tookNs > 0) {
            run++;
            seconds += took;
            secondsOfCase.put(cell.scenario() + cell.caseName(), took);
        }
        failed += result.isFailed() ? 1 : 0;
        out.println(String.format(
                Locale.ROOT,
                "%d of %d: %s; %s; about %.0f s left%s",
                done,
                cells,
                cell,
                result.isFailed()
                        ? "FAILED, " + result.failure()
                        : tookNs == 0 ? "known" : String.format(Locale.ROOT, "%.1f s", took),
                (cells - done) * typicalSeconds() / jobs,
                failed == 0 ? "" : ", " + failed + " failed"));
        out.flush();
    }

    // Cases differ by far more than seeds do: once every case has been run, their last times say more than the mean.
    private double typicalSeconds() {
        double sum =
                secondsOfCase.values().stream().mapToDouble(Double::doubleValue).sum();
        return run == 0 ? 0 : Math.max(sum / secondsOfCase.size(), seconds / run);
    }
}

package io.metaroce.bench.micro;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this package, each in a process of its own, and says what they found. */
public final class MicroRun {
    private static final String BYTES = "gc.alloc.rate.norm";

    private MicroRun() {}

    /**
     * What one benchmark found.
     *
     * @param name class and method
     * @param bestNs time of one operation in the best iteration, in ns: what the code takes when nobody disturbs it
     * @param meanNs mean over all iterations, in ns
     * @param errorNs half of the 99.9 % confidence interval of the mean, in ns
     * @param bytesPerOp bytes allocated by one operation
     */
    public record Score(String name, double bestNs, double meanNs, double errorNs, double bytesPerOp) {}

    /**
     * Runs them.
     *
     * @param pattern regular expression on class and method names
     * @param iterations of a tenth of a second each, after five seconds to warm up
     */
    public static List<Score> run(String pattern, int iterations) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(pattern)
                .forks(1)
                .warmupIterations(10)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(100))
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        List<Score> scores = new ArrayList<>();
        for (RunResult result : results) {
            scores.add(score(result));
        }
        return scores;
    }

    /** What tells the runs of one benchmark apart, in parentheses. */
    private static String parameters(RunResult result) {
        StringJoiner all = new StringJoiner(", ", "(", ")").setEmptyValue("");
        for (String key : result.getParams().getParamsKeys()) {
            all.add(result.getParams().getParam(key));
        }
        return all.toString();
    }

    private static Score score(RunResult result) {
        Result<?> time = result.getPrimaryResult();
        double bytes = 0;
        for (String key : result.getSecondaryResults().keySet()) {
            if (key.endsWith(BYTES)) {
                bytes = result.getSecondaryResults().get(key).getScore();
            }
        }
        String full = result.getParams().getBenchmark();
        int method = full.lastIndexOf('.');
        return new Score(
                full.substring(full.lastIndexOf('.', method - 1) + 1) + parameters(result),
                time.getStatistics().getMin(),
                time.getScore(),
                time.getScoreError(),
                bytes);
    }
}

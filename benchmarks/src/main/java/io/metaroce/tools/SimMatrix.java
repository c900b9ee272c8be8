package io.metaroce.tools;

import io.metaroce.tools.lab.CellStore;
import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.ScenarioRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Every case of every scenario with every seed, kept in a folder as it goes: cells (a file each), a summary as CSV, the
 * claims as JSON, and the page. Calling it again goes on where it was interrupted.
 */
@Command(
        name = "matrix",
        description =
                "Runs every case of every scenario into a folder; called again it goes on where it was. Exit code 1 if"
                        + " a claim is not reproduced or a run could not be finished.",
        mixinStandardHelpOptions = true)
final class SimMatrix implements Callable<Integer> {
    @Option(names = "--out", required = true, paramLabel = "DIR", description = "The folder.")
    private Path out = Path.of("");

    @Mixin
    private SimOptions options = new SimOptions();

    @Mixin
    private OnlyScenarios only = new OnlyScenarios();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ScenarioRunner runner = options.runner(spec, CellStore.in(out.resolve("cells")));
        List<Results> results = runner.run(only.scenarios(), options.seeds());
        ClaimTable table = new ClaimTable(results);
        table.print(spec.commandLine().getOut());
        Files.writeString(out.resolve("summary.csv"), summary(results));
        JsonFile.write(out.resolve("claims.json"), root -> table.fill(root, options.isQuick()));
        Files.writeString(out.resolve("report.html"), ClaimPage.of(table, results, options.isQuick()));
        return table.isPassed() && results.stream().allMatch(Results::isComplete) ? 0 : 1;
    }

    private static String summary(List<Results> all) {
        StringBuilder csv = new StringBuilder("scenario,case,figure,median,min,max,seeds,failed\n");
        for (Results results : all) {
            for (String one : results.cases()) {
                for (Map.Entry<String, Figure> entry : results.figures(one).entrySet()) {
                    Figure figure = entry.getValue();
                    csv.append(String.join(
                                    ",",
                                    results.scenario().name(),
                                    one,
                                    entry.getKey(),
                                    SimRun.number(figure.median()),
                                    SimRun.number(figure.min()),
                                    SimRun.number(figure.max()),
                                    String.valueOf(figure.seeds()),
                                    String.valueOf(results.failures(one).size())))
                            .append('\n');
                }
            }
        }
        return csv.toString();
    }
}

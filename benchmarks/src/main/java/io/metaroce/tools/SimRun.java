package io.metaroce.tools;

import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** One scenario of the laboratory: every figure of every case, over its seeds. */
@Command(
        name = "run",
        description = "Runs one scenario by name (sim list shows them): median, least and greatest of every figure.",
        mixinStandardHelpOptions = true)
final class SimRun implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "Name of the scenario, such as E5.")
    private String name = "";

    @Option(names = "--case", defaultValue = "", description = "Only this case, and the one it is compared with.")
    private String onlyCase = "";

    @Mixin
    private SimOptions options = new SimOptions();

    @Mixin
    private CellFolder cells = new CellFolder();

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Scenario scenario = Scenario.named(name);
        Results results = options.runner(spec, cells.store()).run(scenario, options.seeds(), onlyCase);
        PrintWriter out = spec.commandLine().getOut();
        out.println(scenario.name() + ": " + scenario.title());
        out.println("bound: " + scenario.bound());
        for (String one : results.cases()) {
            out.println(one);
            results.figures(one)
                    .forEach((metric, figure) -> out.println(String.format(
                            Locale.ROOT,
                            "  %-26s %18s   %s .. %s",
                            metric,
                            number(figure.median()),
                            number(figure.min()),
                            number(figure.max()))));
            results.failures(one).forEach(why -> out.println("  failed, " + why));
        }
        if (!scenario.grid().rows(results).isEmpty()) {
            out.print(scenario.grid().text(results));
        }
        out.flush();
        jsonFile.write(root -> fill(root, results));
        return results.isComplete() ? 0 : 1;
    }

    static String number(double value) {
        return value == Math.rint(value) || Math.abs(value) >= 1e6
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.6f", value);
    }

    private static void fill(ObjectNode root, Results results) {
        root.put("scenario", results.scenario().name());
        ObjectNode cases = root.putObject("cases");
        for (String one : results.cases()) {
            ObjectNode figures = cases.putObject(one);
            for (Map.Entry<String, Figure> entry : results.figures(one).entrySet()) {
                Figure figure = entry.getValue();
                figures.putObject(entry.getKey())
                        .put("median", figure.median())
                        .put("min", figure.min())
                        .put("max", figure.max())
                        .put("seeds", figure.seeds());
            }
        }
    }
}

package io.metaroce.tools;

import io.metaroce.tools.lab.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The table of claims: what was measured, its bound, and whether it is reproduced or beaten. */
@Command(
        name = "claims",
        description =
                "Runs every scenario and compares the median of each claimed figure with its lines. Exit code 1 if"
                        + " one is not reproduced.",
        mixinStandardHelpOptions = true)
final class SimClaims implements Callable<Integer> {
    @Mixin
    private SimOptions options = new SimOptions();

    @Mixin
    private OnlyScenarios only = new OnlyScenarios();

    @Mixin
    private CellFolder cells = new CellFolder();

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with the table and pictures.")
    private @Nullable Path html;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Results> results = options.runner(spec, cells.store()).run(only.scenarios(), options.seeds());
        ClaimTable table = new ClaimTable(results);
        table.print(spec.commandLine().getOut());
        jsonFile.write(root -> table.fill(root, options.isQuick()));
        if (html != null) {
            Files.writeString(html, ClaimPage.of(table, results, options.isQuick()));
        }
        return table.isPassed() ? 0 : 1;
    }
}

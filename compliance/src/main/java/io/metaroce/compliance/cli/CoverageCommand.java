package io.metaroce.compliance.cli;

import io.metaroce.compliance.selftest.Coverage;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirements;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which requirements have a test, and which a mutant that violates them. */
@Command(
        name = "coverage",
        description = "Which requirements have a test, and which a broken implementation that it must catch.",
        mixinStandardHelpOptions = true)
final class CoverageCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--out_json_file", description = "Where the matrix is written as JSON.")
    private @Nullable Path file;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Coverage coverage = new Coverage(Requirements.load(Checkout.spec()));
        coverage.untested().forEach(id -> out.println(id + " has no test"));
        coverage.unbroken().forEach(id -> out.println(id + " has no mutant"));
        coverage.unproven().forEach(id -> out.println(id + " has to catch no mutant"));
        out.println(coverage.sentence());
        out.flush();
        if (file != null) {
            Files.writeString(file, Json.pretty(coverage.json()));
        }
        return coverage.untested().isEmpty() ? 0 : 1;
    }
}

package io.metaroce.tools;

import io.metaroce.tools.scope.ScopePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A trace as a page that draws each path over time. */
@Command(
        name = "scope",
        description = "Draws a trace that was written with --trace: a page in one file, for any browser.",
        mixinStandardHelpOptions = true)
final class Scope implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The trace.")
    private Path trace = Path.of("trace.json");

    @Option(names = "--html", required = true, paramLabel = "FILE", description = "Where the page is written.")
    private Path page = Path.of("trace.html");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Files.writeString(page, ScopePage.of(trace));
        spec.commandLine().getOut().println("written " + page);
        spec.commandLine().getOut().flush();
        return 0;
    }
}

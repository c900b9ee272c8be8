package io.metaroce.compliance.cli;

import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.tests.TestProfiles;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The tests of a profile. */
@Command(name = "list", description = "Lists the tests of a profile.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--profile", description = "core@1.0 or responder@1.0.", defaultValue = "core@1.0")
    private String profile = "core@1.0";

    @Option(names = "--format", description = "${COMPLETION-CANDIDATES}", defaultValue = "text")
    private Format format = Format.TEXT;

    /** How the list is written. */
    enum Format {
        /** Lines for people. */
        TEXT,
        /** Comma-separated values. */
        CSV,
        /** A table of Markdown. */
        MD
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case TEXT -> "";
                    case CSV -> "test,role,needs,requirements,title\n";
                    case MD -> "| test | role | needs | requirements | title |\n|---|---|---|---|---|\n";
                });
        TestProfiles.of(profile).forEach(test -> out.println(line(test)));
        out.flush();
        return 0;
    }

    private String line(Conformance test) {
        String role = test.role().name().toLowerCase(Locale.ROOT);
        String needs = String.join(" ", test.needs());
        String cited = String.join(" ", test.citations());
        return switch (format) {
            case TEXT -> test.id() + " " + test.title() + " [" + cited + "]";
            case CSV ->
                String.join(
                        ",",
                        List.of(
                                test.id(),
                                role,
                                needs,
                                cited,
                                '"' + test.title().replace("\"", "\"\"") + '"'));
            case MD -> "| " + String.join(" | ", List.of(test.id(), role, needs, cited, test.title())) + " |";
        };
    }
}

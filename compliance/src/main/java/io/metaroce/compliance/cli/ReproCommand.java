package io.metaroce.compliance.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a test of a report again, with every packet and check printed. */
@Command(
        name = "repro",
        description = "Runs a test of a report again, as its repro.txt says, and prints every packet and check.",
        mixinStandardHelpOptions = true)
final class ReproCommand implements Callable<Integer> {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "EVIDENCE", description = "Folder of one test inside a report: report/evidence/REL-01.")
    private Path evidence = Path.of(".");

    @Override
    public Integer call() throws IOException {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(Files.readString(evidence.resolve("repro.txt")));
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        words.remove(0); // the launcher
        words.add("--trace");
        return Main.run(spec.commandLine().getOut(), spec.commandLine().getErr(), words.toArray(String[]::new));
    }
}

package io.metaroce.compliance.cli;

import io.metaroce.compliance.spec.Json;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** What has changed between two runs. */
@Command(
        name = "diff",
        description = "Tells which tests and requirements differ between two runs.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:nothing that passed or conformed does not any more", "1:something does not"})
final class DiffCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "OLD", description = "Folder of a report, or its results.json.")
    private Path old = Path.of(".");

    @Parameters(index = "1", paramLabel = "NEW", description = "The same of the other run.")
    private Path fresh = Path.of(".");

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        boolean testsDiffer = differs(out, "tests", "verdict", "PASS");
        boolean requirementsDiffer = differs(out, "requirements", "state", "CONFORMS");
        out.flush();
        return testsDiffer || requirementsDiffer ? 1 : 0;
    }

    private boolean differs(PrintWriter out, String list, String field, String good) {
        Map<String, String> before = read(old, list, field);
        Map<String, String> after = read(fresh, list, field);
        TreeSet<String> ids = new TreeSet<>(before.keySet());
        ids.addAll(after.keySet());
        boolean isWorse = false;
        for (String id : ids) {
            String then = before.getOrDefault(id, "absent");
            String now = after.getOrDefault(id, "absent");
            if (!then.equals(now)) {
                out.println(id + ": " + then + " then " + now);
                isWorse |= then.equals(good);
            }
        }
        return isWorse;
    }

    private static Map<String, String> read(Path path, String list, String field) {
        Map<String, String> found = new TreeMap<>();
        Path file = Files.isDirectory(path) ? path.resolve("results.json") : path;
        for (JsonNode each : Json.read(file).path(list)) {
            found.put(each.path("id").asString(), each.path(field).asString());
        }
        return found;
    }
}

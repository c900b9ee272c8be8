package io.metaroce.compliance.cli;

import io.metaroce.compliance.selftest.Coverage;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirement;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Says what a requirement demands, what a test does, or what a run came to. */
@Command(
        name = "explain",
        description = "Says what a requirement demands, what a test checks, or what a run found and on what evidence.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    private static final int UNKNOWN = 3;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "WHAT", description = "R-AREA-nnn, the id of a test, or the folder of a report.")
    private String what = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Requirements requirements = Requirements.load(Checkout.spec());
        Coverage coverage = new Coverage(requirements);
        Requirement requirement = requirements.find(what);
        Optional<Conformance> test =
                Catalogue.all().stream().filter(each -> each.id().equals(what)).findFirst();
        Path folder = Path.of(what);
        if (requirement != null) {
            explain(out, requirement, coverage);
        } else if (test.isPresent()) {
            explain(out, test.get(), requirements, coverage);
        } else if (Files.exists(folder.resolve("results.json"))) {
            explain(out, folder, requirements);
        } else if (Files.exists(folder.resolve("checks.json"))) {
            checks(out, folder);
        } else {
            spec.commandLine().getErr().println(what + " is no requirement, no test and no folder of a report");
            return UNKNOWN;
        }
        out.flush();
        return 0;
    }

    private static void sentence(PrintWriter out, Requirement requirement) {
        out.println(requirement.citation() + " (" + requirement.level() + ", " + requirement.origin() + ", spec/"
                + requirement.section() + ")");
        out.println("    " + requirement.text());
    }

    private static void explain(PrintWriter out, Requirement requirement, Coverage coverage) {
        sentence(out, requirement);
        out.println("seen by: " + requirement.observed().name().toLowerCase(Locale.ROOT)
                + (requirement.reason().isEmpty() ? "" : ", " + requirement.reason()));
        out.println("applies: " + requirement.appliesIf());
        for (String id : coverage.tests(requirement)) {
            Catalogue.all().stream()
                    .filter(test -> test.id().equals(id))
                    .forEach(test -> out.println("test: " + id + " " + test.title()));
        }
        coverage.mutants(requirement).forEach(line -> out.println("mutant: " + line));
    }

    private static void explain(PrintWriter out, Conformance test, Requirements requirements, Coverage coverage) {
        out.println(test.id() + " " + test.title());
        out.println("about: " + test.role().name().toLowerCase(Locale.ROOT) + ", " + test.planes() + " plane(s)"
                + (test.needs().isEmpty() ? "" : ", needs " + String.join(" ", test.needs())));
        for (String tag : test.tags()) {
            Requirement requirement = requirements.find(tag);
            if (requirement != null) {
                sentence(out, requirement);
            }
        }
        coverage.mutants(test).forEach(line -> out.println("mutant: " + line));
        out.println("run it: ./metaroce compliance run --select " + test.id() + " --trace");
    }

    private static void explain(PrintWriter out, Path folder, Requirements requirements) {
        JsonNode root = Json.read(folder.resolve("results.json"));
        out.println(root.path("verdict").asString() + ": " + root.path("target").asString() + ", "
                + root.path("profile").asString() + ", clock "
                + root.path("clock").asString());
        root.path("gaps").forEach(gap -> out.println(gap.asString()));
        for (JsonNode test : root.path("tests")) {
            String verdict = test.path("verdict").asString();
            if (verdict.equals("PASS") && test.path("reason").asString().isEmpty()) {
                continue;
            }
            out.println(test.path("id").asString() + " " + verdict + ": "
                    + test.path("reason").asString());
            Path evidence = folder.resolve("evidence").resolve(test.path("id").asString());
            if (Files.exists(evidence.resolve("checks.json")) && !verdict.equals("PASS")) {
                checks(out, evidence);
            }
        }
        for (JsonNode each : root.path("requirements")) {
            Requirement known = requirements.find(each.path("id").asString());
            if (each.path("state").asString().equals("VIOLATED") && known != null) {
                sentence(out, known);
            }
        }
    }

    private static void checks(PrintWriter out, Path evidence) {
        for (JsonNode check : Json.read(evidence.resolve("checks.json")).path("checks")) {
            String requirement = check.path("requirement").asString();
            out.println((check.path("ok").asBoolean() ? "    ok   " : "    BAD  ")
                    + (requirement.isEmpty() ? "effect" : requirement) + " ("
                    + check.path("by").asString() + "): " + check.path("detail").asString());
        }
        out.println("    evidence: " + evidence);
    }
}

package io.metaroce.compliance.cli;

import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.report.Outcome;
import io.metaroce.compliance.report.Report;
import io.metaroce.compliance.run.Declaration;
import io.metaroce.compliance.run.RemoteTarget;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Runner;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.tests.TestProfiles;
import io.metaroce.compliance.verdict.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the suite against an implementation. */
@Command(
        name = "run",
        description = "Runs the suite against an implementation and writes a report.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:conformant: every test passed or is not applicable",
            "1:not conformant: a MUST is violated",
            "2:incomplete: something was not proved",
            "3:wrong options, or no agent",
            "4:fault of the suite or of the agent",
            "5:nothing selected"
        })
final class RunCommand implements Callable<Integer> {
    private static final int NOTHING_SELECTED = 5;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--target",
            description =
                    "self: the engine of this checkout in virtual time; udp: the same as a process of its own over real"
                            + " sockets; exec:COMMAND: an agent that speaks UTP/1; tcp:HOST:PORT: one that listens.",
            defaultValue = "self")
    private String target = "self";

    @Option(names = "--out_dir", description = "Folder of the report; none is written without it.")
    private @Nullable Path folder;

    @Option(
            names = "--select",
            description = "Only these tests: ids with * at the end, or tags of requirements, with commas between.",
            split = ",")
    private List<String> selected = List.of();

    @Option(
            names = "--profile",
            description = "What the implementation claims to be: core@1.0 or responder@1.0.",
            defaultValue = "core@1.0")
    private String profile = "core@1.0";

    @Option(names = "--seed", description = "Seed of all random numbers in virtual time.", defaultValue = "1")
    private long seed = 1;

    @Option(
            names = "--ics",
            description = "Declaration of what the implementation has and has not; the engine has its own.")
    private @Nullable Path declared;

    @Option(names = "--strict_should", description = "A violated SHOULD fails its test.")
    private boolean isStrict;

    @Option(names = "--trace", description = "Print every packet and every check.")
    private boolean isTraced;

    @Option(names = "--quiet", description = "No progress.")
    private boolean isQuiet;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Requirements requirements = Requirements.load(Checkout.spec());
        List<Conformance> tests = select(requirements);
        if (tests.isEmpty()) {
            spec.commandLine().getErr().println("nothing is selected by " + selected);
            return NOTHING_SELECTED;
        }
        Target implementation = Targets.of(target);
        try {
            return run(implementation, requirements, tests, out);
        } finally {
            if (implementation instanceof RemoteTarget process) {
                process.close();
            }
        }
    }

    private int run(Target implementation, Requirements requirements, List<Conformance> tests, PrintWriter out)
            throws IOException {
        Codec codec = Codec.ofCheckout();
        Declaration declaration = Targets.declaration(implementation, declared);
        Runner runner = new Runner(implementation, codec, seed, declaration, isStrict);
        List<Result> results = new ArrayList<>();
        for (Conformance test : tests) {
            Result result = runner.run(test);
            results.add(result);
            tell(out, result, results.size() + "/" + tests.size() + " ");
        }
        List<String> gaps = new ArrayList<>();
        if (selected.isEmpty()) {
            declaration.unproved(results).forEach(item -> gaps.add("declared, and proved by no test: " + item));
        }
        Outcome outcome =
                new Outcome(implementation, profile, requirements, seed, results, declaration, gaps, options());
        if (folder != null) {
            Report.write(outcome, folder);
            out.println("report: " + folder.resolve("index.html"));
        }
        gaps.forEach(out::println);
        out.println(outcome.sentence());
        out.println(outcome.summary());
        out.flush();
        return outcome.profile().exitCode();
    }

    /** What decides on verdicts besides target, profile and seed. */
    private List<String> options() {
        List<String> words = new ArrayList<>();
        if (declared != null) {
            words.add("--ics");
            words.add(declared.toString());
        }
        if (isStrict) {
            words.add("--strict_should");
        }
        return words;
    }

    private void tell(PrintWriter out, Result result, String progress) {
        if (isTraced) {
            result.ledger().forEach(seen -> out.println(seen.line()));
            result.checks()
                    .forEach(check -> out.println((check.isOk() ? "ok   " : "BAD  ")
                            + (check.requirement().isEmpty() ? "effect" : check.requirement()) + ": "
                            + check.detail()));
        }
        boolean isGood = result.verdict() == Verdict.PASS || result.verdict() == Verdict.NOT_APPLICABLE;
        if (!isGood || !isQuiet) {
            out.println(progress + result.test().id() + " " + result.verdict()
                    + (result.reason().isEmpty() ? "" : ": " + result.reason()));
        }
        out.flush();
    }

    private List<Conformance> select(Requirements requirements) {
        List<Conformance> found = new ArrayList<>();
        for (Conformance test : TestProfiles.of(profile)) {
            for (String citation : test.citations()) {
                String fault = requirements.fault(citation);
                if (fault != null) {
                    throw new IllegalStateException(test.id() + ": " + fault);
                }
            }
            if (selected.isEmpty() || selected.stream().anyMatch(wish -> fits(test, wish))) {
                found.add(test);
            }
        }
        return found;
    }

    private static boolean fits(Conformance test, String wish) {
        return test.tags().contains(wish)
                || (wish.endsWith("*")
                        ? test.id().startsWith(wish.substring(0, wish.length() - 1))
                        : test.id().equals(wish));
    }
}

package io.metaroce.compliance.cli;

import io.metaroce.compliance.adapter.SelfTarget;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Table;
import io.metaroce.compliance.report.Outcome;
import io.metaroce.compliance.report.Report;
import io.metaroce.compliance.run.RemoteTarget;
import io.metaroce.compliance.run.Result;
import io.metaroce.compliance.run.Runner;
import io.metaroce.compliance.run.Target;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.spec.Requirements;
import io.metaroce.compliance.tests.Conformance;
import io.metaroce.compliance.tests.TestProfiles;
import io.metaroce.compliance.utp.RemoteAgent;
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
        Target implementation = target();
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
        Codec codec = new Codec(new Table(Json.read(Checkout.spec().resolve("wire/packets.json"))));
        Runner runner = new Runner(implementation, codec, seed);
        List<Result> results = new ArrayList<>();
        for (Conformance test : tests) {
            Result result = runner.run(test);
            results.add(result);
            boolean isGood = result.verdict() == Verdict.PASS || result.verdict() == Verdict.NOT_APPLICABLE;
            if (!isGood || !isQuiet) {
                out.println(results.size() + "/" + tests.size() + " " + test.id() + " " + result.verdict()
                        + (result.reason().isEmpty() ? "" : ": " + result.reason()));
                out.flush();
            }
        }
        Outcome outcome = new Outcome(implementation, profile, requirements, seed, results);
        if (folder != null) {
            Report.write(outcome, folder);
            out.println("report: " + folder.resolve("index.html"));
        }
        out.println(outcome.covered() + " of " + requirements.testable().size() + " testable MUSTs covered; "
                + outcome.profile().name().replace('_', '-') + " (" + profile + ", " + implementation.clock() + ")");
        out.println(outcome.count(Verdict.PASS) + " passed, " + outcome.count(Verdict.FAIL) + " failed, "
                + outcome.count(Verdict.INCONCLUSIVE) + " inconclusive, " + outcome.count(Verdict.NOT_APPLICABLE)
                + " n/a, " + outcome.count(Verdict.ERROR) + " error");
        out.flush();
        return outcome.profile().exitCode();
    }

    private Target target() {
        if (target.equals("self")) {
            return new SelfTarget();
        }
        if (target.equals("udp")) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            String classPath = System.getProperty("java.class.path");
            return remote(
                    "udp",
                    List.of(
                            java,
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            classPath,
                            Main.class.getName(),
                            "compliance",
                            "agent"));
        }
        if (target.startsWith("exec:")) {
            return remote(target, List.of(target.substring(5).split(" ")));
        }
        if (target.startsWith("tcp:")) {
            return remote(target, List.of());
        }
        throw new IllegalArgumentException(
                "no target " + target + "; known are: self, udp, exec:COMMAND, tcp:HOST:PORT");
    }

    private static Target remote(String name, List<String> command) {
        try {
            RemoteAgent agent =
                    name.startsWith("tcp:") ? RemoteAgent.at(name.substring(4)) : RemoteAgent.started(command);
            return new RemoteTarget(name, agent);
        } catch (IOException e) {
            throw new IllegalArgumentException("no agent: " + e.getMessage(), e);
        }
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

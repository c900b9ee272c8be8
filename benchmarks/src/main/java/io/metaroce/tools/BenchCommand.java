package io.metaroce.tools;

import io.metaroce.bench.micro.MicroRun;
import io.metaroce.tools.peers.PeersCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Benchmarks: of the library's own parts, and beside others. */
@Command(
        name = "bench",
        description = "Benchmarks: of the library's own parts, and beside others.",
        mixinStandardHelpOptions = true,
        subcommands = {BenchCommand.Micro.class, CrowdCommand.class, TroubleCommand.class, PeersCommand.class})
final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "say which benchmark: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** Time and allocation of one packet in the hot rooms. */
    @Command(
            name = "micro",
            description = "What one packet costs in the engine: time and bytes allocated, by JMH in short settings.",
            mixinStandardHelpOptions = true)
    static final class Micro implements Callable<Integer> {
        private static final int SECONDS_EACH = 10;

        @Parameters(arity = "0..1", paramLabel = "PATTERN", description = "Only benchmarks with this in their name.")
        private String pattern = "";

        @Option(names = "--iterations", description = "Tenths of a second measured per benchmark (${DEFAULT-VALUE}).")
        private int iterations = 30;

        @Mixin
        private JsonFile jsonFile = new JsonFile();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            line(out, "about %d s per benchmark; processors: %s", SECONDS_EACH, CacheLine.measure());
            List<MicroRun.Score> scores = run();
            line(out, "%-40s%12s%12s%12s%12s", "benchmark", "best ns/op", "mean ns/op", "+-", "B/op");
            for (MicroRun.Score score : scores) {
                line(
                        out,
                        "%-40s%12.1f%12.1f%12.1f%12.2f",
                        score.name(),
                        score.bestNs(),
                        score.meanNs(),
                        score.errorNs(),
                        score.bytesPerOp());
            }
            jsonFile.write(root -> fill(root, scores));
            return 0;
        }

        private List<MicroRun.Score> run() throws IOException {
            try {
                return MicroRun.run("io\\.metaroce\\.bench\\.micro\\..*" + pattern, iterations);
            } catch (RunnerException e) {
                throw new IOException("the benchmarks did not run: " + e.getMessage(), e);
            }
        }

        static void fill(ObjectNode root, List<MicroRun.Score> scores) {
            ArrayNode list = root.putArray("benchmarks");
            for (MicroRun.Score score : scores) {
                ObjectNode node = list.addObject()
                        .put("name", score.name())
                        .put("best_ns", score.bestNs())
                        .put("mean_ns", score.meanNs())
                        .put("bytes_per_op", score.bytesPerOp());
                if (!Double.isNaN(score.errorNs())) { // one iteration has no spread
                    node.put("error_ns", score.errorNs());
                }
            }
        }

        private static void line(PrintWriter out, String format, Object... values) {
            out.println(String.format(Locale.ROOT, format, values));
            out.flush();
        }
    }
}

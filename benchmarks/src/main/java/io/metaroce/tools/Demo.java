package io.metaroce.tools;

import io.metaroce.engine.PathView;
import io.metaroce.tools.perf.Transfer;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The main job in one command: real data between two processes, clean, with loss, and with a path cut under way. */
@Command(
        name = "demo",
        description =
                "Moves real data by RDMA WRITE between two processes over UDP on loopback and compares every byte:"
                        + " clean, with 1%% loss, and with one path of 16 cut at half time.",
        mixinStandardHelpOptions = true)
final class Demo implements Callable<Integer> {
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int PATHS = 16;
    private static final int CUT_PATH = 5;
    private static final double LOSS = 0.01;

    @Option(
            names = {"-s", "--size"},
            description = "Bytes of each run (1G; 128M with --quick).")
    private @Nullable ByteSize size;

    @Option(names = "--quick", description = "Moves less, for a first look or a check.")
    private boolean quick;

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** One of the runs. */
    private record Run(String name, String what, Transfer.Wish wish, Transfer.Outcome outcome) {}

    @Override
    public Integer call() throws IOException {
        long bytes = bytes();
        PrintWriter out = spec.commandLine().getOut();
        line(
                out,
                "RDMA WRITE between two processes over UDP on 127.0.0.1, %d paths, %s a run",
                PATHS,
                ByteSize.format(bytes));
        List<Run> runs = new ArrayList<>();
        runs.add(run(out, "clean", "no faults", new Transfer.Wish(bytes, MESSAGE_BYTES, PATHS, 0, -1)));
        runs.add(run(out, "loss", "1 % of all packets lost", new Transfer.Wish(bytes, MESSAGE_BYTES, PATHS, LOSS, -1)));
        runs.add(run(
                out,
                "cut",
                "path " + CUT_PATH + " cut at half time",
                new Transfer.Wish(bytes, MESSAGE_BYTES, PATHS, 0, CUT_PATH)));
        table(out, runs);
        CacheLine.Placement placement = CacheLine.measure();
        line(out, "processors: %s; throughput between two processes depends on it", placement);
        jsonFile.write(root -> fill(root, runs, placement));
        boolean allRight = runs.stream().allMatch(run -> run.outcome().isVerified());
        line(out, "%s", allRight ? "every byte of every run was compared and is right" : "DATA DIFFER");
        return allRight ? 0 : 1;
    }

    private long bytes() {
        long wanted = size == null ? (quick ? 128L << 20 : 1L << 30) : size.bytes();
        if (wanted < MESSAGE_BYTES || wanted > 1L << 40) {
            throw new IllegalArgumentException("-s " + wanted + " is outside 1M..1024G");
        }
        return wanted / MESSAGE_BYTES * MESSAGE_BYTES;
    }

    private static Run run(PrintWriter out, String name, String what, Transfer.Wish wish) throws IOException {
        line(out, "  %s: %s", name, what);
        List<String> arguments = new ArrayList<>();
        arguments.add("write_bw");
        arguments.addAll(wish.serverArguments());
        try (ChildProcess server = ChildProcess.start(arguments)) {
            String address = server.address();
            int colon = address.lastIndexOf(':');
            Transfer.Outcome outcome =
                    Transfer.run(wish, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            if (!server.endsWell()) {
                throw new IOException("the server process failed: " + server.output());
            }
            return new Run(name, what, wish, outcome);
        }
    }

    private static void table(PrintWriter out, List<Run> runs) {
        line(out, "");
        line(out, "%-8s%-10s%16s%14s%10s  %s", "run", "size", "goodput Gbit/s", "packets", "resent", "data");
        for (Run run : runs) {
            line(
                    out,
                    "%-8s%-10s%16.2f%14d%10d  %s",
                    run.name(),
                    ByteSize.format(run.wish().bytes()),
                    run.outcome().bandwidth().gbitsPerSecond(),
                    run.outcome().bandwidth().sentPackets(),
                    run.outcome().bandwidth().retransmits(),
                    run.outcome().isVerified() ? "OK" : "WRONG");
        }
        line(out, "");
        line(out, "packets per path");
        for (Run run : runs) {
            StringBuilder row = new StringBuilder();
            for (PathView path : run.outcome().paths()) {
                row.append(String.format(Locale.ROOT, "%8d%s", path.sentPackets(), hasMoved(path) ? "*" : ""));
            }
            line(out, "%-8s%s", run.name(), row);
        }
        if (runs.stream().flatMap(run -> run.outcome().paths().stream()).anyMatch(Demo::hasMoved)) {
            line(out, "* this path fell silent and went on by another route");
        }
        line(out, "");
    }

    private static boolean hasMoved(PathView path) {
        return path.epoch() != 0;
    }

    private static void fill(ObjectNode root, List<Run> runs, CacheLine.Placement placement) {
        root.put("cache_line_round_trip_nsec", placement.roundTripNs()).put("placement", placement.word());
        ArrayNode list = root.putArray("runs");
        for (Run run : runs) {
            ObjectNode node = list.addObject()
                    .put("name", run.name())
                    .put("what", run.what())
                    .put("bytes", run.wish().bytes())
                    .put("goodput_gbps", run.outcome().bandwidth().gbitsPerSecond())
                    .put("retransmits", run.outcome().bandwidth().retransmits())
                    .put("paths_used", run.outcome().pathsUsed())
                    .put("verified", run.outcome().isVerified());
            ArrayNode packets = node.putArray("packets_per_path");
            for (PathView path : run.outcome().paths()) {
                packets.add(path.sentPackets());
            }
        }
    }

    private static void line(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}

package io.metaroce.tools;

import io.metaroce.tools.perf.PerfKind;
import io.metaroce.tools.perf.PerfOptions;
import io.metaroce.tools.perf.PerfRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Decides which side a test is: server, client, or client with a server of its own as a second process. */
final class PerfStart {
    private static final List<String> CLIENT_FLAGS = List.of("--out_json", "--json-stream");
    private static final List<String> CLIENT_OPTIONS =
            List.of("--out_json_file", "--cut-path", "--trace", "--pcap", "--output", "-W", "--report-counters");

    private PerfStart() {}

    static int run(PerfKind kind, PerfOptions options, CommandSpec spec) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PerfRun run = new PerfRun(kind, options, out);
        if (options.loopback) {
            return loopback(run, spec);
        }
        String host = options.host;
        return host == null ? run.serve() : run.measure(host, options.port);
    }

    private static int loopback(PerfRun run, CommandSpec spec) throws IOException {
        List<String> arguments =
                new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        arguments.remove("--loopback");
        arguments.add("--child");
        try (ChildProcess child = ChildProcess.start(childArguments(arguments))) {
            String address = child.address();
            int colon = address.lastIndexOf(':');
            int code = run.measure(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            if (!child.endsWell()) {
                throw new IOException("the server process failed: " + child.output());
            }
            return code;
        }
    }

    /** The child gets the same words, except those that are the client's business alone. */
    private static List<String> childArguments(List<String> all) {
        List<String> kept = new ArrayList<>(all);
        kept.removeAll(CLIENT_FLAGS);
        CLIENT_OPTIONS.forEach(option -> ChildProcess.withoutOption(kept, option));
        return kept;
    }
}

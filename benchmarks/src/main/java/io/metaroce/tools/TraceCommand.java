package io.metaroce.tools;

import io.metaroce.tools.scope.TraceEvent;
import io.metaroce.tools.scope.TraceFile;
import io.metaroce.tools.scope.TraceText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A trace as text. */
@Command(
        name = "trace",
        description = "Prints a trace that was written with --trace, one line per packet or event.",
        mixinStandardHelpOptions = true)
final class TraceCommand implements Callable<Integer> {
    private static final long LOOK_EVERY_NS = 100_000_000;
    private static final Set<String> STATES = Set.of("path_state", "connection_state");

    @Parameters(paramLabel = "FILE", description = "The trace.")
    private Path file = Path.of("trace.json");

    @Option(names = "--path", description = "Only what concerns this path.")
    private @Nullable Integer path;

    @Option(names = "--only", split = ",", description = "Only these kinds: packets, events, states (packets,events).")
    private Set<String> only = Set.of("packets", "events");

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what is still being written, until interrupted or the time is over.")
    private boolean follow;

    @Option(names = "--for", paramLabel = "TIME", description = "With -f: so long (until interrupted).")
    private @Nullable Span span;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (follow) {
            follow();
        } else {
            TraceFile.read(file, this::print);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    private void print(TraceEvent event) {
        if (only.contains(kind(event)) && concernsPath(event)) {
            spec.commandLine().getOut().println(TraceText.of(event));
        }
    }

    private void follow() throws IOException {
        long startNs = System.nanoTime();
        try (TraceFile trace = TraceFile.open(file)) {
            do {
                trace.poll(this::print);
                spec.commandLine().getOut().flush();
                LockSupport.parkNanos(LOOK_EVERY_NS);
            } while (!Thread.currentThread().isInterrupted()
                    && (span == null
                            || System.nanoTime() - startNs < span.duration().toNanos()));
            trace.poll(this::print);
            spec.commandLine().getOut().flush();
        }
    }

    private static String kind(TraceEvent event) {
        if (STATES.contains(event.name())) {
            return "states";
        }
        return event.name().equals("packet_sent") || event.name().equals("packet_received") ? "packets" : "events";
    }

    private boolean concernsPath(TraceEvent event) {
        if (path == null || event.number("path", -1) == path) {
            return true;
        }
        for (var block : event.data().path("blocks")) {
            if (block.path("path").asInt(-1) == path) {
                return true;
            }
        }
        return false;
    }
}

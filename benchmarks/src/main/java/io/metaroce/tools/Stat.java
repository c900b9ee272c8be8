package io.metaroce.tools;

import io.metaroce.tools.stat.RunningJvm;
import io.metaroce.tools.stat.Snapshot;
import io.metaroce.tools.stat.StatScreen;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Live counters and paths of the endpoints of a running process. */
@Command(
        name = "stat",
        description = {
            "Counters, connections and paths of the endpoints of a running Java process, as they change.",
            "The process must be of the same user and machine, and show its endpoints in JMX: the tools do, "
                    + "applications call EndpointJmx.register. An entropy with * is borrowed from another path."
        },
        mixinStandardHelpOptions = true)
final class Stat implements Callable<Integer> {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Parameters(arity = "0..1", paramLabel = "PID", description = "The process; without it the choice is listed.")
    private @Nullable String pid;

    @Option(
            names = {"-i", "--interval"},
            defaultValue = "1s",
            description = "Time between two looks (${DEFAULT-VALUE}).")
    private Span interval = Span.parse("1s");

    @Option(
            names = {"-c", "--count"},
            description = "End after so many looks; without it when the process ends.")
    private int count = Integer.MAX_VALUE;

    @Option(names = "--plain", description = "Print one look after the other instead of filling the screen.")
    private boolean plain;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    @SuppressWarnings("SystemConsoleNull") // from JDK 22 on there is always one: then --plain is needed in a pipe
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null) {
            out.println("say which process:");
            RunningJvm.others().forEach(out::println);
            out.flush();
            return 2;
        }
        boolean isScreen = !plain && System.console() != null;
        Map<String, Snapshot> before = new TreeMap<>();
        try (RunningJvm process = RunningJvm.attach(pid)) {
            for (int look = 0; look < count; look++) {
                if (look > 0) {
                    LockSupport.parkNanos(interval.duration().toNanos());
                }
                show(out, process.look(), before, isScreen);
            }
        } catch (java.rmi.ConnectException | java.rmi.UnmarshalException e) {
            out.println("process " + pid + " has ended");
            out.flush();
        }
        return 0;
    }

    private static void show(PrintWriter out, List<Snapshot> now, Map<String, Snapshot> before, boolean isScreen) {
        if (isScreen) {
            out.print(CLEAR);
        }
        if (now.isEmpty()) {
            out.println("the process shows no endpoint; an application calls EndpointJmx.register(endpoint)");
        }
        for (Snapshot each : now) {
            StatScreen.lines(before.put(each.address(), each), each).forEach(out::println);
            out.println();
        }
        out.flush();
    }
}

package io.metaroce.tools;

import io.metaroce.udp.UdpConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Many connections between two processes: a message over each, what they cost, and what they cost when idle. */
@Command(
        name = "connections",
        description = "Many connections between two processes: a message over each, memory and files, cost when idle.",
        mixinStandardHelpOptions = true)
final class CrowdCommand implements Callable<Integer> {
    private static final int CONNECTIONS_MAX = 4096;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Option(names = "--connections", description = "Connections (${DEFAULT-VALUE}).")
    private int connections = 4000;

    @Option(names = "--loops", description = "Event loops of each side, a power of two (${DEFAULT-VALUE}).")
    private int loops = 1;

    @Option(names = "--size", description = "Bytes of a message (${DEFAULT-VALUE}).")
    private int size = 64;

    @Option(names = "--idle", paramLabel = "SECONDS", description = "Watch the idle connections so long (0).")
    private int idleSeconds;

    @Option(names = "--congestion-marks", description = "Whether both sides read marks (${DEFAULT-VALUE}).")
    private UdpConfig.Offload marks = UdpConfig.Offload.AUTO;

    @Option(names = "--engine", description = "What waits for sockets: AUTO, EPOLL, NIO (${DEFAULT-VALUE}).")
    private UdpConfig.Engine engine = UdpConfig.Engine.AUTO;

    @Option(names = "--child", hidden = true)
    private boolean child;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException("--connections " + connections + " is outside 1.." + CONNECTIONS_MAX);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (CrowdSide side = CrowdSide.open("127.0.0.1", loops, connections, size, marks, engine)) {
            if (child) {
                new CrowdServer(side).run(out);
            } else {
                measure(side, out);
            }
        }
        return 0;
    }

    /** Ends the other process if it is there still; what went wrong before is what counts. */
    private static void end(ChildProcess server, IOException cause) {
        try {
            server.tell("end");
            boolean unused = server.endsWell(PATIENCE);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private void measure(CrowdSide side, PrintWriter out) throws IOException {
        ProcessFigures.Garbage before = ProcessFigures.Garbage.now();
        List<String> arguments = List.of(
                "bench",
                "connections",
                "--child",
                "--connections=" + connections,
                "--loops=" + loops,
                "--size=" + size,
                "--congestion-marks=" + marks,
                "--engine=" + engine);
        try (ChildProcess server = ChildProcess.start(arguments)) {
            CrowdClient client = new CrowdClient(side);
            try {
                client.connect(server.address(), connections);
                client.ping();
            } catch (IOException e) {
                end(server, e);
                throw new IOException(
                        e.getMessage() + "; this side: " + side.summary() + "; the other process said: "
                                + server.output(),
                        e);
            }
            out.println("pings: " + connections + " of " + size + " bytes, all came back");
            out.flush();
            if (idleSeconds > 0) {
                rest(1);
                server.tell("mark");
                side.mark();
                rest(idleSeconds);
                out.println("client idle: " + side.sinceMark());
                server.tell("idle");
            }
            out.println("client: " + side.summary() + "; " + client.retries() + " attempts made again");
            out.println("garbage collection of the client: "
                    + ProcessFigures.Garbage.now().since(before));
            server.tell("end");
            if (!server.endsWell(PATIENCE)) {
                throw new IOException("the server process failed: " + server.output());
            }
            server.output().lines().filter(line -> line.startsWith("server")).forEach(out::println);
            out.flush();
        }
    }

    private static void rest(int seconds) throws IOException {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

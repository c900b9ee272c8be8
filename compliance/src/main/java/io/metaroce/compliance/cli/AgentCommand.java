package io.metaroce.compliance.cli;

import io.metaroce.compliance.adapter.EngineAgent;
import io.metaroce.compliance.adapter.UdpHosts;
import io.metaroce.compliance.spec.Json;
import io.metaroce.compliance.utp.UtpException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The agent of this engine over real sockets: UTP/1 on standard input and output or TCP, until the input ends. */
@Command(
        name = "agent",
        description = "The upper-tester agent of this engine over real sockets: UTP/1 on standard input and output.",
        mixinStandardHelpOptions = true)
final class AgentCommand implements Callable<Integer> {
    private static final long PUMP_NS = 500_000;
    private static final int CALLER_MS = 600_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isOver;

    @Option(
            names = "--listen",
            paramLabel = "PORT",
            description =
                    "Serve one suite over TCP instead, on 127.0.0.1; 0 takes a free port. The address is the first"
                            + " line of output.")
    private @Nullable Integer port;

    @Override
    public Integer call() throws IOException {
        if (port == null) {
            serve(System.in, spec.commandLine().getOut());
            return 0;
        }
        try (ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            listener.setSoTimeout(CALLER_MS);
            spec.commandLine().getOut().println("127.0.0.1:" + listener.getLocalPort());
            spec.commandLine().getOut().flush();
            try (Socket suite = listener.accept()) {
                suite.setTcpNoDelay(true);
                serve(suite.getInputStream(), new PrintWriter(suite.getOutputStream(), false, StandardCharsets.UTF_8));
            }
        }
        return 0;
    }

    private void serve(InputStream from, PrintWriter out) throws IOException {
        try (EngineAgent agent = new EngineAgent(new UdpHosts());
                BufferedReader in = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            Thread pump = new Thread(() -> pump(agent, out), "events");
            pump.setDaemon(true);
            pump.start();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lock.lock();
                try {
                    tell(agent, out);
                    out.println(Json.line(answer(agent, Json.parse(line))));
                    out.flush();
                } finally {
                    lock.unlock();
                }
            }
            isOver = true;
        }
    }

    private void pump(EngineAgent agent, PrintWriter out) {
        while (!isOver) {
            LockSupport.parkNanos(PUMP_NS);
            lock.lock();
            try {
                tell(agent, out);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void tell(EngineAgent agent, PrintWriter out) {
        for (JsonNode event : agent.events()) {
            out.println(Json.line(event));
            out.flush();
        }
    }

    private static ObjectNode answer(EngineAgent agent, JsonNode request) {
        int id = request.path("id").asInt();
        try {
            ObjectNode arguments = ((ObjectNode) request).deepCopy();
            arguments.remove("id");
            arguments.remove("cmd");
            return agent.call(request.path("cmd").asString(""), arguments)
                    .put("id", id)
                    .put("ok", true);
        } catch (UtpException e) {
            return Json.object()
                    .put("id", id)
                    .put("ok", false)
                    .put("err", e.code())
                    .put("msg", e.getMessage());
        }
    }
}

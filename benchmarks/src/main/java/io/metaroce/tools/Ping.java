package io.metaroce.tools;

import io.metaroce.observe.EndpointJmx;
import io.metaroce.param.Profiles;
import io.metaroce.tools.perf.PatientConnect;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import io.metaroce.verbs.AccessFlag;
import io.metaroce.verbs.CompletionQueue;
import io.metaroce.verbs.Connection;
import io.metaroce.verbs.Device;
import io.metaroce.verbs.Listener;
import io.metaroce.verbs.MemoryRegion;
import io.metaroce.verbs.ProtectionDomain;
import io.metaroce.verbs.QpInitAttributes;
import io.metaroce.verbs.QpState;
import io.metaroce.verbs.QueuePair;
import io.metaroce.verbs.SendFlag;
import io.metaroce.verbs.WorkCompletion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The first health check: text goes there by SEND and comes back, as rping does it. */
@Command(name = "ping", description = "Sends text to a server and back, as rping does.")
final class Ping implements Callable<Integer> {
    private static final int SERVICE = 7174;
    private static final int LETTERS = 26;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration WAIT_FOR_CLIENT = Duration.ofMinutes(10);

    @Option(names = "-s", description = "Server.")
    private boolean server;

    @Option(names = "-c", description = "Client.")
    private boolean client;

    @Option(
            names = "-a",
            description = "Address: of the server for a client, to listen on for a server (${DEFAULT-VALUE}).")
    private String address = "127.0.0.1";

    @Option(names = "-p", description = "UDP port of the server (${DEFAULT-VALUE}).")
    private int port = SERVICE;

    @Option(names = "-S", description = "Bytes of each ping (${DEFAULT-VALUE}).")
    private int size = 64;

    @Option(names = "-C", description = "Number of pings (${DEFAULT-VALUE}).")
    private int count = 1;

    @Option(names = "-v", description = "Print the data.")
    private boolean verbose;

    @Option(names = "-V", description = "Compare the data.")
    private boolean validate;

    @Option(names = "-P", description = "Server: serve one client after the other.")
    private boolean persistent;

    @Option(names = "-q", description = "Quiet.")
    private boolean quiet;

    @Option(
            names = "--psk-file",
            paramLabel = "FILE",
            description = "Encrypt with the key in this file, 32 or more hexadecimal digits; the same at both sides.")
    private @Nullable Path keyFile;

    @Option(names = "--connect-timeout", description = "Client: wait so long for the server (10s).")
    private @Nullable Span connectTimeout;

    // Not the standard options: -V means something else here.
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (server == client) {
            throw new IllegalArgumentException("say -s for the server or -c for the client");
        }
        if (size < 16 || size > 1 << 20) {
            throw new IllegalArgumentException("-S " + size + " is outside 16..1048576");
        }
        PrintWriter out = spec.commandLine().getOut();
        String local = client ? Local.addressTowards(address) : address;
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.builder()
                        .bind(Local.join(local, client ? 0 : port))
                        .settings(Profiles.udp().withSecurity(KeyFile.security(keyFile)))
                        .build());
                Device device = Device.open(endpoint)) {
            EndpointJmx shown = EndpointJmx.register(endpoint);
            try {
                if (client) {
                    ping(device, out);
                } else {
                    serve(device, out);
                }
            } finally {
                shown.close();
            }
        }
        return 0;
    }

    private void serve(Device device, PrintWriter out) throws IOException {
        try (Listener listener = device.listen(SERVICE)) {
            do {
                Line line = new Line(device, size);
                line.postReceive();
                Connection connection;
                try {
                    connection = listener.accept(WAIT_FOR_CLIENT).accept(line.queuePair);
                } catch (TimeoutException e) {
                    throw new IOException("no client came within " + WAIT_FOR_CLIENT.toMinutes() + " minutes", e);
                }
                while (line.awaitReceive(connection)) {
                    say(out, verbose, "server ping data: " + line.received());
                    line.postReceive();
                    line.sendBack();
                }
                say(out, !quiet, "DISCONNECT EVENT...");
                connection.close(Duration.ofSeconds(1));
            } while (persistent);
        }
    }

    private void ping(Device device, PrintWriter out) throws IOException {
        Line line = new Line(device, size);
        Duration limit = connectTimeout == null ? PATIENCE : connectTimeout.duration();
        Connection connection = PatientConnect.connect(
                device, Local.join(address, port), SERVICE, new byte[0], limit, line::begin, line.queuePair);
        for (int i = 0; i < count; i++) {
            String text = text(i);
            line.send(text);
            if (!line.awaitReceive(connection)) {
                throw new IOException("the server went away before ping " + i + " came back");
            }
            if (validate && !line.received().equals(text)) {
                throw new IOException("data mismatch!");
            }
            say(out, verbose, "ping data: " + line.received());
            line.postReceive();
        }
        connection.close(Duration.ofSeconds(5));
        say(out, !quiet, "client DISCONNECT EVENT...");
    }

    /** The text of a ping: its number, then letters that begin one further each time. */
    private String text(int number) {
        StringBuilder text = new StringBuilder("rdma-ping-" + number + ": ");
        for (int i = 0; text.length() < size; i++) {
            text.append((char) ('A' + (number + i) % LETTERS));
        }
        return text.substring(0, size);
    }

    private static void say(PrintWriter out, boolean wanted, String text) {
        if (wanted) {
            out.println(text);
            out.flush();
        }
    }

    /** A queue pair with one buffer each way. */
    private static final class Line {
        private final QueuePair queuePair;
        private final CompletionQueue queue;
        private final MemoryRegion region;
        private final int size;
        private final WorkCompletion[] done = WorkCompletion.array(4);
        private int received;

        Line(Device device, int size) {
            this.size = size;
            ProtectionDomain domain = device.createProtectionDomain();
            queue = device.createCompletionQueue(16);
            queuePair = domain.createQueuePair(QpInitAttributes.of(queue));
            queuePair.modify(QpState.INIT);
            region = domain.allocate(2L * (1 << 20), AccessFlag.LOCAL_WRITE);
        }

        void begin() {
            while (queue.poll(done) > 0) {
                // what a failed try has flushed
            }
            postReceive();
        }

        void postReceive() {
            queuePair.postReceive(1, region.lkey(), 1 << 20, 1 << 20);
        }

        void send(String text) {
            region.put(0, text.getBytes(StandardCharsets.US_ASCII));
            queuePair.postSend(2, region.lkey(), 0, size, SendFlag.mask(SendFlag.SIGNALED));
        }

        void sendBack() {
            queuePair.postSend(2, region.lkey(), 1 << 20, received, SendFlag.mask(SendFlag.SIGNALED));
        }

        String received() {
            byte[] bytes = new byte[received];
            region.get(1 << 20, bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }

        /** Waits for a message; false when the connection has ended. */
        boolean awaitReceive(Connection connection) throws IOException {
            long endNs = System.nanoTime() + WAIT_FOR_CLIENT.toNanos();
            while (System.nanoTime() < endNs) {
                int n = queue.await(done, Duration.ofMillis(200));
                for (int i = 0; i < n; i++) {
                    if (done[i].wrId() == 1 && done[i].isSuccess()) {
                        received = (int) done[i].byteLength();
                        return true;
                    }
                    if (!done[i].isSuccess()) {
                        return false;
                    }
                }
                if (n == 0 && connection.isClosed()) {
                    return false;
                }
            }
            throw new IOException("nothing came within " + WAIT_FOR_CLIENT.toMinutes() + " minutes");
        }
    }
}

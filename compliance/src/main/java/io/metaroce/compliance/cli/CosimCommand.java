package io.metaroce.compliance.cli;

import io.metaroce.compliance.cosim.Bench;
import io.metaroce.compliance.cosim.Client;
import io.metaroce.compliance.cosim.OfflineLog;
import io.metaroce.compliance.cosim.Server;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.spec.Commit;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The behavioural model as a process: COSIM/1 on standard input and output, or over a socket. */
@Command(
        name = "cosim",
        description = "The behavioural model as a process: COSIM/1 on standard input and output, or over a socket.",
        mixinStandardHelpOptions = true)
final class CosimCommand implements Callable<Integer> {
    private static final int OUT_BYTES = 1 << 16;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup
    private @Nullable Place place;

    /** Where clients come from. */
    static final class Place {
        @Option(names = "--unix", description = "Serve clients one after another at this path of the file system.")
        private @Nullable Path unix;

        @Option(names = "--tcp", description = "Serve clients one after another at this port of 127.0.0.1.")
        private int tcp = -1;

        @Option(names = "--compare", description = "Compare this log of a device, a line per event, and end.")
        private @Nullable Path log;

        @Option(
                names = "--bench",
                description =
                        "Start the process, step two joined handles in it until there were so many events, and say how"
                                + " many a second that were.")
        private long events;

        private Place() {}
    }

    @Option(names = "--once", description = "End after the first client; standard input and output serve one anyway.")
    private boolean isOnce;

    @Override
    public Integer call() throws IOException {
        if (place == null) {
            try (FileInputStream in = new FileInputStream(FileDescriptor.in);
                    OutputStream out = buffered(new FileOutputStream(FileDescriptor.out))) {
                boolean unused = server().serve(in, out);
            }
        } else if (place.log != null) {
            return OfflineLog.compare(
                            place.log, Codec.ofCheckout(), spec.commandLine().getOut())
                    ? 0
                    : 1;
        } else if (place.events > 0) {
            bench(place.events);
        } else if (place.unix != null) {
            serveUnix(place.unix);
        } else {
            serveTcp(place.tcp);
        }
        return 0;
    }

    private static Server server() {
        return new Server(Commit.hash(), Codec.ofCheckout());
    }

    private void bench(long events) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), Main.class.getName(), "cosim")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Bench bench = new Bench(new Client(process.getInputStream(), process.getOutputStream()));
            long beganNs = System.nanoTime();
            String hashes = bench.run(events);
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            Duration used = process.info().totalCpuDuration().orElse(Duration.ZERO);
            PrintWriter out = spec.commandLine().getOut();
            out.printf(
                    Locale.ROOT,
                    "%d events, %d requests in %.2f s: %.0f events/s, %.0f requests/s; %.2f s of CPU in the process%n",
                    bench.events(),
                    bench.requests(),
                    seconds,
                    bench.events() / seconds,
                    bench.requests() / seconds,
                    used.toMillis() / 1e3);
            out.println("hashes: " + hashes);
            out.flush();
        } finally {
            process.destroy();
        }
    }

    private static OutputStream buffered(OutputStream out) {
        return new BufferedOutputStream(out, OUT_BYTES);
    }

    private void serveUnix(Path path) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            try {
                do {
                    try (SocketChannel client = server.accept();
                            OutputStream out = buffered(Channels.newOutputStream(client))) {
                        serve(() -> server().serve(Channels.newInputStream(client), out));
                    }
                } while (!isOnce);
            } finally {
                Files.deleteIfExists(path); // only what was made here: whoever cannot bind leaves it
            }
        }
    }

    private void serveTcp(int port) throws IOException {
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            do {
                try (Socket client = server.accept();
                        OutputStream out = buffered(client.getOutputStream())) {
                    client.setTcpNoDelay(true);
                    serve(() -> server().serve(client.getInputStream(), out));
                }
            } while (!isOnce);
        }
    }

    /** One client. */
    private interface Serving {
        boolean serve() throws IOException;
    }

    // A client that breaks off in the middle is no reason to leave the others alone.
    private void serve(Serving serving) {
        try {
            boolean unused = serving.serve();
        } catch (IOException e) {
            spec.commandLine().getErr().println("a client is gone: " + e.getMessage());
        }
    }
}

package io.metaroce.compliance.cli;

import io.metaroce.compliance.cosim.Server;
import io.metaroce.compliance.lt.codec.Codec;
import io.metaroce.compliance.lt.codec.Table;
import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Commit;
import io.metaroce.compliance.spec.Json;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
        } else if (place.unix != null) {
            serveUnix(place.unix);
        } else {
            serveTcp(place.tcp);
        }
        return 0;
    }

    private static Server server() {
        return new Server(
                Commit.hash(), new Codec(new Table(Json.read(Checkout.spec().resolve("wire/packets.json")))));
    }

    private static OutputStream buffered(OutputStream out) {
        return new BufferedOutputStream(out, OUT_BYTES);
    }

    private void serveUnix(Path path) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            do {
                try (SocketChannel client = server.accept();
                        OutputStream out = buffered(Channels.newOutputStream(client))) {
                    serve(() -> server().serve(Channels.newInputStream(client), out));
                }
            } while (!isOnce);
        } finally {
            Files.deleteIfExists(path);
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

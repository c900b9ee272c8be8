package io.metaroce.compliance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.cosim.Client;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code metaroce cosim} as a process, over sockets, with a log, and its bench. */
@Timeout(120)
class CosimCommandTest {
    private final StringWriter told = new StringWriter();

    @Test
    void theBenchStartsTheProcessAndCountsItsEvents() {
        assertThat(run("cosim", "--bench", "3000")).as(told.toString()).isZero();
        assertThat(told.toString()).containsPattern("3\\d\\d\\d events, \\d+ requests in .* events/s");
        String first = told.toString().lines().toList().get(1);
        assertThat(run("cosim", "--bench", "3000")).isZero();
        assertThat(told.toString().lines().toList().get(3))
                .as("a second run comes to the same state")
                .isEqualTo(first);
    }

    @Test
    void aSocketOfTheFileSystemIsServed(@TempDir Path folder) throws Exception {
        Path path = folder.resolve("s");
        CompletableFuture<Integer> serving =
                CompletableFuture.supplyAsync(() -> run("cosim", "--unix", path.toString(), "--once"));
        while (!Files.exists(path)) {
            Thread.onSpinWait();
        }
        try (SocketChannel channel = connected(UnixDomainSocketAddress.of(path))) {
            talk(Channels.newInputStream(channel), Channels.newOutputStream(channel));
        }
        assertThat(serving.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(path).doesNotExist();
    }

    @Test
    void aFileThatIsThereAlreadyIsLeftAlone(@TempDir Path folder) throws IOException {
        Path path = Files.writeString(folder.resolve("notes"), "mine");
        assertThat(run("cosim", "--unix", path.toString(), "--once")).isNotZero();
        assertThat(path).hasContent("mine");
    }

    private static SocketChannel connected(UnixDomainSocketAddress to) {
        while (true) {
            try {
                return SocketChannel.open(to);
            } catch (IOException e) {
                Thread.onSpinWait(); // bound, and does not listen yet
            }
        }
    }

    @Test
    void aPortOfThisMachineIsServed() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        CompletableFuture<Integer> serving =
                CompletableFuture.supplyAsync(() -> run("cosim", "--tcp", String.valueOf(port), "--once"));
        try (Socket socket = connected(port)) {
            talk(socket.getInputStream(), socket.getOutputStream());
        }
        assertThat(serving.get(60, TimeUnit.SECONDS)).isZero();
    }

    private static Socket connected(int port) {
        while (true) {
            try {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return socket;
            } catch (IOException e) {
                Thread.onSpinWait(); // nobody listens yet
            }
        }
    }

    private static void talk(InputStream in, OutputStream out) throws IOException {
        Client client = new Client(in, out);
        int handle = client.ask(Json.object().put("op", "new")).path("h").asInt();
        assertThat(client.advance(handle, 17).reachedNs()).isEqualTo(17);
        assertThat(client.ask(Json.object().put("op", "bye")).path("ok").asBoolean())
                .isTrue();
    }

    @Test
    void aLogIsComparedUpToTheFirstMismatch(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("run.ndjson");
        String begin = """
                {"role":"responder"}
                {"kind":"ADVANCE","t_ns":5}
                {"kind":"RX","t_ns":9,"from":"10.0.0.1:7","hex":"1001"}

                """;
        Files.writeString(log, begin + "{\"kind\":\"RX_DROP\",\"t_ns\":9,\"reason\":\"short\"}\n");
        assertThat(run("cosim", "--compare", log.toString()))
                .as(told.toString())
                .isZero();
        assertThat(told.toString()).contains("3 events, no mismatch");
        Files.writeString(log, begin + "{\"kind\":\"RX_DROP\",\"t_ns\":9,\"reason\":\"integrity\"}\n");
        assertThat(run("cosim", "--compare", log.toString())).isEqualTo(1);
        assertThat(told.toString()).contains("line 5: ", "\"requirement\":\"R-HDR-002\"");
        Files.writeString(log, begin + "no JSON\n");
        assertThat(run("cosim", "--compare", log.toString())).isEqualTo(3);
        assertThat(told.toString()).contains("line 5 is no JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "{\"role\":\"responder\"}\n"})
    void aLogWithoutEventsProvesNothing(String text, @TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("run.ndjson"), text);
        assertThat(run("cosim", "--compare", log.toString())).isEqualTo(3);
        assertThat(told.toString()).contains("has no events").doesNotContain("no mismatch");
    }

    private int run(String... words) {
        PrintWriter out = new PrintWriter(told);
        int code = Main.run(out, out, words);
        out.flush();
        return code;
    }
}

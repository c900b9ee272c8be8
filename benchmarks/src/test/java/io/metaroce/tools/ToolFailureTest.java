package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong says what, in one line, before the deadline, with an exit code that is not 0. */
class ToolFailureTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private static void failed(Tool tool, Duration limit) throws Exception {
        assertThat(tool.code()).isEqualTo(FAILED);
        assertThat(tool.took()).isLessThan(limit);
        assertThat(tool.err().strip()).isNotEmpty();
    }

    @Test
    void differentSizesOfTheTwoSidesAreNamedWithBothValues() throws Exception {
        String port = Tool.freePort();
        Tool server = Tool.serve("write_bw", "-p", port, "-s", "64K");
        Tool client = Tool.run("write_bw", "127.0.0.1", "-p", port, "-s", "32K");
        failed(client, SOON);
        assertThat(client.err().strip().lines()).hasSize(1);
        assertThat(client.err()).contains("-s differs", "65536", "32768");
        failed(server, SOON.plus(Tool.LONG));
        assertThat(server.err()).contains("-s differs", "65536", "32768");
    }

    @Test
    void differentNumbersOfQueuePairsAreNamedWithBothValues() throws Exception {
        String port = Tool.freePort();
        Tool server = Tool.serve("send_bw", "-p", port, "-q", "2");
        Tool client = Tool.run("send_bw", "127.0.0.1", "-p", port, "-q", "3");
        failed(client, SOON);
        assertThat(client.err()).contains("-q differs: server 2, client 3");
        assertThat(server.code()).isEqualTo(FAILED);
    }

    @Test
    void nobodyThereNobodyListeningAndNobodyAnsweringAreThreeMessages() throws Exception {
        String closed = Tool.freePort();
        Tool nobody = Tool.run("write_bw", "127.0.0.1", "-p", closed, "--connect-timeout", "1s");
        failed(nobody, SOON);
        assertThat(nobody.err()).contains("127.0.0.1:" + closed);

        String other = Tool.freePort();
        Tool server = Tool.serve("send_lat", "-p", other);
        Tool refused = Tool.run("write_bw", "127.0.0.1", "-p", other, "--connect-timeout", "5s");
        failed(refused, SOON);
        assertThat(refused.err()).contains("127.0.0.1:" + other);
        assertThat(server.out()).as("goes on waiting").doesNotContain("refused");

        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(silent.getLocalPort());
            Tool unanswered = Tool.run("write_bw", "127.0.0.1", "-p", port, "--connect-timeout", "1s");
            failed(unanswered, SOON);
            assertThat(unanswered.err()).contains("127.0.0.1:" + port);

            assertThat(cause(nobody, closed))
                    .isNotEqualTo(cause(refused, other))
                    .isNotEqualTo(cause(unanswered, port))
                    .contains("no socket is bound at 127.0.0.1:PORT");
            assertThat(cause(refused, other)).contains("nobody listens for this service");
            assertThat(cause(unanswered, port)).contains("nothing came back");
        }
    }

    private static String cause(Tool tool, String port) {
        return tool.err().strip().replace(port, "PORT");
    }

    @ParameterizedTest
    @CsvSource({
        "write_bw --frobnicate, --frobnicate is not supported by this tool",
        "ping -Z, -Z is not supported by this tool",
        "devinfo --gid, --gid is not supported by this tool",
        "write_bw -s 3X, '3X' is no size",
        "write_bw -D soon, 'soon' is no time",
        "write_bw --loss 200%, '200%' is no probability",
        "write_bw --cut-path x, 'x' is no cut",
        "example frobnicate, no example is called frobnicate; there are ping-pong",
        "frobnicate, frobnicate"
    })
    void aWrongCommandLineSaysWhatIsWrongAndWhereHelpIs(String words, String complaint) throws Exception {
        Tool tool = Tool.run(words.split(" "));
        assertThat(tool.code()).isEqualTo(WRONG_USAGE);
        assertThat(tool.err()).contains(complaint);
        assertThat(tool.err().strip().lines()).hasSize(2).last().asString().startsWith("hint: metaroce");
    }

    @ParameterizedTest
    @CsvSource({
        "write_bw 127.0.0.1 -q 17, -q 17 is outside 1..16",
        "send_bw 127.0.0.1 -s 4G, -s 4294967296 is outside",
        "write_lat 127.0.0.1 -q 2, latency is measured on one queue pair",
        "write_bw 127.0.0.1 --paths 255, --paths 255 is outside 1..254",
        "write_bw 127.0.0.1 -m 1500, 1500",
        "ping -S 8 -c, -S 8 is outside 16..1048576",
        "ping -a 127.0.0.1, say -s for the server or -c for the client",
        "demo -s 1K, -s 1024 is outside",
        "write_bw --loopback -m 100, '-m 100 is none of [1024, 2048, 4096, 8192]'",
        "send_lat --loopback -s 5G, -s 5368709120 is outside 0..",
        "sim run E99, no scenario is called E99"
    })
    void aValueOutOfRangeIsNamedWithItsRange(String words, String complaint) throws Exception {
        Tool tool = Tool.run(words.split(" "));
        assertThat(tool.code()).isEqualTo(WRONG_USAGE);
        assertThat(tool.took()).isLessThan(SOON);
        assertThat(tool.err()).contains(complaint);
    }

    @Test
    void whoSaysNothingIsToldWhatThereIs() throws Exception {
        Tool tool = Tool.run();
        assertThat(tool.code()).isEqualTo(WRONG_USAGE);
        assertThat(tool.err()).contains("write_bw", "allreduce", "stat");
    }

    @ParameterizedTest
    @CsvSource({
        "devinfo -d nonesuch, no usable interface named nonesuch",
        "trace there/is/none, there/is/none: no such file or folder",
        "scope there/is/none --html x.html, there/is/none: no such file or folder"
    })
    void whatIsNotThereIsNamed(String words, String complaint) throws Exception {
        Tool tool = Tool.run(words.split(" "));
        failed(tool, SOON);
        assertThat(tool.err()).contains(complaint);
    }
}

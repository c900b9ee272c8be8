package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.page.Browser;
import io.metaroce.tools.scope.TraceFile;
import io.metaroce.tools.wireshark.Tshark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run over real sockets with losses, recorded: what tshark, the schema and a browser make of it. */
class RecordingTest {
    private static final String ANY_PORT = "1024-65535";

    @TempDir
    private static Path folder = Path.of("");

    private static Path trace = Path.of("");
    private static Path capture = Path.of("");

    @BeforeAll
    static void run() throws Exception {
        trace = folder.resolve("trace.json");
        capture = folder.resolve("trace.pcapng");
        Tool.run(
                        "write_bw",
                        "--loopback",
                        "-s",
                        "32K",
                        "-n",
                        "100",
                        "--paths",
                        "3",
                        "--loss",
                        "3%",
                        "--trace",
                        trace.toString(),
                        "--pcap",
                        capture.toString())
                .endsWell();
    }

    @Test
    void tsharkReadsEveryPacketAndEveryTrailerIsRight() throws Exception {
        Tshark tshark = Tshark.orSkip(folder);
        List<String> right = tshark.fields(capture, ANY_PORT, "metaroce.trailer.status == \"right\"", "frame.number");
        String bad = "metaroce.malformed || metaroce.unknown || _ws.malformed"
                + " || (metaroce.trailer.status != \"right\" && udp.length > 9)"; // a question has no trailer

        assertThat(tshark.fields(capture, ANY_PORT, bad, "frame.number")).isEmpty();
        assertThat(right).hasSizeGreaterThan(800);
        assertThat(tshark.fields(capture, ANY_PORT, "!metaroce", "frame.number"))
                .isEmpty();
        assertThat(tshark.fields(capture, ANY_PORT, "metaroce.resent", "frame.number"))
                .isNotEmpty();
    }

    @Test
    void everyLineOfTheTraceIsAsTheSchemaSays() throws Exception {
        JsonSchema schema = JsonSchema.named("trace");
        List<String> lines = Files.readAllLines(trace);
        assertThat(lines).hasSizeGreaterThan(800);
        lines.forEach(schema::accepts);
        assertThat(String.join("", lines))
                .contains("connection_established", "path_state", "slot_lost", "hint_changed", "\"resent\":true");
    }

    @Test
    void theTraceAsTextNamesPacketsAndResends() throws Exception {
        String text = Tool.run("trace", trace.toString()).endsWell().out();
        assertThat(text).contains("> CONN_REQ", "< ACK", "[resent]", "slot_lost");
        String one = Tool.run("trace", trace.toString(), "--path", "2", "--only", "packets")
                .endsWell()
                .out();
        assertThat(one).contains("> WRITE path 2.0").doesNotContain("> WRITE path 1.0", "slot_lost");
    }

    @Test
    void aTraceThatGrowsIsReadLineByLine() throws Exception {
        String all = String.join("\n", Files.readAllLines(trace).subList(0, 3)) + "\n";
        int cut = all.indexOf('\n') + 5; // within the second line
        Path growing = Files.writeString(folder.resolve("growing.json"), all.substring(0, cut));
        List<String> names = new ArrayList<>();
        try (TraceFile reading = TraceFile.open(growing)) {
            reading.poll(event -> names.add(event.name()));
            assertThat(names).containsExactly("trace_start");
            reading.poll(event -> names.add(event.name()));
            assertThat(names).as("nothing is told twice").hasSize(1);
            Files.writeString(growing, all.substring(cut), StandardOpenOption.APPEND);
            reading.poll(event -> names.add(event.name()));
            assertThat(names).hasSize(3);
        }
        String followed = Tool.run("trace", "-f", "--for", "1ms", growing.toString())
                .endsWell()
                .out();
        assertThat(followed)
                .isEqualTo(Tool.run("trace", growing.toString()).endsWell().out());
    }

    @Test
    void whatIsNoTraceIsRefused() throws Exception {
        Path other = Files.writeString(folder.resolve("other.json"), "{}\n");
        Tool tool = Tool.run("trace", other.toString());
        assertThat(tool.code()).isEqualTo(1);
        assertThat(tool.err()).contains("is no trace");
    }

    @Test
    void thePageDrawsEachPath() throws Exception {
        Path page = folder.resolve("page.html");
        Tool.run("scope", trace.toString(), "--html", page.toString()).endsWell();
        Browser browser = Browser.orSkip(folder);
        String shown = browser.show(page);
        // Five charts for each of three paths, two for the connection.
        assertThat(shown.split("<canvas", -1)).hasSize(1 + 17);
        assertThat(shown).contains("Path 2", "sent again, in all", "missing", "round trip", "window", "marked", "hint");
    }
}

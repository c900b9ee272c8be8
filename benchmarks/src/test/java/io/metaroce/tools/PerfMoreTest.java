package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.perf.PerftestFlags;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads, atomics, both directions, events, rows in between, and the flags of perftest. */
class PerfMoreTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    @TempDir
    private Path folder = Path.of("");

    /** Runs both sides with the same words; the client gets some more; returns what it wrote. */
    private JsonNode both(List<String> words, String... client) throws Exception {
        String port = Tool.freePort();
        Path json = folder.resolve("result.json");
        List<String> common = new ArrayList<>(words);
        common.addAll(List.of("-p", port));
        Tool server = Tool.serve(Tool.line(common));
        List<String> more = new ArrayList<>(List.of("127.0.0.1", "--out_json_file", json.toString()));
        more.addAll(List.of(client));
        Tool.run(Tool.line(common, more.toArray(String[]::new))).endsWell();
        server.endsWell();
        String text = Files.readString(json);
        JsonSchema.named("perftest").accepts(text);
        return MAPPER.readTree(text).get("results");
    }

    @Test
    void readsBringWhatIsThereAlthoughPacketsAreLost() throws Exception {
        JsonNode result = both(
                List.of("read_bw", "-s", "20000", "-q", "2", "--data_validation", "--loss", "2%"), "-n", "50", "-e");
        assertThat(result.get("verified_bytes").asLong()).isEqualTo(2_000_000);
        assertThat(result.get("wrong_messages").asLong()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send_bw -s 4000 -q 3", "send_bw -s 4000 -q 2 -b", "send_lat -s 4000 -q 1"})
    void queuePairsShareTheirReceives(String words) throws Exception {
        List<String> line = new ArrayList<>(List.of(words.split(" ", -1)));
        line.addAll(List.of("--use-srq", "--data_validation"));
        JsonNode result = both(line, "-n", "600");
        assertThat(result.get("verified_bytes").asLong()).isPositive();
        assertThat(result.get("wrong_messages").asLong()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"read_lat", "atomic_lat"})
    void answersAreComparedInEveryRound(String tool) throws Exception {
        JsonNode result = both(List.of(tool), "-n", "30", "--cpu_util");
        assertThat(result.get("n_iterations").asLong()).isEqualTo(30);
        assertThat(result.get("wrong_messages").asLong()).isZero();
        assertThat(result.get("verified_bytes").asLong())
                .isEqualTo(30 * result.get("MsgSize").asLong());
        assertThat(result.get("cpu_util").asDouble()).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"write_bw -Q 7 -q 3", "read_bw -Q 128 -e", "send_bw -Q 10 -t 12 -q 2 -b", "write_bw -Q 64 -a"})
    void oneMessageOfSoManyIsSignalledAndAllAreCounted(String words) throws Exception {
        List<String> line = new ArrayList<>(List.of(words.split(" ", -1)));
        boolean isSwept = line.contains("-a");
        line.addAll(isSwept ? List.of() : List.of("-s", "1000", "--data_validation"));
        JsonNode result = both(line, "-n", isSwept ? "3" : "501");
        if (!isSwept) {
            int sides = line.contains("-b") ? 2 : 1;
            int queuePairs = words.contains("-q 3") ? 3 : words.contains("-q 2") ? 2 : 1;
            assertThat(result.get("verified_bytes").asLong()).isEqualTo(501L * 1000 * sides * queuePairs);
            assertThat(result.get("wrong_messages").asLong()).isZero();
        }
    }

    @Test
    void whenTimeIsUpTheSilentOnesAreToldOfToo() throws Exception {
        JsonNode result =
                both(List.of("write_bw", "-Q", "100", "-q", "3", "-s", "1000", "--data_validation"), "-D", "200ms");
        assertThat(result.get("verified_bytes").asLong())
                .isEqualTo(result.get("n_iterations").asLong() * 1000);
        assertThat(result.get("wrong_messages").asLong()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"write_bw", "send_bw", "read_bw"})
    void bothSidesSendAndBothCompare(String tool) throws Exception {
        JsonNode result = both(List.of(tool, "-b", "-s", "10000", "--data_validation"), "-n", "40");
        assertThat(result.get("wrong_messages").asLong()).isZero();
        assertThat(result.get("verified_bytes").asLong()).isEqualTo(2 * 40 * 10_000);
        double oneWay = 40 * 10_000 * 8 / 1e9 / result.get("seconds").asDouble();
        assertThat(result.get("goodput_gbps").asDouble()).isGreaterThan(oneWay);
    }

    @Test
    void aTestAsItRunsIsLinesOfJson() throws Exception {
        Tool tool = Tool.run(
                "write_bw", "--loopback", "-D", "300ms", "--warm-up", "50ms", "--interval", "50ms", "--json-stream");
        tool.endsWell();
        List<String> lines = tool.out().lines().toList();
        JsonSchema schema = JsonSchema.named("perftest-stream");
        lines.forEach(schema::accepts);
        assertThat(lines.get(0)).startsWith("{\"event\":\"start\"");
        assertThat(lines).hasSizeGreaterThan(2);
        assertThat(lines.get(lines.size() - 1)).startsWith("{\"event\":\"end\"");
    }

    @Test
    void rowsDistributionsAndCountersArePrintedWhenAskedFor() throws Exception {
        String rows = Tool.run(
                        "write_bw",
                        "--loopback",
                        "-D",
                        "300ms",
                        "--warm-up",
                        "50ms",
                        "--interval",
                        "50ms",
                        "--cpu_util",
                        "-W",
                        "tx_packets")
                .endsWell()
                .out();
        assertThat(rows).contains("CPU_Util[%]").containsPattern("0\\.\\d{3}-0\\.\\d{3} +s .* resent");
        assertThat(rows).containsPattern(" tx_packets: \\d+");
        String distribution =
                Tool.run("send_lat", "--loopback", "-n", "30", "-H").endsWell().out();
        assertThat(distribution).contains("Percentile", "#[Mean");
    }

    @Test
    void oneNumberAloneAndLimits() throws Exception {
        String number = Tool.run("write_bw", "--loopback", "-n", "20", "--output", "message_rate")
                .endsWell()
                .out();
        assertThat(number.strip()).matches("\\d+\\.\\d{6}");
        Tool limited = Tool.run("write_bw", "--loopback", "-n", "20", "-w", "1000000");
        assertThat(limited.code()).isEqualTo(1);
        assertThat(limited.out()).contains("is below the limit -w");
    }

    @Test
    void everyFlagOfPerftestThatMeansNothingHereIsRefusedByName() throws Exception {
        assertThat(PerftestFlags.all()).hasSizeGreaterThan(50);
        for (String flag : PerftestFlags.all().keySet()) {
            Tool tool = Tool.run("write_bw", flag);
            assertThat(tool.code()).as(flag).isEqualTo(2);
            assertThat(tool.err()).startsWith(flag + " is not supported by this tool: ");
        }
    }

    @Test
    void latencyIsMeasuredWhenTheWarmUpIsOver() throws Exception {
        Tool tool = Tool.run("send_lat", "--loopback", "-n", "1", "--warm-up", "1500ms", "--on-loop")
                .endsWell();
        assertThat(tool.took()).isGreaterThan(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c UD", "-i 2", "-Q 129", "-W no_such_counter", "--output latency"})
    void valuesThatMeanNothingHereAreRefused(String words) throws Exception {
        List<String> line = new ArrayList<>(List.of("write_bw", "127.0.0.1"));
        line.addAll(List.of(words.split(" ", -1)));
        Tool tool = Tool.run(line.toArray(String[]::new));
        assertThat(tool.code()).isEqualTo(2);
        assertThat(tool.err()).contains(words.split(" ", -1)[0]);
    }

    @Test
    void sidesThatDifferInDirectionSaySo() throws Exception {
        String port = Tool.freePort();
        Tool server = Tool.serve("write_bw", "-p", port, "-b");
        Tool client = Tool.run("write_bw", "127.0.0.1", "-p", port);
        assertThat(client.code()).isEqualTo(1);
        assertThat(client.err()).contains("-b differs: server true, client false");
        assertThat(server.code()).isEqualTo(1);
    }

    @Test
    void helpReadsLikeAManualAndTheShellCompletes() throws Exception {
        String help = Tool.run("help", "read_bw").endsWell().out();
        assertThat(help).contains("SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "--data_validation");
        String script = Tool.run("completion").endsWell().out();
        assertThat(script).contains("complete -F", "read_bw", "--data_validation", "scope");
    }
}

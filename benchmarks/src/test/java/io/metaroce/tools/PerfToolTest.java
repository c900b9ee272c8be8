package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The four tests of the perftest family between two sides, one of them a second process where it says loopback. */
class PerfToolTest {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String DASHES = "-".repeat(87);
    private static final List<String> BANDWIDTH_KEYS =
            List.of("MsgSize", "n_iterations", "BW_peak", "BW_average", "MsgRate", "units");
    private static final List<String> LATENCY_KEYS = List.of(
            "MsgSize",
            "n_iterations",
            "t_min",
            "t_max",
            "t_typical",
            "t_avg",
            "t_stdev",
            "percentile_99",
            "percentile_99.9",
            "units");

    @TempDir
    private Path folder = Path.of("");

    /** Runs both sides with the same words; the client gets some more. */
    private Tool both(List<String> words, String... client) throws Exception {
        String port = Tool.freePort();
        List<String> common = new ArrayList<>(words);
        common.addAll(List.of("-p", port));
        Tool server = Tool.serve(Tool.line(common));
        List<String> more = new ArrayList<>(List.of("127.0.0.1", "--out_json_file", json().toString()));
        more.addAll(List.of(client));
        Tool tool = Tool.run(Tool.line(common, more.toArray(String[]::new)));
        tool.endsWell();
        server.endsWell();
        return tool;
    }

    private Path json() {
        return folder.resolve("result.json");
    }

    private JsonNode read() throws Exception {
        JsonSchema.named("perftest").accepts(Files.readString(json()));
        return MAPPER.readTree(Files.readString(json()));
    }

    private static void hasKeys(JsonNode node, List<String> keys) {
        for (String key : keys) {
            assertThat(node.has(key)).as("%s in %s", key, node).isTrue();
        }
    }

    private static void allRight(JsonNode result, long size, long messages) {
        assertThat(result.get("MsgSize").asLong()).isEqualTo(size);
        assertThat(result.get("n_iterations").asLong()).isEqualTo(messages);
        assertThat(result.get("wrong_messages").asLong()).isZero();
        assertThat(result.get("verified_bytes").asLong()).isEqualTo(size * messages);
    }

    @Test
    void writeBandwidthBetweenTwoProcesses() throws Exception {
        Tool tool = Tool.run(
                "write_bw",
                "--loopback",
                "-s",
                "64K",
                "-n",
                "200",
                "--data_validation",
                "--out_json_file",
                json().toString());
        tool.endsWell();
        assertThat(tool.out().lines())
                .contains(DASHES)
                .anyMatch(line -> line.contains("RDMA_Write BW Test"))
                .contains(" #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]")
                .anyMatch(line -> line.matches(" 65536 +200 +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d\\.\\d{6}"))
                .anyMatch(line -> line.contains("13107200 bytes compared"));
        JsonNode root = read();
        assertThat(root.get("schema_version").asInt()).isEqualTo(1);
        hasKeys(root.get("test_info"), List.of("test", "mtu", "paths", "cache_line_round_trip_nsec", "placement"));
        hasKeys(root.get("results"), BANDWIDTH_KEYS);
        allRight(root.get("results"), 65536, 200);
        assertThat(root.get("paths").size()).isEqualTo(16);
    }

    @Test
    void allSizesAreOneArray() throws Exception {
        Tool tool = both(List.of("write_bw", "-a", "--data_validation"), "-n", "3", "--report_gbits");
        JsonNode results = read().get("results");
        assertThat(results.isArray()).isTrue();
        assertThat(results.size()).isEqualTo(23);
        for (int i = 0; i < results.size(); i++) {
            hasKeys(results.get(i), BANDWIDTH_KEYS);
            allRight(results.get(i), 2L << i, 3);
        }
        assertThat(results.get(0).get("units").get("BW_average").asString()).isEqualTo("Gb/sec");
        assertThat(tool.out()).contains("BW average[Gb/sec]").containsPattern("\n 8388608 +3 ");
    }

    @Test
    void sendBandwidthOnSeveralQueuePairs() throws Exception {
        both(List.of("send_bw", "-s", "5000", "-q", "3", "--data_validation"), "-n", "100");
        allRight(read().get("results"), 5000, 300);
    }

    @Test
    void writeLatency() throws Exception {
        Tool tool = both(List.of("write_lat", "-s", "8"), "-n", "50");
        assertThat(tool.out())
                .contains("RDMA_Write Latency Test")
                .contains("t_typical[usec]")
                .contains("99.9% percentile[usec]")
                .containsPattern(Pattern.compile("8 bytes: half round trip median \\d+\\.\\d\\d us, bare UDP \\d+"));
        JsonNode result = read().get("results");
        hasKeys(result, LATENCY_KEYS);
        hasKeys(result.get("bare_udp"), List.of("t_typical", "percentile_99"));
        assertThat(result.get("n_iterations").asInt()).isEqualTo(50);
        assertThat(result.get("wrong_messages").asInt()).isZero();
        assertThat(result.get("t_min").asDouble())
                .isLessThanOrEqualTo(result.get("t_typical").asDouble());
        assertThat(result.get("t_typical").asDouble())
                .isLessThanOrEqualTo(result.get("t_max").asDouble());
    }

    @Test
    void sendLatencyBetweenTwoProcesses() throws Exception {
        Tool.run("send_lat", "--loopback", "-s", "64", "-n", "50", "--out_json_file", json().toString())
                .endsWell();
        hasKeys(read().get("results"), LATENCY_KEYS);
    }

    @Test
    void bothSidesWithOneKeyAreEncrypted() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "000102030405060708090a0b0c0d0e0f\n");
        Tool.run("send_lat", "--loopback", "-s", "64", "-n", "20", "--psk-file", key.toString())
                .endsWell();
    }

    @Test
    void aKeyThatIsTooShortIsRefusedByName() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "0001");
        Tool tool = Tool.run("send_lat", "127.0.0.1", "--psk-file", key.toString());
        assertThat(tool.code()).isNotZero();
        assertThat(tool.err()).contains("--psk-file");
    }

    @Test
    void everyByteIsRightAlthoughPacketsAreLostOvertakenAndDoubled() throws Exception {
        for (String tool : List.of("write_bw", "send_bw")) {
            both(
                    List.of(
                            tool,
                            "-s",
                            "100000",
                            "--data_validation",
                            "--loss",
                            "5%",
                            "--reorder",
                            "0.05",
                            "--duplicate",
                            "1%"),
                    "-n",
                    "60");
            JsonNode result = read().get("results");
            allRight(result, 100_000, 60);
            assertThat(result.get("retransmits").asLong()).isPositive();
        }
    }

    @Test
    void aCutPathDelaysAndLosesNothing() throws Exception {
        both(List.of("write_bw", "-s", "64K", "--data_validation"), "-n", "400", "--cut-path", "3");
        allRight(read().get("results"), 65536, 400);
        assertThat(read().get("results").get("retransmits").asLong()).isPositive();
    }

    @Test
    void aDurationEndsInTime() throws Exception {
        both(List.of("write_bw", "-s", "4K"), "-D", "200ms", "--warm-up", "100ms");
        assertThat(read().get("results").get("seconds").asDouble()).isBetween(0.19, 30.0);
    }
}

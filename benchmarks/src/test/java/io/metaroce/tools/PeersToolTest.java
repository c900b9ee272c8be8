package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PeersToolTest {
    @TempDir
    private Path folder;

    @Test
    void peersTakeTurnsAndEachHasItsFigures() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        Path file = folder.resolve("peers.json");
        Tool tool = Tool.run(
                "bench",
                "peers",
                "--only",
                "metaroce,raw-udp,tcp",
                "--rounds",
                "1",
                "--time",
                "100ms",
                "--warm-up",
                "20ms",
                "--no-namespaces",
                "--out_json_file",
                file.toString());
        assertThat(tool.code()).as(tool.err()).isZero();
        String text = Files.readString(file);
        JsonSchema.named("bench-peers").accepts(text);
        JsonNode rows = new JsonMapper().readTree(text).at("/legs/0/rows");
        assertThat(rows).hasSize(15);
        for (JsonNode row : rows) {
            assertThat(row.get("median").asDouble()).as(row.toString()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"iperf3-tcp, iperf3, 2", "iperf3-udp, iperf3, 2", "ucx-tcp, ucx_perftest, 3", "rxd, fi_pingpong, 2"})
    void aProgramOfTheMachineHasItsTurns(String peer, String program, int tests) throws Exception {
        Assumptions.assumeTrue(isInstalled(program), program + " is not installed");
        Path file = folder.resolve("peers.json");
        Tool tool = Tool.run(
                "bench",
                "peers",
                "--only",
                peer,
                "--rounds",
                "1",
                "--time",
                "20ms",
                "--no-namespaces",
                "--out_json_file",
                file.toString());
        assertThat(tool.code()).as(tool.err()).isZero();
        JsonNode leg = new JsonMapper().readTree(Files.readString(file)).at("/legs/0");
        assertThat(leg.get("rows")).as(tool.out()).hasSize(tests + 1); // goodput comes with processor time
        assertThat(leg.at("/rows/0/median").asDouble()).as(tool.out()).isPositive();
    }

    @Test
    void whoIsAbsentIsNamedTogetherWithTheWayToGetIt() throws Exception {
        Tool tool = Tool.run("bench", "peers", "--only", "aeron-8k,quic", "--no-namespaces");
        assertThat(tool.code()).as(tool.err()).isZero();
        assertThat(tool.out())
                .contains("aeron-8k")
                .contains("quic")
                .contains("absent")
                .contains("mvn");
        assertThat(tool.out()).contains("-Ppeers");
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    @Test
    void aPeerThatIsNotThereIsRefusedWithTheNamesOfThoseThatAre() throws Exception {
        Tool tool = Tool.run("bench", "peers", "--only", "carrier-pigeon");
        assertThat(tool.code()).isNotZero();
        assertThat(tool.err()).contains("carrier-pigeon").contains("metaroce");
    }
}

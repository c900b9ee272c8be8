package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        JsonNode rows = new JsonMapper().readTree(Files.readString(file)).at("/legs/0/rows");
        assertThat(rows).hasSize(15);
        for (JsonNode row : rows) {
            assertThat(row.get("median").asDouble()).as(row.toString()).isPositive();
        }
    }

    @Test
    void aPeerThatIsNotThereIsRefusedWithTheNamesOfThoseThatAre() throws Exception {
        Tool tool = Tool.run("bench", "peers", "--only", "carrier-pigeon");
        assertThat(tool.code()).isNotZero();
        assertThat(tool.err()).contains("carrier-pigeon").contains("metaroce");
    }
}

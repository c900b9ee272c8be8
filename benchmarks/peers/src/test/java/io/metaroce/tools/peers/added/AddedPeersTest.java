package io.metaroce.tools.peers.added;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.tools.Main;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.codec.quic.Quic;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each of the others moves bytes between two processes and has all its figures. */
class AddedPeersTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"aeron-1k4,aeron-8k,aeron-64k", "quic,quic-bbr"})
    void theyHaveTheirTurns(String peers) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable(), "epoll is not available");
        Assumptions.assumeTrue(Quic.isAvailable() || !peers.contains("quic"), "QUIC has no native part here");
        Path file = folder.resolve("peers.json");
        int code = Main.run(
                "bench",
                "peers",
                "--only",
                peers,
                "--rounds",
                "1",
                "--time",
                "100ms",
                "--warm-up",
                "20ms",
                "--no-namespaces",
                "--out_json_file",
                file.toString());
        assertThat(code).isZero();
        JsonNode rows = new JsonMapper().readTree(Files.readString(file)).at("/legs/0/rows");
        assertThat(rows).hasSize(5 * peers.split(",", -1).length);
        for (JsonNode row : rows) {
            assertThat(row.get("median").asDouble()).as(row.toString()).isPositive();
        }
    }
}

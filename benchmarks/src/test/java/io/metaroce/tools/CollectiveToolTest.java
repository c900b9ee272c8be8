package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Collective operations between processes over real sockets: every element of every rank is right. */
class CollectiveToolTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void fourProcessesAddUpTwoMegabytesAlthoughOnePacketOfAHundredIsLost() throws Exception {
        Path file = folder.resolve("allreduce.json");
        Tool tool = Tool.run(
                        "allreduce",
                        "--ranks",
                        "4",
                        "-b",
                        "512K",
                        "-e",
                        "2M",
                        "-f",
                        "4",
                        "-n",
                        "1",
                        "-w",
                        "0",
                        "--loss",
                        "1%",
                        "--out_json_file",
                        file.toString())
                .endsWell();
        assertThat(tool.out().lines())
                .anyMatch(line -> line.matches(" +524288 +131072 +float +sum +-1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +0"))
                .anyMatch(line -> line.matches(" +2097152 +524288 +float +sum +-1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +0"))
                .anyMatch(line -> line.matches("# Out of bounds values : 0 OK"));
        String text = Files.readString(file);
        JsonSchema.named("collective").accepts(text);
        JsonNode root = new JsonMapper().readTree(text);
        assertThat(root.get("ranks").asInt()).isEqualTo(4);
        assertThat(root.get("algorithm").asString()).isEqualTo("ring");
        assertThat(root.get("results").size()).isEqualTo(2);
        for (JsonNode row : root.get("results")) {
            assertThat(row.get("wrong").asLong()).isZero();
            assertThat(row.get("time_usec").asDouble()).isPositive();
            assertThat(row.get("busbw_gb_per_sec").asDouble())
                    .isGreaterThan(row.get("algbw_gb_per_sec").asDouble());
        }
    }

    @Test
    void ranksThatAreStartedApartJoin() throws Exception {
        String addresses = "127.0.0.1:" + Tool.freePort() + ",127.0.0.1:" + Tool.freePort();
        String[] words = {"alltoall", "--join", addresses, "-b", "64K", "-e", "64K", "-n", "1", "-w", "1", "-d", "int64"
        };
        Tool second = Tool.start(Tool.line(List.of(words), "--rank", "1"));
        Tool first = Tool.start(Tool.line(List.of(words), "--rank", "0"));
        assertThat(first.endsWell().out().lines())
                .anyMatch(line -> line.matches(" +65536 +4096 +int64 +none +-1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +0"));
        assertThat(second.endsWell().out()).isEmpty();
    }

    @Test
    void bytesAreSentOrReadInPlaceOfWritten() throws Exception {
        for (String transfer : List.of("send", "read")) {
            String[] words = {
                "allreduce", "--ranks", "2", "-b", "256K", "-e", "256K", "-n", "1", "-w", "0", "--transfer", transfer
            };
            assertThat(Tool.run(words).endsWell().out().lines())
                    .as(transfer)
                    .anyMatch(line -> line.matches("# Out of bounds values : 0 OK"));
        }
    }

    @Test
    void whatCannotBeRunIsRefusedWithAReason() throws Exception {
        assertThat(Tool.run("allreduce", "--ranks", "1").err()).contains("1 ranks are outside 2..");
        assertThat(Tool.run("alltoall", "--ranks", "3", "--algorithm", "xor").err())
                .contains("3 ranks");
        assertThat(Tool.run("allreduce", "-d", "complex").err()).contains("no type");
        assertThat(Tool.run("allreduce", "-b", "2M", "-e", "1M").err()).contains("no size is left");
    }
}

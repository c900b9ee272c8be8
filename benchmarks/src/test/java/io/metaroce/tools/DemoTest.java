package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The main job in one command. */
class DemoTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void threeRunsEveryByteCompared() throws Exception {
        Path file = folder.resolve("demo.json");
        Tool tool = Tool.run("demo", "--quick", "-s", "8M", "--out_json_file", file.toString())
                .endsWell();
        assertThat(tool.out().lines())
                .anyMatch(line -> line.matches("clean +8 MiB .*OK"))
                .anyMatch(line -> line.matches("loss +8 MiB .*OK"))
                .anyMatch(line -> line.matches("cut +8 MiB .*OK"));
        assertThat(tool.out().contains("* this path"))
                .isEqualTo(tool.out().lines().anyMatch(line -> line.matches("(clean|loss|cut) .*\\d\\*.*")));
        String text = Files.readString(file);
        JsonSchema.named("demo").accepts(text);
        JsonNode runs = new JsonMapper().readTree(text).get("runs");
        assertThat(runs.size()).isEqualTo(3);
        assertThat(runs.get(0).get("name").asString()).isEqualTo("clean");
        assertThat(runs.get(1).get("name").asString()).isEqualTo("loss");
        assertThat(runs.get(2).get("name").asString()).isEqualTo("cut");
        for (JsonNode run : runs) {
            assertThat(run.get("bytes").asLong()).isEqualTo(8L << 20);
            assertThat(run.get("goodput_gbps").asDouble()).isPositive();
            assertThat(run.get("paths_used").asInt()).isEqualTo(16);
            assertThat(run.get("verified").asBoolean()).isTrue();
        }
        assertThat(runs.get(1).get("retransmits").asLong()).isPositive();
        assertThat(runs.get(2).get("retransmits").asLong()).isPositive();
    }
}

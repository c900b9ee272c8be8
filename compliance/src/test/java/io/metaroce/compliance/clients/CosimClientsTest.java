package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The clients of the behavioural model, in C with frames and in Python with lines, and the examples that use them. */
class CosimClientsTest {
    @Test
    void theExampleInCMovesAWriteBetweenTwoEndpoints(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(example(folder).toString()));
        command.addAll(Foreign.model());
        Foreign.Run run = Foreign.run(command);
        assertThat(run.code()).as(run.said()).isZero();
        assertThat(run.said())
                .contains("1000000 bytes arrived", "status 0", "the model follows", "\"field\":\"off\"", "R-ORD-001");
    }

    @Test
    void theExampleInPythonMovesAWriteBetweenTwoEndpoints() throws Exception {
        List<String> command = python();
        command.addAll(Foreign.model());
        Foreign.Run run = Foreign.run(command);
        assertThat(run.code()).as(run.said()).isZero();
        assertThat(run.said()).contains("100000 bytes arrived", "SUCCESS", "the model follows", "off by one: off is");
    }

    @Test
    void bothReachAModelThatListens(@TempDir Path folder) throws Exception {
        Path place = folder.resolve("cosim.sock");
        Process model = Foreign.prepared(Foreign.model("--unix", place.toString()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("told.txt").toFile())
                .start();
        try {
            Foreign.Run c = Foreign.run(List.of(example(folder).toString(), "unix:" + place));
            assertThat(c.said()).contains("1000000 bytes arrived");
            List<String> command = python();
            command.add("unix:" + place);
            assertThat(Foreign.run(command).said()).contains("100000 bytes arrived");
        } finally {
            model.destroy();
        }
    }

    @Test
    void aModelThatIsNotThereIsAnAnswerNotAHang(@TempDir Path folder) throws Exception {
        Foreign.Run run = Foreign.run(List.of(example(folder).toString(), "no-such-model-anywhere"));
        assertThat(run.code()).isEqualTo(2);
    }

    /** The header is written by hand and compared with the table by the compiler. */
    @Test
    void theHeaderHasTheLayoutOfTheTable(@TempDir Path folder) throws Exception {
        JsonNode table = Json.read(Checkout.spec().resolve("cosim.json"));
        StringBuilder text = new StringBuilder("#include \"metaroce_cosim.h\"\n#include <stddef.h>\n");
        layout(text, "mr_event", table.get("record"), table.get("record_bytes").asInt());
        layout(text, "mr_route", table.get("route"), table.get("route_bytes").asInt());
        for (JsonNode kind : table.get("kinds")) {
            text.append("_Static_assert(MR_%s == %d, \"kind\");%n"
                    .formatted(kind.get("name").asString(), kind.get("number").asInt()));
        }
        Path source = folder.resolve("layout.c");
        Files.writeString(source, text.append("int main(void) { return 0; }\n"));
        Foreign.needs("cc", "--version");
        Foreign.Run run = Foreign.run(List.of(
                "cc",
                "-std=c11",
                "-Werror",
                "-fsyntax-only",
                "-I",
                Foreign.client("c").toString(),
                source.toString()));
        assertThat(run.code()).as(run.said()).isZero();
    }

    private static void layout(StringBuilder into, String type, JsonNode fields, int bytes) {
        into.append("_Static_assert(sizeof(%s) == %d, \"length\");%n".formatted(type, bytes));
        for (JsonNode field : fields) {
            String name = field.get("name").asString();
            into.append("_Static_assert(offsetof(%s, %s) == %d, \"place of %s\");%n"
                    .formatted(type, name, field.get("offset").asInt(), name));
        }
    }

    private static Path example(Path folder) throws IOException, InterruptedException {
        return Foreign.compiled(folder, "example", "c/example_cosim.c", "c/metaroce_cosim.c");
    }

    private static List<String> python() throws InterruptedException {
        Foreign.needs("python3", "--version");
        return new ArrayList<>(List.of(
                "python3", "-B", Foreign.client("python/example_cosim.py").toString()));
    }
}

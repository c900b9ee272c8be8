package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients of the behavioural model, in C with frames and in Python with lines, and the examples that use them. */
class CosimClientsTest {
    @Test
    void theExampleInCMovesAWriteBetweenTwoEndpoints(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>(List.of(example(folder).toString()));
        command.addAll(Foreign.model());
        assertThat(Foreign.run(command).said()).contains("1000000 bytes arrived", "status 0");
    }

    @Test
    void theExampleInPythonMovesAWriteBetweenTwoEndpoints() throws Exception {
        List<String> command = python();
        command.addAll(Foreign.model());
        assertThat(Foreign.run(command).said()).contains("100000 bytes arrived", "SUCCESS");
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

    private static Path example(Path folder) throws IOException, InterruptedException {
        return Foreign.compiled(folder, "example", "c/example_cosim.c", "c/metaroce_cosim.c");
    }

    private static List<String> python() throws InterruptedException {
        Foreign.needs("python3", "--version");
        return new ArrayList<>(List.of(
                "python3", "-B", Foreign.client("python/example_cosim.py").toString()));
    }
}

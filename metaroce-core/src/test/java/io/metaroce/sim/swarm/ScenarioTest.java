package io.metaroce.sim.swarm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every stored scenario: a case that once failed, made small; its first line says which defect it found. */
class ScenarioTest {
    private static final Path FOLDER = Path.of("src/test/resources/scenarios");

    @TestFactory
    List<DynamicTest> everyScenarioPasses() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> passes(file)))
                    .toList();
        }
    }

    private static void passes(Path file) {
        String text = text(file);
        assertThat(text).as("the first line says what it is about").startsWith("# ");
        assertThat(CaseRunner.run(CaseText.parse(text)).fault()).isEmpty();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

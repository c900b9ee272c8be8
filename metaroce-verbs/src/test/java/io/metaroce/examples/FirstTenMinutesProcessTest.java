package io.metaroce.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example as a newcomer runs it: a process of its own, no flag of the JVM, nothing but its line, and an end. */
final class FirstTenMinutesProcessTest {
    @Test
    void itNeedsNoFlagWarnsOfNothingAndEndsByItself(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        FirstTenMinutes.class.getName())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended).as("it ends by itself: %s", lines(err)).isTrue();
        assertThat(process.exitValue()).as("%s", lines(err)).isZero();
        assertThat(lines(out))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("-> hello, memory of bob"));
        // Java 24 and later warn of any native library, Netty's among them; advice on the kernel's buffers is meant.
        assertThat(lines(err).stream()
                        .filter(line -> line.contains("WARN") || line.contains("ERROR"))
                        .filter(line -> !line.startsWith("WARNING: ")
                                || Runtime.version().feature() < 24)
                        .filter(line -> !line.contains("sysctl")))
                .isEmpty();
    }

    @Test
    void itHasFortyLinesAtMost() throws IOException {
        Path source = Path.of("src/test/java", FirstTenMinutes.class.getName().replace('.', '/') + ".java");
        assertThat(Files.readAllLines(source, StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(40);
    }

    // All that this process has, whether as modules or as plain jars; classes of tests are no module.
    private static String classPath() {
        return String.join(
                File.pathSeparator,
                "target/test-classes",
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }
}

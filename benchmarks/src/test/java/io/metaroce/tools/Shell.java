package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, as somebody runs it in a shell. */
final class Shell implements AutoCloseable {
    /** Nothing here takes a tenth as long, on the slowest machine. */
    private static final long SECONDS = 180;

    private final Process process;
    private final Path out;
    private final Path err;

    private Shell(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts a Java program in a folder, which also gets what it prints. */
    static Shell start(Path folder, List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Shell(process, out, err);
    }

    /** Waits until it has printed a line that begins so; returns the rest of that line. */
    String await(String beginning) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < endNs) {
            boolean isOver = !process.isAlive();
            for (String line : out()) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length()).strip();
                }
            }
            assertThat(isOver).as("%s ended: %s%s", beginning, out(), err()).isFalse();
            boolean unused = process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("\"" + beginning + "\" was not printed within " + SECONDS + " s: " + out() + err());
    }

    /** Waits for its end and returns its exit code. */
    int code() throws Exception {
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                .as("it ends by itself: %s%s", out(), err())
                .isTrue();
        return process.exitValue();
    }

    /** Lines it has printed. */
    List<String> out() throws IOException {
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    /** Lines it has complained with. */
    List<String> err() throws IOException {
        return Files.readAllLines(err, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        Processes.end(process);
    }
}

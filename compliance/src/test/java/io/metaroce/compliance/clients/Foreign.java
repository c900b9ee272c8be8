package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.spec.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Compilers and interpreters of other languages, and what they run. Every run has a deadline. */
final class Foreign {
    private static final long DEADLINE_S = 120;

    private Foreign() {}

    /**
     * What a program came to.
     *
     * @param code its exit code
     * @param said what it printed, errors too
     */
    record Run(int code, String said) {}

    /** A file below {@code compliance/clients}. */
    static Path client(String name) {
        return Checkout.root().resolve("compliance/clients").resolve(name);
    }

    /** Skips the test unless the program is on the search path. */
    static void needs(String program, String question) throws InterruptedException {
        boolean isThere;
        try {
            isThere = run(List.of(program, question)).code() == 0;
        } catch (IOException e) {
            isThere = false;
        }
        Assumptions.assumeTrue(isThere, program + " is on the search path");
    }

    /** Compiles C sources with every warning an error; skips the test where there is no compiler. */
    static Path compiled(Path folder, String name, String... sources) throws IOException, InterruptedException {
        needs("cc", "--version");
        Path program = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                "cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", program.toString()));
        for (String source : sources) {
            command.add(client(source).toString());
        }
        Run run = run(command);
        assertThat(run.code()).as(run.said()).isZero();
        return program;
    }

    /** The behavioural model as words of a command. */
    static List<String> model(String... options) {
        List<String> words = java("cosim");
        words.addAll(List.of(options));
        return words;
    }

    /** The suite's command line as a process; where its classes are says the environment of {@link #prepared}. */
    static List<String> java(String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "io.metaroce.compliance.cli.Main"));
        command.addAll(List.of(words));
        return command;
    }

    /** Prepares a program that finds the classes of this project and the model. */
    static ProcessBuilder prepared(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("METAROCE_COSIM", String.join(" ", model()));
        return builder;
    }

    /** Runs a program to its end, and fails when there is none. */
    static Run run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("said", ".txt");
        try {
            Process process = prepared(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            process.getOutputStream().close();
            boolean isOver = process.waitFor(DEADLINE_S, TimeUnit.SECONDS);
            process.destroy();
            String text = Files.readString(said, StandardCharsets.UTF_8);
            assertThat(isOver).as(command + " ended; it said: " + text).isTrue();
            return new Run(process.exitValue(), text);
        } finally {
            Files.delete(said);
        }
    }
}

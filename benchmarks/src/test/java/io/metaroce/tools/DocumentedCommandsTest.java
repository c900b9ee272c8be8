package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

/** Every command that the documents show is one the tools understand. */
class DocumentedCommandsTest {
    private static final String LAUNCHER = "./metaroce ";
    private static final Pattern AFTER = Pattern.compile("(\\s{2,}|\\s#|`|\\s[|>&]|\\)).*");
    private static final List<String> OTHER_MODULE = List.of("compliance", "cosim");

    @Test
    void commandsInReadmeDocumentsAndBuildScriptsAreUnderstood() throws IOException {
        List<String> commands = new ArrayList<>();
        for (Path file : documents()) {
            Files.readString(file)
                    .lines()
                    .filter(line -> line.contains(LAUNCHER))
                    .forEach(line -> {
                        String command = command(line);
                        if (!OTHER_MODULE.stream().anyMatch(command::startsWith)) {
                            commands.add(command);
                        }
                    });
        }
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            assertThatCode(() -> parse(command)).as("metaroce %s", command).doesNotThrowAnyException();
        }
    }

    /** The words after the launcher, up to a comment, a second blank, or the end of a piece of code in a sentence. */
    private static String command(String line) {
        String rest = line.substring(line.indexOf(LAUNCHER) + LAUNCHER.length());
        return AFTER.matcher(rest).replaceFirst("").strip();
    }

    private static void parse(String command) {
        ParseResult result = Main.commandLine().parseArgs(command.split(" "));
        assertThat(result.subcommand()).as("a tool").isNotNull();
    }

    /** Documents, and the script that runs everything. */
    static List<Path> documents() throws IOException {
        Path root = Checkout.root();
        List<Path> found = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve(".ci/run")));
        try (Stream<Path> documents = Files.walk(root.resolve("docs"))) {
            documents.filter(path -> path.toString().endsWith(".md")).forEach(found::add);
        }
        return found;
    }
}

package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that the documents show: blocks with lines that begin with a prompt. All commands of a block are run beside
 * each other, each in a process of its own as in a shell of its own, and print what the block shows, other numbers
 * aside. Tools find a file {@code README.md} where they run; programs are those that the page shows. What fails ends
 * with a line that says so, and what it complains with is shown too.
 */
class DocumentedSessionsTest {
    /** The launcher says it to Java as well; from version 24 on Java complains without it. */
    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private static final String PROMPT = "$ ";
    private static final String TOOL = "./metaroce ";
    private static final String PROGRAM = "java -cp \"target/classes:target/dependency/*\" ";
    private static final String FAILS = "(exit code 1)";
    private static final Pattern FENCE = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");
    private static final Pattern SOURCE = Pattern.compile("(?ms)^```java\\n(.*?^public final class (\\w+) .*?)^```$");
    private static final Pattern PORT = Pattern.compile("(?<=[: ])7\\d{3}\\b");
    private static final Pattern NUMBER = Pattern.compile("0x[0-9a-f]+|\\d+(\\.\\d+)?");

    @TempDir
    private Path folder = Path.of("");

    /** A command, and what it prints. */
    private record Step(String command, List<String> prints) {}

    @TestFactory
    Stream<DynamicTest> everySessionRunsAsItIsShown() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : DocumentedCommandsTest.documents()) {
            String text = Files.readString(page);
            for (List<Step> session : sessions(text)) {
                String name = page.getFileName() + ": " + session.get(0).command();
                tests.add(DynamicTest.dynamicTest(name, () -> run(session, text)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(4);
        return tests.stream();
    }

    private static List<List<Step>> sessions(String page) {
        List<List<Step>> found = new ArrayList<>();
        Matcher block = FENCE.matcher(page);
        while (block.find()) {
            List<Step> session = new ArrayList<>();
            for (String line : block.group(1).lines().toList()) {
                if (line.startsWith(PROMPT)) {
                    session.add(new Step(line.substring(PROMPT.length()), new ArrayList<>()));
                } else if (!session.isEmpty() && !line.isBlank()) {
                    session.get(session.size() - 1).prints().add(line);
                }
            }
            if (!session.isEmpty()) {
                found.add(session);
            }
        }
        return found;
    }

    private void run(List<Step> session, String page) throws Exception {
        Path here = Files.createTempDirectory(folder, "session");
        Files.copy(Checkout.root().resolve("README.md"), here.resolve("README.md"));
        Map<String, String> ports = new TreeMap<>();
        List<Shell> shells = new ArrayList<>();
        try {
            for (Step step : session) {
                Shell shell = start(here, withFreePorts(step.command(), ports), page);
                shells.add(shell);
                if (step.prints().stream().anyMatch(line -> line.startsWith("listening "))) {
                    String unused = shell.await("listening ");
                }
            }
            for (int i = 0; i < shells.size(); i++) {
                check(session.get(i), shells.get(i));
            }
        } finally {
            shells.forEach(Shell::close);
        }
    }

    private static Shell start(Path here, String command, String page) throws IOException {
        if (command.startsWith(TOOL)) {
            List<String> words = List.of(command.substring(TOOL.length()).split(" "));
            List<String> java = JavaCommand.of(Main.class.getName(), words);
            java.add(1, NATIVE_ACCESS);
            return Shell.start(here, java);
        }
        assertThat(command).startsWith(PROGRAM);
        List<String> words = List.of(command.substring(PROGRAM.length()).split(" "));
        Path source = Files.writeString(here.resolve(words.get(0) + ".java"), source(page, words.get(0)));
        return Shell.start(here, JavaCommand.of(source.toString(), words.subList(1, words.size())));
    }

    /** A program that a page shows. Java compiles a source that it is to run. */
    private static String source(String page, String name) {
        return SOURCE.matcher(page)
                .results()
                .filter(block -> block.group(2).equals(name))
                .map(block -> block.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the page runs " + name + " and does not show it"));
    }

    private static void check(Step step, Shell shell) throws Exception {
        List<String> prints = new ArrayList<>(step.prints());
        boolean fails = prints.remove(FAILS);
        assertThat(shell.code())
                .as("%s: %s%s", step.command(), shell.out(), shell.err())
                .isEqualTo(fails ? 1 : 0);
        List<String> printed = new ArrayList<>(shell.out());
        if (fails) {
            printed.addAll(shell.err());
        }
        assertThat(withoutNumbers(printed)).as(step.command()).isEqualTo(withoutNumbers(prints));
    }

    /** Ports of the documents may be in use here. */
    private static String withFreePorts(String command, Map<String, String> ports) throws IOException {
        for (String port :
                PORT.matcher(command).results().map(result -> result.group()).toList()) {
            if (!ports.containsKey(port)) {
                ports.put(port, Tool.freePort());
            }
        }
        return PORT.matcher(command).replaceAll(result -> ports.getOrDefault(result.group(), ""));
    }

    /** Lines in an order that does not depend on which of two threads printed first. */
    private static List<String> withoutNumbers(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank())
                .map(line -> NUMBER.matcher(line).replaceAll("#").strip().replaceAll(" +", " "))
                .sorted()
                .toList();
    }
}

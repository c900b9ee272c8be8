package io.metaroce.compliance.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.metaroce.compliance.spec.Checkout;
import io.metaroce.compliance.spec.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents show as commands of the suite is understood, and does what is said of it. */
class DocumentedCommandsTest {
    private static final String LAUNCHER = "./metaroce ";
    private static final Pattern AFTER = Pattern.compile("(\\s{2,}|\\s#|`|\\s[|>&]|\\)).*");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final Path PYTHON_RESPONDER =
            Checkout.root().resolve("compliance").resolve("clients/python/responder.py");

    private final StringWriter told = new StringWriter();

    @Test
    void commandsInDocumentsAndBuildScriptsAreUnderstood() throws IOException {
        List<String> commands = commands();
        assertThat(commands).hasSizeGreaterThan(5);
        for (String command : commands) {
            assertThatCode(() -> Main.commandLine().parseArgs(words(command)))
                    .as(command)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void oneTestRunsAndLeavesItsReport(@TempDir Path folder) {
        int code = run("run", "--select", "REL-01", "--out_dir", folder.toString());
        assertThat(code).as(told.toString()).isZero();
        assertThat(told.toString()).contains("REL-01 PASS");
        assertThat(folder.resolve("index.html")).isNotEmptyFile();
        assertThat(folder.resolve("results.json")).isNotEmptyFile();
        assertThat(folder.resolve("junit.xml")).isNotEmptyFile();
        assertThat(Json.read(folder.resolve("manifest.json")).path("files").propertyNames())
                .contains("index.html", "summary.txt", "evidence/REL-01/checks.json", "evidence/REL-01/utp.ndjson");

        String evidence = folder.resolve("evidence/REL-01").toString();
        assertThat(run("explain", folder.toString())).isZero();
        assertThat(told.toString()).contains("CONFORMANT: self");
        assertThat(run("explain", evidence)).isZero();
        assertThat(told.toString()).contains("ok   R-LOSS-001 (test)");
        assertThat(run("repro", evidence)).isZero();
        assertThat(told.toString()).contains("IUT ->", "1/1 REL-01 PASS");
        assertThat(run("diff", folder.toString(), folder.toString())).isZero();
    }

    @Test
    void requirementsAndTestsAreExplained() {
        assertThat(run("explain", "R-LOSS-001")).isZero();
        assertThat(told.toString()).contains("MUST", "test: REL-01", "mutant: M");
        assertThat(run("explain", "REL-01")).isZero();
        assertThat(told.toString()).contains("R-LOSS-002@1", "run it: ");
        assertThat(run("explain", "NOBODY")).isEqualTo(3);
        assertThat(run("list", "--format", "csv")).isZero();
        assertThat(told.toString()).contains("test,role,needs,requirements,title", "REL-01,sender,");
        assertThat(run("coverage")).isZero();
    }

    @Test
    void aDeclarationThatIsNotOfThisImplementationEndsTheRun() {
        Path declarations = Checkout.root().resolve("compliance/declarations");
        assertThat(run(
                        "run",
                        "--select",
                        "REL-01",
                        "--ics",
                        declarations.resolve("responder.json").toString()))
                .isEqualTo(3);
        assertThat(told.toString()).contains("reads is claimed by the agent and declared not to be there");
    }

    @Test
    void exitCodesAreThoseOfTheDocument() {
        assertThat(run("run", "--select", "NO-SUCH-TEST")).isEqualTo(5);
        assertThat(run("run", "--target", "nobody")).isEqualTo(3);
        assertThat(run("run", "--target", "exec:no-such-agent-anywhere")).isEqualTo(3);
        assertThat(run("run", "--no_such_option")).isEqualTo(3);
    }

    @Test
    void requirementsAreThoseOfTheChapters() {
        assertThat(run("spec")).as(told.toString()).isZero();
    }

    @Test
    void theSecondImplementationPassesItsProfile() throws Exception {
        Assumptions.assumeTrue(hasPython(), "python3 is on the search path");
        Path script = Path.of("").toAbsolutePath().relativize(PYTHON_RESPONDER);
        int code = run("run", "--target", "exec:python3 " + script, "--profile", "responder@1.0");
        assertThat(told.toString()).contains(" 0 failed, ", " 0 error");
        assertThat(code).as(told.toString()).isZero();
    }

    private int run(String... words) {
        PrintWriter out = new PrintWriter(told);
        String[] all = Stream.concat(Stream.of("compliance"), Stream.of(words)).toArray(String[]::new);
        int code = Main.run(out, out, all);
        out.flush();
        return code;
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("python3", "--version").start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> commands() throws IOException {
        Path root = Checkout.root();
        List<Path> files = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve(".ci/run")));
        try (Stream<Path> documents = Files.walk(root.resolve("docs"))) {
            documents.filter(path -> path.toString().endsWith(".md")).sorted().forEach(files::add);
        }
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                int at = Math.max(line.indexOf(LAUNCHER + "compliance"), line.indexOf(LAUNCHER + "cosim"));
                if (at >= 0) {
                    found.add(AFTER.matcher(line.substring(at + LAUNCHER.length()))
                            .replaceFirst("")
                            .strip());
                }
            }
        }
        return found;
    }

    private static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.toArray(String[]::new);
    }
}

package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.CloseReason;
import io.metaroce.param.StreamError;
import io.metaroce.queue.WcStatus;
import io.metaroce.trace.DropReason;
import io.metaroce.verbs.AsyncEvent;
import io.metaroce.verbs.CmEvent;
import io.metaroce.verbs.ConnectFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page of errors has a row for each thing the library can say, and quotes it as it is said. */
class ErrorsPageTest {
    private static final Pattern QUOTE = Pattern.compile("`([^`]+)`");
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern EXCEPTION =
            Pattern.compile("public (?:final )?class (\\w+) extends \\w*(?:Exception|Error)\\b");
    private static final Pattern LOG_LINE = Pattern.compile("LOG\\s*\\.(?:warn|error)\\(\\s*\"([^\"]*)\"");
    private static final String REFUSAL = "new VerbsException(";

    @Test
    void everyStatusHasARowWithItsNumber() throws IOException {
        assertNames("Statuses of work requests", names(WcStatus.values()));
        for (List<String> row : rows("Statuses of work requests")) {
            List<String> quoted = quotes(row.get(0));
            if (quoted.size() == 1) {
                assertThat(row.get(1))
                        .isEqualTo(
                                String.valueOf(WcStatus.valueOf(quoted.get(0)).value()));
            }
        }
    }

    @Test
    void everyCodeOfTheWireHasARowWithItsWords() throws IOException {
        assertNames("Codes of stream errors", names(StreamError.values()));
        for (List<String> row : rows("Codes of stream errors")) {
            StreamError error = StreamError.valueOf(quotes(row.get(0)).get(0));
            assertThat(row.get(1)).isEqualTo("0x" + Integer.toHexString(error.code()));
            assertThat(error.sentence()).startsWith(row.get(2));
        }
    }

    @Test
    void everyReasonAndEventHasARow() throws IOException {
        assertNames("A connection does not come about", names(ConnectFailure.values()));
        assertNames("Why a connection is gone, or was refused", names(CloseReason.values()));
        List<String> events = names(AsyncEvent.Kind.values());
        events.addAll(names(CmEvent.values()));
        assertNames("Events", events);
        assertNames(
                "Packets dropped",
                Arrays.stream(DropReason.values()).map(DropReason::label).toList());
        CommandLine tool =
                Objects.requireNonNull(Main.commandLine().getSubcommands().get("write_bw"));
        assertNames(
                "Exit codes of the tools",
                List.copyOf(tool.getCommandSpec().usageMessage().exitCodeList().keySet()));
    }

    @Test
    void everyExceptionOfThePublicApiHasARow() throws IOException {
        List<String> classes = new ArrayList<>();
        for (String source : sources().values()) {
            Matcher matcher = EXCEPTION.matcher(source);
            while (matcher.find()) {
                classes.add(matcher.group(1));
            }
        }
        assertThat(classes).hasSizeGreaterThan(5);
        assertNames("Exceptions", classes);
    }

    @Test
    void everyMessageIsQuotedAsTheSourcesHaveIt() throws IOException {
        List<String> unknown = new ArrayList<>();
        for (String quote : quotesOf("Refusals of a call", "Lines of the log")) {
            if (sources().values().stream().noneMatch(source -> says(source, quote))) {
                unknown.add(quote);
            }
        }
        assertThat(unknown).as("messages that no source has").isEmpty();
    }

    @Test
    void everyClassThatRefusesACallHasARow() throws IOException {
        List<String> quotes = quotesOf("Refusals of a call");
        List<String> silent = new ArrayList<>();
        sources().forEach((name, source) -> {
            if (source.contains(REFUSAL) && quotes.stream().noneMatch(quote -> says(source, quote))) {
                silent.add(name);
            }
        });
        assertThat(silent).as("classes none of whose refusals has a row").isEmpty();
    }

    @Test
    void everyWarningHasARow() throws IOException {
        List<String> quotes = quotesOf("Lines of the log");
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (String source : sources().values()) {
            Matcher matcher = LOG_LINE.matcher(source);
            while (matcher.find()) {
                String line = matcher.group(1);
                found++;
                // What begins with a placeholder passes on a text made elsewhere.
                if (!line.startsWith("{}") && quotes.stream().noneMatch(quote -> says(line, quote))) {
                    missing.add(line);
                }
            }
        }
        assertThat(found).isGreaterThan(5);
        assertThat(missing).as("warnings without a row").isEmpty();
    }

    private static void assertNames(String section, List<String> expected) throws IOException {
        List<String> shown = new ArrayList<>();
        for (List<String> row : rows(section)) {
            shown.addAll(quotes(row.get(0)));
        }
        assertThat(shown).as("first column of \"%s\"", section).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> names(Enum<?>[] values) {
        List<String> names = new ArrayList<>();
        for (Enum<?> value : values) {
            names.add(value.name());
        }
        return names;
    }

    /** The rows of the tables of a section, heads and rulers left out; each the text of its cells. */
    private static List<List<String>> rows(String section) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean isInside = false;
        for (String line : Files.readAllLines(Checkout.root().resolve("docs/errors.md"))) {
            isInside = line.startsWith("## ") ? line.equals("## " + section) : isInside;
            if (isInside && line.startsWith("| `")) {
                rows.add(Stream.of(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList());
            }
        }
        assertThat(rows).as("rows of \"%s\"", section).isNotEmpty();
        return rows;
    }

    private static List<String> quotesOf(String... sections) throws IOException {
        List<String> all = new ArrayList<>();
        for (String section : sections) {
            for (List<String> row : rows(section)) {
                all.addAll(quotes(row.get(0)));
            }
        }
        return all;
    }

    private static List<String> quotes(String cell) {
        return QUOTE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    /** Whether a text has the parts of a quote in their order; between them stand values. */
    private static boolean says(String text, String quote) {
        int at = 0;
        for (String part : quote.split("…", -1)) {
            at = text.indexOf(part.strip(), at);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    /** What applications use, by path, texts that are cut over several lines made whole. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (String module : List.of("metaroce-core", "metaroce-udp", "metaroce-verbs")) {
            Path folder = Checkout.root().resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String text = JOINED.matcher(Files.readString(file)).replaceAll("");
                    found.put(Checkout.root().relativize(file).toString(), text);
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(100);
        return found;
    }
}

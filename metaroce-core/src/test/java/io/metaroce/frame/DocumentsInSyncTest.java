package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents say about the tree is so. */
class DocumentsInSyncTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("// README: begin\\n(.*?)\\n *// README: end", Pattern.DOTALL);

    @Test
    void thePageOfCountersShowsEveryCounter() {
        List<String> page = Repository.lines(Repository.ROOT.resolve("docs/counters.md"));
        List<String> missing = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            String row = "| `" + counter.label() + "` | " + counter.meaning();
            if (page.stream().noneMatch(line -> line.startsWith(row))) {
                missing.add(row + " |");
            }
        }
        for (DropReason reason : DropReason.values()) {
            String row = "| `" + reason.label() + "` | " + reason.tag() + " |";
            if (page.stream().noneMatch(line -> line.startsWith(row))) {
                missing.add(row);
            }
        }
        assertThat(missing).as("rows of docs/counters.md").isEmpty();
    }

    @Test
    void thePageOfCountersShowsNothingElse() {
        List<String> labels = new ArrayList<>();
        Arrays.stream(Counter.values()).forEach(counter -> labels.add(counter.label()));
        Arrays.stream(DropReason.values()).forEach(reason -> labels.add(reason.label()));
        List<String> unknown = Repository.lines(Repository.ROOT.resolve("docs/counters.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .filter(label -> !labels.contains(label))
                .toList();
        assertThat(unknown).as("counters that do not exist").isEmpty();
    }

    @Test
    void theExampleOfTheReadmeIsTheOneThatIsTested() {
        String readme = Repository.text("README.md");
        List<Path> examples = Repository.files(name -> name.endsWith("/FirstTenMinutesTest.java"));
        assertThat(examples).as("the test whose body the README shows").hasSize(1);
        Matcher example = EXAMPLE.matcher(Repository.text(examples.get(0)));
        assertThat(example.find())
                .as("FirstTenMinutesTest marks the example with README: begin and README: end")
                .isTrue();
        assertThat(readme).as("README.md").contains(example.group(1).stripIndent());
    }
}

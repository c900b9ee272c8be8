package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the documents say about the tree is so. */
class DocumentsInSyncTest {
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
        List<Path> examples = Repository.files(name -> name.endsWith("/FirstTenMinutes.java"));
        assertThat(examples).as("the example that the README shows").hasSize(1);
        assertThat(Repository.text("README.md"))
                .as("README.md against " + Repository.name(examples.get(0)))
                .containsIgnoringWhitespaces(Repository.text(examples.get(0)));
    }
}

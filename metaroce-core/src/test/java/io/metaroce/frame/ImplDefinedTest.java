package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The register of choices that the specification leaves to an implementation. */
class ImplDefinedTest {
    private static final Pattern CHOICE =
            Pattern.compile("\\{\"id\": \"(I-[A-Z0-9]+)\", \"chapter\": \"([^\"]+)\", \"question\": \"([^\"]+\\?)\","
                    + " \"allowed\": \"([^\"]+)\", \"reference\": \"([^\"]+)\"\\}");

    @Test
    void everyChoiceHasAChapterAQuestionAndTwoAnswers() {
        List<String> ids = new ArrayList<>();
        for (String line : Repository.text("spec/impl-defined.json").lines().toList()) {
            if (line.contains("\"id\"")) {
                Matcher choice = CHOICE.matcher(line);
                assertThat(choice.find()).as(line).isTrue();
                ids.add(choice.group(1));
                assertThat(Files.exists(Repository.ROOT.resolve("spec/" + choice.group(2) + ".md")))
                        .as(line)
                        .isTrue();
            }
        }
        assertThat(ids).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }
}

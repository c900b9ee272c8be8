package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The project that the first page shows depends on what there is. {@link DocumentedSessionsTest} runs its sessions. */
class GettingStartedTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(metaroce-[a-z]+)</artifactId>");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>metaroce-parent</artifactId>\\s*<version>([^<]+)</version>");

    private static String text(String file) throws IOException {
        return Files.readString(Checkout.root().resolve(file));
    }

    private static List<String> dependencies(String text) {
        return DEPENDENCY.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static String found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
    }

    @Test
    void theProjectThatIsShownDependsOnWhatThereIs() throws IOException {
        String parent = text("pom.xml");
        String page = text("docs/getting-started.md");
        assertThat(found(VERSION, page)).isEqualTo(found(VERSION, parent)).isNotEmpty();
        List<String> managed =
                dependencies(parent).stream().map(each -> found(ARTIFACT, each)).toList();
        List<String> asked = dependencies(page);
        assertThat(asked).hasSize(3).first().asString().contains("<scope>import</scope>");
        assertThat(asked.subList(1, 3)).allSatisfy(each -> {
            assertThat(managed).contains(found(ARTIFACT, each));
            assertThat(each).doesNotContain("<version>"); // it comes from what is imported
        });
    }
}

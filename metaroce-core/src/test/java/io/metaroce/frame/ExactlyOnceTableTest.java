package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code docs/testing.md} says about who proves that slots take effect once names tests that exist. */
class ExactlyOnceTableTest {
    private static final String TITLE = "## Exactly once";
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @Test
    void everyRowNamesATestThatExists() {
        List<String> rows = rows();
        assertThat(rows).hasSizeGreaterThan(8);
        for (String row : rows) {
            Matcher named = NAMED.matcher(row);
            assertThat(named.find()).as(row).isTrue();
            do {
                assertThat(source(named.group(1))).as(row).contains("void " + named.group(2) + "(");
            } while (named.find());
        }
    }

    private static List<String> rows() {
        List<String> rows = new ArrayList<>();
        boolean isInside = false;
        for (String line : Repository.text("docs/testing.md").lines().toList()) {
            isInside = line.startsWith("## ") ? line.equals(TITLE) : isInside;
            if (isInside && line.startsWith("| ") && !line.startsWith("| under ")) {
                rows.add(line);
            }
        }
        return rows;
    }

    private static String source(String test) {
        for (Path path : Repository.sources("test")) {
            if (path.getFileName().toString().equals(test + ".java")) {
                return Repository.text(path);
            }
        }
        throw new AssertionError("no test is called " + test);
    }
}

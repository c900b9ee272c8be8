package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Reads the text of the repository and complains about what review should not have to. */
class TidyTest {
    private static final int LINES_MAX = 600;
    private static final String THIS_FILE = "metaroce-core/src/test/java/io/metaroce/frame/TidyTest.java";

    // Folders of one machine, and hosts of package registries, say nothing to a reader elsewhere.
    private static final Pattern BANNED =
            Pattern.compile("(?<![\\w.~}-])/(work|home|root|Users)/|C:\\\\Users|repo1?\\.maven|maven\\.google|jitpack"
                    + "|artifactory|registry\\.npm|pypi\\.org|proxy\\.golang");
    private static final Pattern LOOSE_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?!.*\\bissue \\d)");
    private static final Pattern TAG = Pattern.compile("\\bR-[A-Z]+-\\w+");
    private static final Pattern GOOD_TAG = Pattern.compile(
            "R-(HDR|PATH|SACK|ACK|LOSS|MEM|ORD|SEND|READ|ATOM|CC|HINT|HEALTH|PLANE|CONN|SEC|ERR|OBS)" + "-\\d{3}");
    private static final Pattern CONSOLE = Pattern.compile("\\bSystem\\.(out|err)\\b|\\.printStackTrace\\(");

    @Test
    void nothingNamesOneMachineOrOneRegistry() {
        assertThat(linesMatching(Repository.files(name -> !name.equals(THIS_FILE)), BANNED))
                .as("the text speaks of the project, not of where it was written")
                .isEmpty();
    }

    @Test
    void everyLooseEndNamesItsIssue() {
        List<Path> files = Repository.files(
                name -> !name.equals(THIS_FILE) && (name.endsWith(".java") || name.endsWith("pom.xml")));
        assertThat(linesMatching(files, LOOSE_END))
                .as("a loose end without an issue is nobody's")
                .isEmpty();
    }

    @Test
    void librariesDoNotPrint() {
        List<Path> files = Repository.files(name -> name.contains("/src/main/java/")
                && !name.contains("/io/metaroce/tools/")
                && !name.contains("/io/metaroce/examples/")
                && !name.contains("/io/metaroce/bench/"));
        assertThat(linesMatching(files, CONSOLE))
                .as("only tools, benchmarks and examples own the console")
                .isEmpty();
    }

    @Test
    void textEndsWhereItEnds() {
        List<String> found = new ArrayList<>();
        for (Path path : Repository.files(name -> true)) {
            String text = Repository.text(path);
            if (!text.isEmpty() && !text.endsWith("\n")) {
                found.add(Repository.name(path) + " does not end with a line end");
            }
            if (text.indexOf('\r') >= 0) {
                found.add(Repository.name(path) + " has carriage returns");
            }
            int number = 0;
            for (String line : text.lines().toList()) {
                number++;
                boolean isTabbed =
                        line.indexOf('\t') >= 0 && Repository.name(path).endsWith(".java");
                if (isTabbed || line.endsWith(" ") || line.endsWith("\t")) {
                    found.add(Repository.name(path) + ":" + number + " has tabs or trailing blanks");
                }
            }
        }
        assertThat(found).as("differences in a review should mean something").isEmpty();
    }

    @Test
    void noFileOfTheMainCodeIsAMonster() {
        List<String> found = new ArrayList<>();
        for (Path path : Repository.sources("main")) {
            int lines = Repository.lines(path).size();
            if (lines > LINES_MAX) {
                found.add(Repository.name(path) + " has " + lines + " lines");
            }
        }
        assertThat(found)
                .as("most files are near 90 lines; " + LINES_MAX + " is two rooms")
                .isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIs() {
        TreeSet<String> found = new TreeSet<>();
        for (Path path : Repository.sources("main")) {
            Path description = path.resolveSibling("package-info.java");
            boolean isModule = path.getFileName().toString().equals("module-info.java");
            if (!isModule && !Files.exists(description)) {
                found.add(Repository.name(description));
            }
        }
        assertThat(found).as("a room without a description has no purpose yet").isEmpty();
    }

    @Test
    void tagsAreSpelledAlike() {
        List<String> found = new ArrayList<>();
        List<Path> files = Repository.files(name ->
                !name.equals(THIS_FILE) && (name.endsWith(".java") || name.endsWith(".md") || name.endsWith(".csv")));
        for (Path path : files) {
            Matcher matcher = TAG.matcher(Repository.text(path));
            while (matcher.find()) {
                String tag = matcher.group();
                boolean isPattern = tag.matches("R-[A-Z]+-(nnn|REACT|REORDER|xxx)");
                if (!GOOD_TAG.matcher(tag).matches() && !isPattern) {
                    found.add(Repository.name(path) + ": " + tag);
                }
            }
        }
        assertThat(found).as("a tag nobody can look up").isEmpty();
    }

    @Test
    void everyDecisionRecordIsInTheList() {
        String list = Repository.text("docs/adr/README.md");
        List<String> found = new ArrayList<>();
        for (Path path : Repository.files(name -> name.matches("docs/adr/\\d{4}-.*\\.md"))) {
            if (!list.contains("(" + path.getFileName() + ")")) {
                found.add(Repository.name(path));
            }
        }
        assertThat(found).as("a decision nobody finds").isEmpty();
    }

    @Test
    void linksBetweenDocumentsLeadSomewhere() {
        Pattern link = Pattern.compile("]\\((?!https?:|mailto:)([^)#\\s]*)(#[^)]*)?\\)");
        List<String> found = new ArrayList<>();
        int places = 0;
        for (Path path : Repository.files(name -> name.endsWith(".md"))) {
            Matcher matcher = link.matcher(Repository.text(path));
            while (matcher.find()) {
                Path target = matcher.group(1).isEmpty() ? path : path.resolveSibling(matcher.group(1));
                String place = matcher.group(2);
                places += place == null ? 0 : 1;
                boolean isThere = Files.exists(target)
                        && (place == null || Headings.of(target).contains(place.substring(1)));
                if (!isThere) {
                    found.add(Repository.name(path) + " -> " + matcher.group());
                }
            }
        }
        assertThat(places).as("links into documents").isPositive();
        assertThat(found).as("links that lead nowhere").isEmpty();
    }

    private static List<String> linesMatching(List<Path> files, Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (Path path : files) {
            int number = 0;
            for (String line : Repository.lines(path)) {
                number++;
                if (pattern.matcher(line).find()) {
                    found.add(Repository.name(path) + ":" + number + ": " + line.strip());
                }
            }
        }
        return found;
    }
}

package io.metaroce.frame;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requirements as the chapters of {@code spec/} state them, the exceptions, and who cites them.
 *
 * <p>A normative sentence is a paragraph or list item that begins with its tag in brackets, contains one keyword of RFC
 * 2119 in capitals and ends with its mark: {@code [R-AREA-nnn] … MUST … [public]} or {@code [choice]}.
 */
final class Requirements {
    static final Pattern TAG = Pattern.compile("R-[A-Z]+-\\d{3}");
    private static final Pattern KEYWORD =
            Pattern.compile("\\b(MUST NOT|MUST|SHALL NOT|SHALL|SHOULD NOT|SHOULD|MAY|REQUIRED|RECOMMENDED)\\b");
    private static final Pattern MARK = Pattern.compile("\\[(public|choice)]");
    private static final Pattern START = Pattern.compile("^(?:[-*] )?\\[(R-[A-Z]+-\\d{3})] ");
    private static final Pattern COVERS_ANNOTATION = Pattern.compile("@Covers\\(([^)]*)\\)", Pattern.DOTALL);
    private static final Pattern COVERS_COMMENT = Pattern.compile("\\bCovers:? +((?:R-[A-Z]+-\\d{3}[,; and]*)+)");

    /**
     * One normative sentence.
     *
     * @param tag its number for ever
     * @param chapter file it stands in, relative to the root
     * @param text the sentence without its tag
     */
    record Sentence(String tag, String chapter, String text) {
        List<String> keywords() {
            return all(KEYWORD, text);
        }

        List<String> marks() {
            return all(MARK, text);
        }

        boolean endsWithItsMark() {
            return text.endsWith("[public]") || text.endsWith("[choice]");
        }

        /** Whether an implementation has no choice. */
        boolean isMust() {
            return keywords().stream().anyMatch(word -> word.startsWith("MUST") || word.startsWith("SHALL"));
        }
    }

    /**
     * One line of {@code spec/exceptions.csv}: a requirement that is known and not built yet.
     *
     * @param tag the requirement
     * @param reason why it is not built
     * @param issue the work item that builds it
     */
    record Gap(String tag, String reason, String issue) {}

    private Requirements() {}

    /** Every normative sentence of the chapters, in order of appearance. */
    static List<Sentence> sentences() {
        List<Sentence> all = new ArrayList<>();
        for (Path chapter : chapters()) {
            for (String block : blocks(chapter)) {
                Matcher start = START.matcher(block);
                if (start.find()) {
                    all.add(new Sentence(start.group(1), Repository.name(chapter), block.substring(start.end())));
                }
            }
        }
        return all;
    }

    /** Paragraphs, list items and table rows that use a keyword in capitals without being a normative sentence. */
    static List<String> strayKeywords() {
        List<String> found = new ArrayList<>();
        for (Path chapter : chapters()) {
            for (String block : blocks(chapter)) {
                if (!START.matcher(block).find() && KEYWORD.matcher(block).find()) {
                    found.add(Repository.name(chapter) + ": " + block);
                }
            }
        }
        return found;
    }

    /** The gaps, without the heading line. */
    static List<Gap> gaps() {
        return Repository.lines(Repository.ROOT.resolve("spec/exceptions.csv")).stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(Requirements::gap)
                .toList();
    }

    /** Tags that the main code or the tests cite, with one file each. */
    static Map<String, String> citations() {
        Map<String, String> cited = new TreeMap<>();
        for (String kind : List.of("main", "test")) {
            for (Path source : Repository.sources(kind)) {
                for (String tag : all(TAG, Repository.text(source))) {
                    cited.putIfAbsent(tag, Repository.name(source));
                }
            }
        }
        return cited;
    }

    /** Tags that tests say they prove, by annotation or by comment, with the names of those test classes. */
    static Map<String, Set<String>> coverage() {
        Map<String, Set<String>> covered = new TreeMap<>();
        for (Path source : Repository.sources("test")) {
            String text = Repository.text(source);
            String test = source.getFileName().toString().replace(".java", "");
            for (Pattern pattern : List.of(COVERS_ANNOTATION, COVERS_COMMENT)) {
                for (String claim : all(pattern, text)) {
                    for (String tag : all(TAG, claim)) {
                        covered.computeIfAbsent(tag, t -> new TreeSet<>()).add(test);
                    }
                }
            }
        }
        return covered;
    }

    private static List<Path> chapters() {
        return Repository.files(name -> name.matches("spec/\\d\\d-[a-z-]+\\.md"));
    }

    private static Gap gap(String line) {
        String[] parts = line.split(",", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("spec/exceptions.csv: not of the form tag,reason,issue: " + line);
        }
        return new Gap(parts[0], parts[1], parts[2]);
    }

    /** Splits Markdown into paragraphs, list items and single table rows; code is taken out. */
    private static List<String> blocks(Path chapter) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = new StringBuilder();
        boolean isCode = false;
        for (String line : Repository.lines(chapter)) {
            if (line.stripLeading().startsWith("```")) {
                isCode = !isCode;
                continue;
            }
            boolean isStart = line.isBlank()
                    || line.startsWith("#")
                    || line.startsWith("|")
                    || line.startsWith("<!--")
                    || line.stripLeading().matches("([-*]|\\d+\\.) .*");
            if (isStart && !block.isEmpty()) {
                blocks.add(block.toString());
                block.setLength(0);
            }
            if (!isCode && !line.isBlank()) {
                block.append(block.isEmpty() ? "" : " ").append(line.strip().replaceAll("`[^`]*`", "`…`"));
            }
        }
        if (!block.isEmpty()) {
            blocks.add(block.toString());
        }
        return blocks;
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}

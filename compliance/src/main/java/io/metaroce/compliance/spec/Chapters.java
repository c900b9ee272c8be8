package io.metaroce.compliance.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads normative sentences out of the chapters: list items or paragraphs that begin with a tag in brackets. */
final class Chapters {
    private static final Pattern START = Pattern.compile("^(?:[-*] )?\\[(R-[A-Z]+-\\d{3})] (.*)$");
    private static final Pattern LEVEL = Pattern.compile("\\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\\b");
    private static final Pattern MARK = Pattern.compile(" \\[(public|choice)]$");

    /**
     * A sentence as it stands in a chapter.
     *
     * @param id tag
     * @param level keyword
     * @param origin mark
     * @param section file name of the chapter
     * @param text without tag and mark
     */
    record Sentence(String id, String level, String origin, String section, String text) {}

    private Chapters() {}

    static List<Sentence> read(Path spec) {
        List<Sentence> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(spec)) {
            List<Path> chapters = files.filter(
                            path -> path.getFileName().toString().matches("\\d\\d-[a-z-]+\\.md"))
                    .sorted()
                    .toList();
            for (Path chapter : chapters) {
                read(chapter, all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static void read(Path chapter, List<Sentence> all) throws IOException {
        StringBuilder open = new StringBuilder();
        String section = chapter.getFileName().toString();
        boolean isCode = false;
        for (String line : Files.readAllLines(chapter)) {
            isCode ^= line.stripLeading().startsWith("```");
            boolean ends = isCode || line.isBlank() || line.startsWith("#") || line.matches("[-*] .*");
            if (ends) {
                finish(open, section, all);
            }
            if (!isCode && (START.matcher(line).matches() || !open.isEmpty())) {
                open.append(open.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        finish(open, section, all);
    }

    private static void finish(StringBuilder open, String section, List<Sentence> all) {
        Matcher start = START.matcher(open);
        if (start.matches()) {
            Matcher level = LEVEL.matcher(start.group(2));
            Matcher mark = MARK.matcher(start.group(2));
            if (!level.find() || !mark.find()) {
                throw new IllegalStateException(section + ": " + start.group(1) + " has no keyword or no mark");
            }
            String text = start.group(2).substring(0, mark.start());
            all.add(new Sentence(start.group(1), level.group(), mark.group(1), section, text));
        }
        open.setLength(0);
    }
}

package io.metaroce.frame;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The places within a document that a link may lead to: its headings, as places that show Markdown name them. */
final class Headings {
    private static final String CODE = "```";

    private Headings() {}

    /** The names of all headings of a document. */
    static Set<String> of(Path document) {
        Set<String> names = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        boolean isCode = false;
        for (String line : Repository.lines(document)) {
            isCode ^= line.strip().startsWith(CODE);
            if (!isCode && line.matches("#{1,6} .*")) {
                String name = name(line.replaceFirst("#+ ", ""));
                int before = seen.merge(name, 1, Integer::sum) - 1;
                names.add(before == 0 ? name : name + "-" + before);
            }
        }
        return names;
    }

    /** Small letters, hyphens for blanks, and of other characters only those of words. */
    static String name(String heading) {
        String shown = heading.strip().replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        return shown.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }
}

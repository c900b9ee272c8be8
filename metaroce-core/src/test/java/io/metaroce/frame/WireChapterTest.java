package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The layouts that chapter 3 shows to people are those of {@code spec/wire/packets.json}. The table has one field and
 * one packet per line, so lines are enough; its whole structure is checked by the tests of {@code wire}.
 */
class WireChapterTest {
    private static final String TABLE = Repository.text("spec/wire/packets.json");
    private static final String CHAPTER = Repository.text("spec/03-wire-format.md");
    private static final Pattern GROUP = Pattern.compile("^ {4}\"([A-Z_]+)\": \\{");
    private static final Pattern FIELD = Pattern.compile("\\{\"name\": \"(\\w+)\".*?\"at\": \\d+, \"bits\": (\\d+)");
    private static final Pattern PACKET = Pattern.compile(
            "\\{\"name\": \"(\\w+)\", \"opcode\": \"(0x\\w\\w)\", \"layout\": \\[([^]]*)].*?\"slot\": (true|false)");
    private static final Pattern RULE = Pattern.compile("^(\\S.*?) +--> (.*)$");
    private static final Pattern TOKEN = Pattern.compile("(\\w+):(\\d+)");

    /** Fields of each header and structure as {@code name:bits}, in order. */
    private static final Map<String, List<String>> GROUPS = groups();

    @Test
    void layoutsAreThoseOfTheTable() {
        Map<String, String> shown = rules();
        List<String> found = new ArrayList<>();
        for (MatchResult packet : packets()) {
            compare(packet.group(1), shown, fieldsOf(packet.group(3)), found);
        }
        compare("MEH", shown, GROUPS.getOrDefault("MEH", List.of()), found);
        compare("PathBlock", shown, GROUPS.getOrDefault("PATH_BLOCK", List.of()), found);
        compare("StreamUpdate", shown, GROUPS.getOrDefault("STREAM_UPDATE", List.of()), found);
        assertThat(found)
                .as("spec/03-wire-format.md against spec/wire/packets.json")
                .isEmpty();
    }

    @Test
    void opcodesAreThoseOfTheTable() {
        List<String> missing = packets().stream()
                .map(packet -> String.format(
                        Locale.ROOT,
                        "| %s | %s | %s |",
                        packet.group(2),
                        packet.group(1),
                        packet.group(4).equals("true") ? "yes" : "no"))
                .filter(row -> !CHAPTER.contains(row))
                .toList();
        assertThat(missing).as("rows of the table of opcodes").isEmpty();
    }

    private static void compare(String name, Map<String, String> shown, List<String> expected, List<String> found) {
        String rule = shown.getOrDefault(name, "");
        List<String> tokens = all(TOKEN, rule.replaceAll("\\[.*", "")).stream()
                .map(token -> token.group(1) + ":" + token.group(2))
                .toList();
        if (!tokens.equals(expected)) {
            found.add(name + ": the chapter shows " + tokens + ", the table has " + expected);
        }
    }

    /** Fields behind the headers that chapter 3 writes by name, BASE and MEH. */
    private static List<String> fieldsOf(String layout) {
        List<String> fields = new ArrayList<>();
        for (String header : layout.replace("\"", "").split(", ", -1)) {
            if (!header.equals("BASE") && !header.equals("MEH")) {
                fields.addAll(GROUPS.getOrDefault(header, List.of()));
            }
        }
        return fields;
    }

    private static List<MatchResult> packets() {
        List<MatchResult> packets = all(PACKET, TABLE);
        assertThat(packets).as("packets of the table").hasSizeGreaterThan(20);
        return packets;
    }

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : TABLE.lines().toList()) {
            Matcher group = GROUP.matcher(line);
            if (group.find()) {
                current = new ArrayList<>();
                groups.put(group.group(1), current);
            }
            Matcher field = FIELD.matcher(line);
            if (field.find()) {
                current.add(camel(field.group(1)) + ":" + field.group(2));
            }
        }
        return groups;
    }

    /** The lines of grammar in the code blocks of the chapter, by name; continued lines are joined. */
    private static Map<String, String> rules() {
        Map<String, String> rules = new LinkedHashMap<>();
        List<String> names = List.of();
        for (String line : CHAPTER.lines().toList()) {
            Matcher rule = RULE.matcher(line);
            if (rule.matches()) {
                names = List.of(rule.group(1).split(", "));
                names.forEach(name -> rules.put(name, rule.group(2)));
            } else if (line.startsWith(" ")) {
                names.forEach(name -> rules.merge(name, line.strip(), (a, b) -> a + " " + b));
            } else {
                names = List.of();
            }
        }
        return rules;
    }

    private static String camel(String snake) {
        return Pattern.compile("_(\\w)")
                .matcher(snake)
                .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}

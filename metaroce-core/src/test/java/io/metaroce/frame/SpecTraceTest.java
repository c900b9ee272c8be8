package io.metaroce.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.frame.Requirements.Gap;
import io.metaroce.frame.Requirements.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Specification, code and tests in step: every tag leads from a sentence to the code that obeys and the test that
 * proves.
 */
class SpecTraceTest {
    private static final List<Sentence> SENTENCES = Requirements.sentences();
    private static final List<Gap> GAPS = Requirements.gaps();

    @Test
    void everySentenceHasOneKeywordAndOneMark() {
        List<String> found = new ArrayList<>();
        for (Sentence sentence : SENTENCES) {
            if (sentence.keywords().size() != 1) {
                found.add(sentence.tag() + " has the keywords " + sentence.keywords());
            }
            if (sentence.marks().size() != 1 || !sentence.endsWithItsMark()) {
                found.add(sentence.tag() + " does not end with exactly one mark");
            }
        }
        assertThat(found)
                .as("a sentence demands one thing and says who says so")
                .isEmpty();
    }

    @Test
    void everyKeywordIsTagged() {
        assertThat(Requirements.strayKeywords())
                .as("a demand without a number cannot be tested")
                .isEmpty();
    }

    @Test
    void everyTagIsDefinedOnce() {
        TreeSet<String> seen = new TreeSet<>();
        List<String> twice = new ArrayList<>();
        SENTENCES.forEach(sentence -> {
            if (!seen.add(sentence.tag())) {
                twice.add(sentence.tag());
            }
        });
        GAPS.forEach(gap -> {
            if (!seen.add(gap.tag())) {
                twice.add(gap.tag() + " (exception)");
            }
        });
        assertThat(twice)
                .as("a tag stands in one chapter, or in the exceptions, never in both")
                .isEmpty();
    }

    @Test
    void numbersHaveNoHoles() {
        Map<String, TreeSet<Integer>> numbers = new TreeMap<>();
        for (String tag : known()) {
            int dash = tag.lastIndexOf('-');
            numbers.computeIfAbsent(tag.substring(0, dash), area -> new TreeSet<>())
                    .add(Integer.valueOf(tag.substring(dash + 1)));
        }
        List<String> missing = new ArrayList<>();
        numbers.forEach((area, used) -> {
            for (int n = 1; n <= used.last(); n++) {
                if (!used.contains(n)) {
                    missing.add(area + "-" + n);
                }
            }
        });
        assertThat(missing)
                .as("a number that is neither stated nor excepted has been forgotten")
                .isEmpty();
    }

    @Test
    void everyCitedTagExists() {
        Map<String, String> cited = Requirements.citations();
        cited.keySet().removeAll(known());
        assertThat(cited).as("code cites what the specification does not say").isEmpty();
    }

    @Test
    void everyMustHasATest() {
        Map<String, Set<String>> coverage = Requirements.coverage();
        write(coverage);
        List<String> missing = SENTENCES.stream()
                .filter(Sentence::isMust)
                .map(Sentence::tag)
                .filter(tag -> !coverage.containsKey(tag))
                .toList();
        assertThat(missing).as("a demand nobody checks").isEmpty();
    }

    @Test
    void exceptionsAreTrue() {
        Map<String, Set<String>> coverage = Requirements.coverage();
        List<String> found = new ArrayList<>();
        for (Gap gap : GAPS) {
            boolean isPartlyBuilt = gap.reason().startsWith("partly built: ");
            if (coverage.containsKey(gap.tag()) && !isPartlyBuilt) {
                found.add(gap.tag() + " is tested by " + coverage.get(gap.tag()) + ": no exception any more");
            }
            if (!gap.issue().matches("issue \\d+") || gap.reason().isEmpty()) {
                found.add(gap.tag() + " needs a reason and an issue");
            }
        }
        assertThat(found).as("stale exceptions").isEmpty();
    }

    @Test
    void exceptionsAreDescribed() {
        String chapter = Repository.text("spec/99-not-covered.md");
        List<String> missing = GAPS.stream()
                .map(Gap::tag)
                .filter(tag -> !chapter.contains(tag))
                .toList();
        assertThat(missing).as("an exception the reader is not told of").isEmpty();
    }

    private static Set<String> known() {
        TreeSet<String> tags = new TreeSet<>();
        SENTENCES.forEach(sentence -> tags.add(sentence.tag()));
        GAPS.forEach(gap -> tags.add(gap.tag()));
        return tags;
    }

    /** Leaves a table of tags and tests for people in the module's build folder. */
    private static void write(Map<String, Set<String>> coverage) {
        StringBuilder out = new StringBuilder();
        for (Sentence sentence : SENTENCES) {
            Set<String> tests = coverage.getOrDefault(sentence.tag(), Set.of());
            out.append(sentence.tag()).append('\t').append(sentence.isMust() ? "MUST" : "SHOULD");
            out.append('\t').append(String.join(" ", tests)).append('\n');
        }
        Path target = Repository.ROOT.resolve("metaroce-core/target");
        try {
            Files.createDirectories(target);
            Files.writeString(target.resolve("spec-trace.txt"), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

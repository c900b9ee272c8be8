package io.metaroce.compliance.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.tests.Catalogue;
import io.metaroce.compliance.tests.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every row of the silicon guide names a requirement, a vector and a scenario that exist and belong together. */
class SiliconGuideTest {
    private static final Path DOCS = Checkout.root().resolve("docs");
    private static final String NOTHING = "–";
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\(([^)]+)\\)");

    private static final Map<String, String> CHAPTERS = new TreeMap<>();
    private static final Map<String, Conformance> TESTS = new TreeMap<>();
    private static final List<Row> ROWS = new ArrayList<>();
    private static final List<String> LINES = new ArrayList<>();

    /** One row: its own cells, and the three at its end. */
    private record Row(int line, List<String> cells, String requirements, String vectors, String scenarios) {
        @Override
        public String toString() {
            return "line " + line + ": " + cells;
        }
    }

    @BeforeAll
    static void read() throws IOException {
        for (JsonNode one :
                Json.read(Checkout.spec().resolve("requirements.json")).get("requirements")) {
            CHAPTERS.put(one.get("id").asString(), one.get("section").asString());
        }
        Catalogue.all().forEach(test -> TESTS.put(test.id(), test));
        LINES.addAll(Files.readAllLines(DOCS.resolve("silicon-guide.md")));
        for (int i = 0; i < LINES.size(); i++) {
            String line = LINES.get(i);
            boolean isRow = line.startsWith("| ") && !line.endsWith("| requirement | vector | scenario |");
            if (isRow && !line.startsWith("| sum |")) {
                List<String> cells = cells(line);
                int own = cells.size() - 3;
                ROWS.add(new Row(i + 1, cells.subList(0, own), cells.get(own), cells.get(own + 1), cells.get(own + 2)));
            }
        }
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    @Test
    void allEighteenSubjectsAreThere() {
        List<String> numbers = LINES.stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3, line.indexOf('.')))
                .toList();
        assertThat(numbers)
                .isEqualTo(
                        IntStream.rangeClosed(1, 18).mapToObj(Integer::toString).toList());
        assertThat(ROWS).hasSizeGreaterThan(190);
    }

    @Test
    void requirementsExistWhereTheirLinksLead() {
        for (Row row : ROWS) {
            Matcher link = LINK.matcher(row.requirements());
            int count = 0;
            while (link.find()) {
                count++;
                assertThat(link.group(2))
                        .as(row + " " + link.group(1))
                        .isEqualTo("../spec/" + CHAPTERS.get(link.group(1)));
            }
            assertThat(count).as(row.toString()).isPositive();
        }
    }

    @Test
    void vectorsExist() {
        for (Row row : ROWS) {
            Matcher link = LINK.matcher(row.vectors());
            int count = 0;
            while (link.find()) {
                count++;
                assertThat(link.group(2)).as(row.toString()).isEqualTo("../spec/vectors/" + link.group(1) + ".json");
                assertThat(DOCS.resolve(link.group(2))).exists();
            }
            assertThat(count > 0 || row.vectors().equals(NOTHING))
                    .as(row.toString())
                    .isTrue();
        }
    }

    @Test
    void scenariosProveARequirementOfTheirRow() {
        for (Row row : ROWS) {
            List<String> tags = new ArrayList<>();
            Matcher link = LINK.matcher(row.requirements());
            while (link.find()) {
                tags.add(link.group(1));
            }
            if (row.scenarios().equals(NOTHING)) {
                assertThat(TESTS.values().stream()
                                .filter(test -> test.tags().stream().anyMatch(tags::contains))
                                .map(Conformance::id))
                        .as(row + " has a scenario after all")
                        .isEmpty();
                continue;
            }
            for (String id : row.scenarios().split(", ", -1)) {
                Conformance test = TESTS.get(id);
                assertThat(Objects.requireNonNull(test, row + " " + id).tags())
                        .as(row + " " + id)
                        .containsAnyElementsOf(tags);
            }
        }
    }

    @Test
    void sumsAreSums() {
        int sum = 0;
        int sums = 0;
        for (String line : LINES) {
            if (line.startsWith("| state | bits |")) {
                sum = 0;
            } else if (line.startsWith("| sum |")) {
                assertThat(cells(line).get(1)).as(line).isEqualTo(Integer.toString(sum));
                sums++;
            } else if (line.startsWith("| ") && cells(line).get(1).matches("\\d+")) {
                sum += Integer.parseInt(cells(line).get(1));
            }
        }
        assertThat(sums).isEqualTo(7);
    }

    @Test
    void everyDropReasonAndChoicePointOfTheModelHasItsRow() {
        JsonNode numbers = Json.read(Checkout.spec().resolve("cosim.json"));
        for (JsonNode reason : numbers.get("drop_reasons")) {
            List<String> wanted = List.of(
                    reason.get("number").asString(), "`" + reason.get("name").asString() + "`");
            assertThat(ROWS.stream()
                            .anyMatch(row -> row.cells().size() == 3
                                    && row.cells().subList(0, 2).equals(wanted)))
                    .as("a row of " + wanted)
                    .isTrue();
        }
        for (JsonNode point : numbers.get("choice_points")) {
            String wanted = "`" + point.get("name").asString() + "`";
            assertThat(ROWS.stream().anyMatch(row -> row.cells().get(0).equals(wanted)))
                    .as("a row of " + wanted)
                    .isTrue();
        }
    }

    @Test
    void binsAreInOrderAndTheirRequirementsExist() {
        for (JsonNode group :
                Json.read(Checkout.spec().resolve("coverage.json")).get("groups")) {
            String name = group.get("name").asString();
            for (JsonNode tag : group.get("requirements")) {
                assertThat(CHAPTERS).as(name).containsKey(tag.asString());
            }
            List<Long> edges = new ArrayList<>();
            for (JsonNode bin : group.get("bins")) {
                assertThat(bin.get(0).asLong())
                        .as(name)
                        .isLessThanOrEqualTo(bin.get(1).asLong());
                edges.add(bin.get(0).asLong());
            }
            assertThat(edges).as(name).doesNotHaveDuplicates();
        }
    }
}

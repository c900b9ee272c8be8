package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the files of the laboratory name is there, and what an experiment does not have is refused. */
class ScenarioFilesTest {
    private static final List<Event> EVENTS = List.of(new Event(5, "plane 1 down"));

    // A misspelt rival would be no rival, and a misspelt knob would be no knob, without a word.
    @Test
    void everyNameOfACaseIsThatOfACase() throws Exception {
        for (Scenario scenario : Scenario.all(List.of())) {
            List<String> named = new ArrayList<>();
            for (Scenario.Case one : scenario.cases()) {
                named.addAll(one.rivals());
                assertThatCode(() -> Experiment.named(one.experiment(), one.knobs(), one.events()))
                        .as(scenario.name() + " " + one.name())
                        .doesNotThrowAnyException();
            }
            for (Picture picture : scenario.pictures()) {
                picture.lines().values().forEach(named::addAll);
                if (!picture.seriesOf().isEmpty()) {
                    named.add(picture.seriesOf());
                }
                picture.curves().forEach(Curve::valueOf);
                if (!picture.proportionalTo().isEmpty()) {
                    named.add(picture.proportionalTo());
                }
            }
            assertThat(scenario.cases().stream().map(Scenario.Case::name).toList())
                    .as(scenario.name())
                    .containsAll(named);
        }
    }

    /** A reduction that takes time ends by a call of the world, which only a world in order of time makes. */
    @Test
    void whoReducesInTimeKeepsTheOrderOfTime() throws Exception {
        for (Scenario scenario : Scenario.all(List.of())) {
            for (Scenario.Case one : scenario.cases()) {
                assertThat(one.knobs().isSet("order_of_time") || !one.knobs().isSet("reduce_gbyte"))
                        .as(scenario.name() + " " + one.name())
                        .isTrue();
            }
        }
    }

    @Test
    void everyKnobIsInTheDocument() throws Exception {
        Set<String> knobs = new TreeSet<>();
        for (Scenario scenario : Scenario.all(List.of())) {
            for (Scenario.Case one : scenario.cases()) {
                knobs.addAll(one.knobs().all().keySet());
                knobs.addAll(one.quick().all().keySet());
            }
        }
        String document = Files.readString(Path.of("..", "docs", "laboratory.md"));
        String table = document.substring(document.indexOf("\n## Knobs\n"));
        String knobsOnly = table.substring(0, table.indexOf("\n## ", 1));
        assertThat(knobs).allSatisfy(knob -> assertThat(knobsOnly).contains("| `" + knob + "` |"));
    }

    /** Go-back-N loses what is under way: rate times round trip of the profile that its scenario has. */
    @Test
    void theCurveOfGoBackNIsThatOfItsProfile() throws Exception {
        LabFabric fabric = new LabFabric(Scenario.profile("A12"), 1);
        double window = Math.ceil(fabric.rate() * fabric.roundTripNs() / 1e9 / LabFabric.PAYLOAD_BYTES);
        assertThat(Curve.GO_BACK_N.at(List.of(1.0)).y()).containsExactly(0.99 / (1 + window * 1 / 100));
    }

    @Test
    void whatAnExperimentDoesNotHaveIsRefused() {
        for (String what : List.of("message", "failure", "staircase")) {
            assertThatThrownBy(() -> Experiment.named(what, new Knobs(Map.of("roce", 1L)), List.of()))
                    .hasMessageContaining(what);
        }
        for (String what : List.of("message", "incast", "collective", "sites")) {
            assertThatThrownBy(() -> Experiment.named(what, Knobs.NONE, EVENTS)).hasMessageContaining(what);
        }
        assertThatThrownBy(() -> Experiment.named("streams", new Knobs(Map.of("roce", 1L)), EVENTS))
                .hasMessageContaining("streams");
        assertThatThrownBy(() -> Experiment.named("incast", new Knobs(Map.of("roce", 1L, "read", 1L)), List.of()))
                .hasMessageContaining("read");
    }
}

package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What makes the laboratory fast changes none of its figures. */
class LightPathTest {
    @Test
    void payloadThatIsNotCarriedChangesNoFigure() throws Exception {
        for (String what : List.of("E0 cold", "E5 10%", "E6 32:1", "E7 permutation-4", "E8 plane")) {
            Map<String, Double> light = figures(what, Map.of());
            Map<String, Double> copied = figures(what, Map.of("copy_payload", 1L));
            assertThat(copied.remove("trace48")).as(what).isNotEqualTo(light.remove("trace48"));
            assertThat(copied).as(what).isEqualTo(light);
        }
    }

    @Test
    void nodeByNodeEveryFigureIsWhatItIsInOrderOfTime() throws Exception {
        for (String what : List.of("E0 cold", "E5 10%", "E6 32:1", "E7 permutation-4", "E8 plane")) {
            Map<String, Double> byNode = figures(what, Map.of());
            Map<String, Double> ofTime = figures(what, Map.of("order_of_time", 1L));
            // One ends with the event that completes the run, the other with the last of its round: maybe one report
            // more.
            byNode.keySet().removeAll(List.of("trace48", "packets", "reports"));
            ofTime.keySet().removeAll(List.of("trace48", "packets", "reports"));
            assertThat(ofTime).as(what).isEqualTo(byNode);
        }
    }

    private static Map<String, Double> figures(String what, Map<String, Long> more) throws IOException {
        String[] words = what.split(" ", 2);
        Scenario scenario = Scenario.named(words[0]);
        Map<String, Long> small = Map.of("messages", 8L, "pairs", 2L, "run_ns", 1_400_000L);
        for (Scenario.Case one : scenario.cases()) {
            if (one.name().equals(words[1])) {
                Knobs knobs = one.knobs(true).with(new Knobs(small)).with(new Knobs(more));
                Cell cell = new Cell(scenario.name(), one.name(), one.experiment(), knobs, one.events(), 1);
                return new TreeMap<>(cell.run().figures());
            }
        }
        throw new IllegalArgumentException(what);
    }
}

package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases that no claim is about, in a small form: they run, and show what they are there for. */
class ScenarioCasesTest {
    private static Map<String, Double> run(String scenario, String name, Map<String, Long> small) throws IOException {
        Scenario of = Scenario.named(scenario);
        Scenario.Case one = of.caseNamed(name);
        Knobs knobs = one.knobs(true).with(new Knobs(small));
        CellResult result = new Cell(scenario, name, one.experiment(), knobs, one.events(), 1).run();
        assertThat(result.failure()).isEmpty();
        return result.figures();
    }

    private static double figure(Map<String, Double> figures, String name) {
        return Objects.requireNonNull(figures.get(name), name);
    }

    @Test
    void anIncastLeavesItsNeighboursAloneAndPausesDoNot() throws Exception {
        Map<String, Long> small = Map.of("leaves", 5L, "senders", 12L, "message_bytes", 262_144L, "victims", 2L);
        Map<String, Double> own = run("E6", "32:1-victims", small);
        Map<String, Double> pauses = run("E6", "32:1-victims-R3-own", small);
        assertThat(figure(own, "victims_kept_least")).isBetween(0.97, 1.001);
        assertThat(figure(own, "victims_before")).isBetween(0.97, 1.001);
        assertThat(figure(pauses, "victims_kept_least")).isLessThan(figure(own, "victims_kept_least"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"32:1-victims", "32:1-victims-R3-own"})
    void whoAsksForMoreVictimsThanTheReceiverHasNeighboursIsTold(String name) {
        Map<String, Long> many = Map.of("leaves", 3L, "senders", 2L, "hosts_per_leaf", 4L, "victims", 4L);
        assertThatThrownBy(() -> run("E6", name, many)).hasMessageContaining("the receiver has no 4 neighbours");
    }

    @Test
    void lossesInRowsAreSurvived() throws Exception {
        Map<String, Double> calm = run("E5", "0", Map.of("messages", 16L));
        for (String name : new String[] {"1%-rows-of-8", "one-spine-10%"}) {
            Map<String, Double> lossy = run("E5", name, Map.of("messages", 16L));
            assertThat(figure(lossy, "resent")).as(name).isGreaterThan(0);
            assertThat(figure(lossy, "goodput_bps") / figure(calm, "goodput_bps"))
                    .as(name)
                    .isBetween(0.5, 1.0);
        }
    }

    @Test
    void serversOfSeveralSpeedsAndPartsOfSeveralSizesAreReadInTheTimeThatTheyNeed() throws Exception {
        Map<String, Long> small = Map.of("leaves", 4L, "hosts_per_leaf", 8L, "spines", 8L);
        Map<String, Double> mixed = run(
                "E12",
                "read-3-mixed",
                new Knobs(small)
                        .with(new Knobs(Map.of("message_bytes", 1_000_000L)))
                        .all());
        assertThat(figure(mixed, "tail")).isBetween(1.0, 1.1);
        assertThat(figure(mixed, "hint_error_p95")).isBetween(0.0, 0.05);
        Map<String, Double> drawn = run(
                "E12",
                "read-100-log-normal",
                new Knobs(small)
                        .with(new Knobs(Map.of("senders", 10L, "message_bytes", 1_000_000L)))
                        .all());
        assertThat(figure(drawn, "tail")).isBetween(1.0, 1.2);
        Map<String, Double> shuffle = run(
                "E12",
                "shuffle-10-from-100",
                new Knobs(small)
                        .with(new Knobs(Map.of("clients", 2L, "servers", 10L, "messages", 4L)))
                        .all());
        assertThat(figure(shuffle, "slowdown")).isBetween(1.0, 1.3);
    }

    @Test
    void aPortThatIsDownCostsItsHostAFourthAndOthersNothing() throws Exception {
        Map<String, Long> small = Map.of("pairs", 8L, "messages", 16L);
        Map<String, Double> whole = run("E7", "permutation-4", small);
        Map<String, Double> down = run("E7", "one-port-down", small);
        assertThat(figure(down, "goodput_min_bps") / figure(whole, "goodput_min_bps"))
                .isBetween(0.6, 0.78);
        assertThat(figure(down, "goodput_bps") / figure(whole, "goodput_bps")).isBetween(0.9, 1.0);
    }

    @Test
    void aFlowThatIsFourTimesAsFarAwayHasItsShareAtTheReceiver() throws Exception {
        assertThat(oddByEven("receiver-3-and-12us")).isBetween(0.98, 1.02);
    }

    @Test
    void throughALinkInTheMiddleItDependsOnWhereThatBeginsToMark() throws Exception {
        assertThat(oddByEven("core-3-and-12us-early-marks")).isBetween(0.5, 1.6);
        assertThat(oddByEven("core-3-and-12us")).as("twice as much at most").isBetween(0.5, 2.5);
    }

    private static double oddByEven(String name) throws Exception {
        return figure(run("E13", name, Map.of("step_ns", 200_000L)), "odd_by_even");
    }
}

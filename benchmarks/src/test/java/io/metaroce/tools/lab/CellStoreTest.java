package io.metaroce.tools.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of runs, and of those that could not be finished. */
class CellStoreTest {
    private static final Cell CELL = cell(Map.of("knob", 7L), 1);

    private static Cell cell(Map<String, Long> knobs, long seed) {
        return new Cell("E5", "10%", "streams", new Knobs(knobs), List.of(new Event(5, "plane 1 down")), seed);
    }

    @Test
    void theNameOfACellChangesWithAnythingThatChangesTheRun() {
        assertThat(CELL.id())
                .startsWith("E5-10_-s1-")
                .isEqualTo(cell(Map.of("knob", 7L), 1).id());
        assertThat(cell(Map.of("knob", 8L), 1).id()).isNotEqualTo(CELL.id());
        assertThat(cell(Map.of("knob", 7L), 2).id()).isNotEqualTo(CELL.id());
    }

    @Test
    void whatIsKeptIsFoundAgainUnlessOtherCodeMadeIt(@TempDir Path folder) throws Exception {
        CellStore store = CellStore.in(folder);
        assertThat(store.find(CELL)).isNull();
        CellResult result = new CellResult(
                Map.of("tail", 1.25), List.of(new Series("window/path 1", List.of(0.5, 1.5), List.of(3.0, 4.0))), "");
        store.keep(CELL, result);
        assertThat(store.find(CELL)).isEqualTo(result);
        Path file = folder.resolve(CELL.id() + ".json");
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\"code\" : \"....", "\"code\" : \"0000"));
        assertThat(store.find(CELL)).isNull();
    }

    @Test
    void aFileThatCannotBeUnderstoodIsAsGoodAsNone(@TempDir Path folder) throws Exception {
        CellStore store = CellStore.in(folder);
        store.keep(CELL, new CellResult(Map.of(), List.of(new Series("a/b", List.of(0.5), List.of(3.0))), ""));
        Path file = folder.resolve(CELL.id() + ".json");
        String text = Files.readString(file);
        Files.writeString(file, text.replace("[ 0.5 ]", "[ 0.5, 1.5 ]"));
        assertThat(store.find(CELL)).isNull();
        Files.writeString(file, text.replace("3.0", "\"three\""));
        assertThat(store.find(CELL)).isNull();
        Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});
        assertThat(store.find(CELL)).isNull();
        Files.write(file, new byte[0]);
        assertThat(store.find(CELL)).isNull();
    }

    @Test
    void aClaimRestsOnWhatItsFigureIsComparedWith() throws Exception {
        Scenario scenario = Scenario.named("E2");
        CellResult good = new CellResult(Map.of("busbw_bps", 2.0), List.of(), "");
        Results results = new Results(
                scenario,
                Map.of(
                        "4M-worst", List.of(good),
                        "4M-random", List.of(good),
                        "4M-star", List.of(CellResult.failed("too many packets")),
                        "4M-R1", List.of(good),
                        "4M-R2", List.of(CellResult.failed("not done"))));
        List<List<String>> failures =
                scenario.claims().stream().map(results::failures).toList();
        assertThat(failures)
                .containsExactly(List.of("4M-star, seed 1: too many packets"), List.of("4M-R2, seed 1: not done"));
        assertThat(results.failures("4M-worst")).isEmpty();
    }

    @Test
    void aRunThatNeedsMorePacketsThanThereAreIsAResult() throws Exception {
        Knobs many = Scenario.profile("A")
                .with(new Knobs(Map.of("leaves", 33L, "star", 1L, "roce", 1L, "senders", 256L)))
                .with(new Knobs(Map.of("message_bytes", 4_915_200L)));
        Cell cell = new Cell("E6", "256:1", "incast", many, List.of(), 1);
        assertThat(cell.run().failure()).contains("packets");
    }

    @Test
    void aRunThatFailedIsNoFigureAndTheOthersSayHowManyThereWere() throws Exception {
        Scenario scenario = Scenario.named("E0");
        Results results = new Results(
                scenario,
                Map.of(
                        "cold",
                        List.of(
                                new CellResult(Map.of("slowdown", 2.0), List.of(), ""),
                                CellResult.failed("0 of 1 flows are complete"))));
        assertThat(results.figures("cold").get("slowdown")).isEqualTo(new Figure(2.0, 2.0, 2.0, 1));
        assertThat(results.failures("cold")).containsExactly("seed 2: 0 of 1 flows are complete");
    }

    @Test
    void aDistributionEndsAtOne() {
        Series line = Series.distribution("completion/all", new double[] {3, 1, 3, 2});
        assertThat(line).isEqualTo(new Series("completion/all", List.of(1.0, 2.0, 3.0), List.of(0.25, 0.5, 1.0)));
    }
}

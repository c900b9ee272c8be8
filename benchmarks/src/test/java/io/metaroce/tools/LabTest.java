package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.tools.lab.CellStore;
import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Progress;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import io.metaroce.tools.lab.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The laboratory: what its files say, that one seed is one result, and its commands. */
class LabTest {
    @Test
    void everyScenarioCanBeReadAndItsClaimsAreAboutItsCases() throws Exception {
        for (String name : Scenario.NAMES) {
            Scenario scenario = Scenario.named(name);
            List<String> cases =
                    scenario.cases().stream().map(Scenario.Case::name).toList();
            assertThat(cases).as(name).isNotEmpty().doesNotHaveDuplicates();
            assertThat(scenario.bound()).as(name).isNotEmpty();
            for (Scenario.Case one : scenario.cases()) {
                assertThat(one.baseline().isEmpty() || cases.contains(one.baseline()))
                        .as(name + " " + one.name())
                        .isTrue();
            }
            for (Scenario.Claim claim : scenario.claims()) {
                Scenario.Case about = scenario.cases().get(cases.indexOf(claim.caseName()));
                assertThat(about.isQuick())
                        .as(claim.id() + " is in the quick run")
                        .isTrue();
                assertThat(claim.meets(claim.bound(), claim.stretch()))
                        .as(claim.id())
                        .isTrue();
                assertThat(claim.meets(claim.stretch(), claim.pass()))
                        .as(claim.id())
                        .isTrue();
            }
        }
        assertThatThrownBy(() -> Scenario.named("E99")).hasMessageContaining("no scenario is called E99");
    }

    @Test
    void oneMessageTakesItsTimeAndNoTwoRunsDiffer() throws Exception {
        Scenario scenario = Scenario.named("E0");
        Results once = runner(1).run(scenario, 1, "warm");
        Results again = runner(2).run(scenario, 1, "warm");
        assertThat(once.figures("warm")).isEqualTo(again.figures("warm"));
        // Less than the bound would be an error of the bound or of the simulator.
        assertThat(median(once, "warm", "slowdown")).isBetween(1.0, 1.2);
    }

    /**
     * The best of RoCEv2 in an incast: nothing is lost, and all ends as early as it can; what it costs is the queue.
     */
    @Test
    void withPausesAnIncastEndsInTime() throws Exception {
        Results results = runner(1).run(Scenario.named("E6"), 1, "32:1-R2");
        assertThat(median(results, "32:1-R2", "drops")).isZero();
        assertThat(median(results, "32:1-R2", "tail")).isBetween(1.0, 1.01);
        assertThat(median(results, "32:1-R2", "queue_max_bytes")).isGreaterThan(10e6);
    }

    @Test
    void aRateIsDividedByThatOfTheSameSeed(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("run.json");
        String out = run("sim", "run", "E5", "--quick", "--seeds", "1", "--case", "1%", "--out_json_file", json + "");
        assertThat(out).contains("goodput_bps.relative").startsWith("E5: ");
        String text = Files.readString(json);
        assertThat(text).contains("\"1%\"", "\"goodput_bps.relative\"");
        JsonSchema.named("sim-run").accepts(text);
    }

    @Test
    void aPlaneThatDiesCostsItsShareAndNoMore() throws Exception {
        Results results = runner(1).run(Scenario.named("E8"), 1, "plane");
        double before = median(results, "plane", "goodput_before_bps");
        double after = median(results, "plane", "goodput_after_bps");
        assertThat(after / before).isBetween(0.74, 0.76);
        assertThat(median(results, "plane", "recovery_round_trips")).isBetween(1.0, 12.5);
    }

    @Test
    void theMiddleOfAnEvenNumberIsBetweenTwo() {
        assertThat(Figure.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Figure(3.0, 1.0, 9.0, 4));
    }

    @Test
    void aRunThatWasInterruptedGoesOnAndItsPageShowsEverything(@TempDir Path folder) throws Exception {
        String[] words = {"sim", "matrix", "--quick", "--only", "E0,E6", "--seeds", "1", "--out", folder + ""};
        String first = run(words);
        Path cells = folder.resolve("cells");
        List<Path> files = files(cells);
        assertThat(files).hasSize(6);
        Files.delete(files.get(0));
        Files.writeString(files.get(1), "{\"code\": \"half a fi");
        FileTime known = Files.getLastModifiedTime(files.get(2));
        assertThat(run(words)).isEqualTo(first);
        assertThat(files(cells)).isEqualTo(files);
        assertThat(Files.getLastModifiedTime(files.get(2))).isEqualTo(known);
        assertThat(Files.readString(files.get(1))).contains("\"failure\" : \"\"");
        String claims = Files.readString(folder.resolve("claims.json"));
        JsonSchema.named("sim-claims").accepts(claims);
        assertThat(claims).contains("\"E6-tail-128\"", "\"met\" : true");
        assertThat(Files.readString(folder.resolve("summary.csv"))).contains("\nE6,32:1,jain,");
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("E6-jain-32", "./metaroce sim run E6 --case 32:1 --quick --seeds 1", "sender 31", "uPlot=")
                .doesNotContain("{{", " src=", " href=");
    }

    @Test
    void listShowsEveryScenario() {
        assertThat(run("sim", "list")).contains(Scenario.NAMES);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    private static ScenarioRunner runner(int jobs) {
        return new ScenarioRunner(
                true, jobs, CellStore.none(), new Progress(new PrintWriter(new StringWriter()), jobs));
    }

    private static double median(Results results, String caseName, String figure) {
        return Objects.requireNonNull(results.figures(caseName).get(figure), figure)
                .median();
    }

    private static String run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), words))
                .as(err.toString())
                .isZero();
        return out.toString();
    }
}

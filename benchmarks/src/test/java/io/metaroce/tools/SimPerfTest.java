package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of the fabric as a command. */
class SimPerfTest {
    @Test
    void theFigureIsPrintedAndOneSeedIsOneRun(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("perf.json");
        String once = run("--out_json_file", json.toString());
        assertThat(once).contains("M events/s of processor time", "calibration: ");
        assertThat(trace(run())).isEqualTo(trace(once));
        String text = Files.readString(json);
        assertThat(text).contains("\"packets\" : 512");
        JsonSchema.named("sim-perf").accepts(text);
    }

    @Test
    void theEngineIsMeasuredToo(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("perf.json");
        String once = run("--engine", "--messages", "1", "--out_json_file", json.toString());
        JsonSchema.named("sim-perf").accepts(Files.readString(json));
        assertThat(once).startsWith("engine: ").contains("16384 data packets");
        assertThat(trace(run("--engine", "--messages", "1"))).isEqualTo(trace(once));
    }

    @Test
    void theChoiceOfTheNextEventIsMeasuredBesideAHeap(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("perf.json");
        assertThat(run("--hold", "--out_json_file", json.toString()))
                .contains("hold,     100 pending: tournament ", "hold, 1000000 pending: tournament ", "calibration: ");
        JsonSchema.named("sim-perf").accepts(Files.readString(json));
    }

    private static String run(String... more) {
        StringWriter out = new StringWriter();
        String[] words = {"sim", "perf", "--packets", "8", "--runs", "1", "--warm-ups", "0"};
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), all))
                .isZero();
        return out.toString();
    }

    private static String trace(String out) {
        return out.substring(out.indexOf("; trace "));
    }
}

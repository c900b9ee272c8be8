package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The swarm as a command. */
class SimSwarmTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whatIsPrintedDependsOnTheSeedsAlone(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("swarm.json");
        assertThat(run("sim", "swarm", "--from", "3", "--seeds", "6", "--out_json_file", json.toString()))
                .isZero();
        assertThat(out.toString()).startsWith("seeds 3 to 8: 0 failed; ");
        String text = Files.readString(json);
        assertThat(text).contains("\"failed\" : 0", "\"seeds\" : 6");
        JsonSchema.named("sim-swarm").accepts(text);
        String first = out.toString();
        out.getBuffer().setLength(0);
        assertThat(run("sim", "swarm", "--from", "3", "--seeds", "6", "--jobs", "2"))
                .isZero();
        assertThat(out.toString()).isEqualTo(first);
    }

    @Test
    void aCaseIsRunAgainFromItsLine() {
        String line = "seed 1; talk 0 1 drained a 0; op 0 0 a send 9000 0 0 none";
        assertThat(run("sim", "swarm", "--replay", line)).isZero();
        assertThat(out.toString()).startsWith("right: ");
    }

    @Test
    void aFailureIsTheExitCode() {
        String line = "seed 1; fault at 0us link * down; heal 90000000000; talk 0 1 drained a 0";
        assertThat(run("sim", "swarm", "--replay", line)).isEqualTo(1);
    }

    private int run(String... words) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), words);
    }
}

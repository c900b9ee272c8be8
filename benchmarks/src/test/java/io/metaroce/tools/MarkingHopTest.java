package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream through a hop that sets real congestion marks, two processes in two network namespaces. */
class MarkingHopTest {
    private static final String MARK_A_QUARTER_OF_THE_PORTS = """
            table ip hop {
                chain marks {
                    type filter hook prerouting priority 0;
                    iifname w1 ip ecn ect0 udp sport & 3 == 1 counter ip ecn set ce
                }
            }
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void markedPathsBackOffAndNoOthers() throws Exception {
        String obstacle = TwoNamespaces.obstacle();
        assumeThat(obstacle).as("skipped: %s", obstacle).isEmpty();
        try (TwoNamespaces spaces = TwoNamespaces.open(9000)) {
            spaces.rulesAtOne(MARK_A_QUARTER_OF_THE_PORTS);
            String output = run(
                    spaces.inOne(
                            "write_bw", "--seed=5", "-s", "1M", "-n", "300", "--bind_source_ip", TwoNamespaces.ONE),
                    spaces.inTwo("write_bw", "--seed=5", "-s", "1M", "-n", "300", TwoNamespaces.ONE));
            long[] packets = figures(output, "packets per path: ");
            long[] marks = figures(output, "marks per path: ");
            long[] windows = figures(output, "window per path[KiB]: ");
            long median = Arrays.stream(windows)
                    .sorted()
                    .skip(windows.length / 2)
                    .findFirst()
                    .orElseThrow();
            int marked = 0;
            for (int i = 0; i < packets.length; i++) {
                if (marks[i] > 0) {
                    marked++;
                    // It gives way, and when that does not help it looks for a route that is not marked.
                    assertThat(windows[i] < median || marks[i] < packets[i])
                            .as(output)
                            .isTrue();
                }
            }
            assertThat(marked).as(output).isBetween(1, packets.length / 2);
        }
    }

    /** Runs server and client; answers with what the client says. */
    private String run(List<String> server, List<String> client) throws Exception {
        Path said = folder.resolve("server");
        Process serving = new ProcessBuilder(server)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Process asking = new ProcessBuilder(client)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("client").toFile())
                .start();
        try {
            assertThat(asking.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String output = Files.readString(folder.resolve("client"));
            assertThat(asking.exitValue())
                    .as("%s%s", output, Files.readString(said))
                    .isZero();
            return output;
        } finally {
            asking.destroyForcibly();
            serving.destroyForcibly();
            assertThat(serving.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static long[] figures(String output, String title) {
        return output.lines()
                .filter(line -> line.contains(title))
                .map(line -> line.substring(line.indexOf(title) + title.length()))
                .map(line -> Arrays.stream(line.trim().split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + title + " in " + output));
    }
}

package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two processes, of which one is stopped or killed; everything the library logs is counted. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no such signals")
class TroubleCommandTest {
    private static final int LOG_LINES_MAX = 10;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** Takes the six seconds it is about, and is the only test that waits for so long. */
    @Test
    void aPeerThatStandsStillForSixSecondsIsWaitedForWithFewWords() throws Exception {
        String said = run("--stop=6");
        assertThat(said).contains("stopped for 6 s: no error").contains("100 messages before and 101 after");
        assertThat(said.lines().filter(TroubleCommandTest::isLog)).as(said).hasSizeLessThanOrEqualTo(LOG_LINES_MAX);
    }

    @Test
    void aPeerThatIsKilledCostsEachRequestOneError() throws Exception {
        String said = run("--kill", "--dead-time=1s");
        assertThat(said)
                .contains("killed: 16 sends and 1 receive outstanding, 17 completed, each 1 time")
                .contains("RETRY_EXC_ERR=1")
                .contains("WR_FLUSH_ERR=16");
    }

    /** Binding and connecting are the business of every process; what comes after is what counts. */
    private static boolean isLog(String line) {
        String text = line.startsWith("other side: ") ? line.substring("other side: ".length()) : line;
        boolean isLevel = text.startsWith("INFO") || text.startsWith("WARN") || text.startsWith("ERROR");
        return isLevel && !text.contains("bound [") && !text.contains("established") && !text.contains("closed: ");
    }

    private String run(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.addAll(List.of("bench", "trouble"));
        command.addAll(List.of(options));
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            String text = Files.readString(said);
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}

package io.metaroce.compliance.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.cli.SuiteRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents that listen on TCP are tested like those that are started. */
@Timeout(300)
class TcpAgentsTest {
    @Test
    void theResponderInC(@TempDir Path folder) throws Exception {
        Path responder = Foreign.compiled(folder, "responder", "c/responder.c");
        isTested(List.of(responder.toString(), "--listen", "0"));
    }

    @Test
    void theEngine() throws Exception {
        isTested(Foreign.java("compliance", "agent", "--listen", "0"));
    }

    private static void isTested(List<String> agent) throws IOException {
        Process listening = Foreign.prepared(agent).start();
        try (BufferedReader told = listening.inputReader(StandardCharsets.UTF_8)) {
            SuiteRun run = SuiteRun.of(
                    "--target", "tcp:" + told.readLine(), "--profile", "responder@1.0", "--select", "PLC-01,PATH-05");
            assertThat(run.code()).as(run.told()).isZero();
            assertThat(run.told()).contains("2 passed, 0 failed");
        } finally {
            listening.destroy();
        }
    }
}

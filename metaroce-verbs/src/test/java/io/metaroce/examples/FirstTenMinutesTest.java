package io.metaroce.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The example that the front page shows does what it says, and leaves nothing behind. */
final class FirstTenMinutesTest {
    @Test
    void theExampleRunsAndEndsByItself() throws Exception {
        Set<Thread> before = workers();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            FirstTenMinutes.main(new String[0]);
        } finally {
            System.setOut(console);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("WC wrId=1 SUCCESS RECV_RDMA_WITH_IMM 40 bytes immediate=0x00000014 QP ")
                .contains("-> hello, memory of bob");
        Set<Thread> after = workers();
        after.removeAll(before);
        assertThat(after).as("threads that keep a process alive").isEmpty();
    }

    private static Set<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon())
                .collect(Collectors.toSet());
    }
}

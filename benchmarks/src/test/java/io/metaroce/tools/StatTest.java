package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.observe.ConnectionRow;
import io.metaroce.observe.PathRow;
import io.metaroce.tools.stat.Snapshot;
import io.metaroce.tools.stat.StatScreen;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Looking at a process from outside. */
class StatTest {
    @Test
    void aRunningProcessShowsItsEndpointFromOutside() throws Exception {
        try (ChildProcess child = ChildProcess.start(List.of("write_bw", "--child"))) {
            Tool tool = Tool.run("stat", Long.toString(child.pid()), "-c", "2", "-i", "10ms", "--plain");
            tool.endsWell();
            assertThat(tool.out()).contains("endpoint " + child.address(), "COUNTER", "per second");
        }
    }

    @Test
    void withoutAProcessTheChoiceIsListed() throws Exception {
        Tool tool = Tool.run("stat");
        assertThat(tool.code()).isEqualTo(2);
        assertThat(tool.out()).contains("say which process");
    }

    @Test
    void aProcessThatIsNotThereIsNamed() throws Exception {
        Tool tool = Tool.run("stat", "999999999");
        assertThat(tool.code()).isEqualTo(1);
        assertThat(tool.err()).contains("999999999");
    }

    @Test
    void ratesAreThoseSinceTheLastLook() {
        Snapshot first = snapshot(0, 1_000, 10);
        Snapshot second = snapshot(2_000_000_000L, 5_000, 30);
        assertThat(StatScreen.lines(null, first))
                .anySatisfy(line -> assertThat(line).matches("tx_packets +1,000 +-"))
                .anySatisfy(line ->
                        assertThat(line).matches("0000beef +ESTABLISHED +64K +0 +1.000 Gb/s +0.800 Gb/s +4096"));
        assertThat(StatScreen.lines(first, second))
                .anySatisfy(line -> assertThat(line).matches("tx_packets +5,000 +2,000"))
                .anySatisfy(line -> assertThat(line).matches("dropped: integrity +2 +0"))
                .anySatisfy(line -> assertThat(line).matches("0000beef +3 ACTIVE +0 +17\\* +12.5 +19K +0 +10 +0 +0"));
    }

    private static Snapshot snapshot(long timeNs, long packets, long sent) {
        return new Snapshot(
                "127.0.0.1:9",
                timeNs,
                new TreeMap<>(Map.of("tx_packets", packets, "acks_sent", 0L)),
                new TreeMap<>(Map.of("integrity", 2L)),
                List.of(new ConnectionRow("0000beef", "ESTABLISHED", 65_536, 0, 125_000_000, 100_000_000, 4096)),
                List.of(new PathRow("0000beef", 3, "ACTIVE", 0, 17, true, 12_500, 20_000, 0, sent, 0, 0)));
    }
}

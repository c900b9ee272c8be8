package io.metaroce.tools.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metaroce.tools.peers.Contender.Reading;
import io.metaroce.tools.peers.Contender.Test;
import io.metaroce.tools.peers.Instrument.Amount;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What others' programs print is read, and none of them is waited for without end. */
class InstrumentsTest {
    private static final Amount HUNDRED = new Amount(1, 100);

    @org.junit.jupiter.api.Test
    void iperf3TellsWhatArrived() throws IOException {
        String printed = "{\"end\":{\"sum_sent\":{\"bytes\":900,\"seconds\":1},"
                + "\"sum_received\":{\"bytes\":800,\"seconds\":0.5}}}";
        Reading reading = new Iperf3(false).read(Test.BULK, HUNDRED, printed);
        assertThat(reading.bytes()).isEqualTo(800);
        assertThat(reading.seconds()).isEqualTo(0.5);
        assertThatThrownBy(() -> new Iperf3(true).read(Test.BULK, HUNDRED, "{\"error\":\"no route\"}"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new Iperf3(true).read(Test.BULK, HUNDRED, "iperf3: error"))
                .isInstanceOf(IOException.class);
    }

    @org.junit.jupiter.api.Test
    void ucxTellsTheTimeOfAMessageOnTheWhole() throws IOException {
        String printed = """
                iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
                100,0.351,38943.870,8484.033,25.68,117.87,26,118
                """;
        Reading flow = new UcxPerftest().read(Test.BULK, HUNDRED, printed);
        assertThat(flow.bytes()).isEqualTo(100.0 * (1 << 20));
        assertThat(flow.seconds()).isCloseTo(0.8484, within(1e-4));
        assertThat(new UcxPerftest().read(Test.PING, HUNDRED, printed).halfNs()).isEqualTo(351);
    }

    @org.junit.jupiter.api.Test
    void aPingPongOfLibfabricMovesItsMessagesBothWays() throws IOException {
        String printed = """
                bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
                1m      100     =100     200m        0.42s    500.00    2097.15       0.00
                """;
        Reading flow = new Fabric(false).read(Test.BULK, HUNDRED, printed);
        assertThat(flow.bytes()).isEqualTo(200.0 * (1 << 20));
        assertThat(flow.bytes() / flow.seconds()).isCloseTo(5e8, within(1e5));
        assertThat(new Fabric(false).read(Test.PING, HUNDRED, printed).halfNs()).isEqualTo(2_097_150);
        assertThatThrownBy(() -> new Fabric(false).read(Test.BULK, HUNDRED, "fi_getinfo: -61\n"))
                .isInstanceOf(IOException.class);
    }

    @org.junit.jupiter.api.Test
    void writesOfLibfabricGoOneWay() throws IOException {
        String printed = """
                bytes   iters   total       time     MB/sec    usec/xfer   Mxfers/sec
                1m      100     100m        0.21s    500.00    2097.15       0.00
                """;
        Reading flow = new Fabric(true).read(Test.BULK, HUNDRED, printed);
        assertThat(flow.bytes()).isEqualTo(100.0 * (1 << 20));
        assertThat(flow.bytes() / flow.seconds()).isCloseTo(5e8, within(1e5));
    }

    @org.junit.jupiter.api.Test
    void processorTimeIsTheShellsLineOfItsChildren() {
        assertThat(ToolRun.cpuSeconds("noise\n0m0.01s 0m0.02s\n1m2.50s 0m0.250000s\n"))
                .isCloseTo(62.75, within(1e-9));
        assertThat(ToolRun.cpuSeconds("nothing")).isNaN();
    }

    @org.junit.jupiter.api.Test
    void aProgramThatDoesNotEndIsEndedAndOneThatFailsIsQuoted() {
        List<String> waits = List.of("sleep", "60");
        assertThatThrownBy(() -> ToolRun.of(List.of(), waits, 1, List.of(), waits, Duration.ofMillis(50)))
                .hasMessageContaining("sleep did not end within");
        List<String> fails = List.of("sh", "-c", "echo no such host >&2; exit 3");
        assertThatThrownBy(() -> ToolRun.of(List.of(), waits, 1, List.of(), fails, Duration.ofSeconds(60)))
                .hasMessageContaining("no such host");
    }
}

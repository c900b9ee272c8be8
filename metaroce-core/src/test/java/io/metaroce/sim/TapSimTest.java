package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.capture.JsonTrace;
import io.metaroce.capture.PcapngTap;
import io.metaroce.engine.PacketTap;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/** Somebody looks at an endpoint: sees everything, changes nothing. */
class TapSimTest {
    private static final Transfer.Job JOB =
            Transfer.Job.of(7, WrOpcode.RDMA_WRITE, 300_000, 1).with(LinkConfig.Faults.NONE.withLoss(100_000, 1));

    @Test
    void aTapSeesEveryPacketAndChangesNothing() {
        Transfer watched = new Transfer(JOB);
        ByteArrayOutputStream capture = new ByteArrayOutputStream();
        StringBuilder lines = new StringBuilder();
        Host host = watched.a.host;
        JsonTrace trace = new JsonTrace(lines, 10_000).begin(host);
        host.tap(PacketTap.both(trace, PcapngTap.of(host, capture)));
        long hash = watched.run();
        assertThat(hash).as("the same run, unwatched").isEqualTo(new Transfer(JOB).run());

        long sent = lines.toString()
                .lines()
                .filter(line -> line.contains("packet_sent"))
                .count();
        long received = lines.toString()
                .lines()
                .filter(line -> line.contains("packet_received"))
                .count();
        assertThat(sent).isEqualTo(host.counters().get(Counter.TX_PACKETS));
        assertThat(received).isEqualTo(host.counters().get(Counter.RX_PACKETS));
        assertThat(lines.toString()).contains("\"packet\":\"WRITE\"", "\"resent\":true", "path_state", "cum_psn");
        assertThat(capture.size()).isGreaterThan(300_000);
    }

    @Test
    void whoLooksNoMoreSeesNothing() {
        Transfer watched = new Transfer(JOB);
        StringBuilder lines = new StringBuilder();
        watched.a.host.tap(new JsonTrace(lines, 10_000));
        watched.connect();
        watched.a.host.tap(null);
        int length = lines.length();
        watched.post();
        watched.complete();
        assertThat(length).isPositive().isEqualTo(lines.length());
    }
}

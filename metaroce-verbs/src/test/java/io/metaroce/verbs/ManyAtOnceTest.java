package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More at once than commands may wait for the endpoint's thread: nothing of it is refused. */
@Timeout(120)
final class ManyAtOnceTest {
    private static final int COMMANDS_MAX = 2;
    private static final int CONNECTIONS = 6;
    private static final int EACH = 8;
    private static final int THREADS = 12;
    private static final int REGIONS = 20;

    private static Device device() {
        return Device.open(UdpEndpoint.bind(UdpConfig.builder()
                .bind("127.0.0.1:0")
                .commandsMax(COMMANDS_MAX)
                .build()));
    }

    @Test
    void aDeviceClosesMoreQueuePairsThanCommandsMayWait() throws Exception {
        List<Connected> all = new ArrayList<>();
        try (Device server = device()) {
            Device client = device();
            for (int i = 0; i < CONNECTIONS; i++) {
                Connected both =
                        Connected.between(client, server, server.address().toString(), EACH, how -> how);
                for (QueuePair each : both.client.queuePairs) {
                    assertThat(each.postReceive(
                                    1,
                                    both.client
                                            .region(64, AccessFlag.LOCAL_WRITE)
                                            .lkey(),
                                    0,
                                    64))
                            .isTrue();
                }
                all.add(both);
            }
            FlushReport report = client.close(Duration.ofSeconds(20));
            assertThat(report.outcome()).isEqualTo(FlushReport.Outcome.DRAINED);
            assertThat(report.receives()).isEqualTo(CONNECTIONS * EACH);
            for (Connected both : all) {
                WorkCompletion[] flushed = WorkCompletion.array(EACH + 1);
                assertThat(both.client.queue.poll(flushed)).isEqualTo(EACH);
                Connection other = both.server.connection();
                assertThat(server.await(other::isClosed, Duration.ofSeconds(20)))
                        .isTrue();
            }
        }
    }

    @Test
    void moreThreadsThanCommandsMayWaitGetTheirTurn() {
        try (Device device = device()) {
            ProtectionDomain domain = device.createProtectionDomain();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(CompletableFuture.runAsync(() -> {
                    for (int region = 0; region < REGIONS; region++) {
                        domain.allocate(64).close();
                    }
                }));
            }
            CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
        }
    }
}

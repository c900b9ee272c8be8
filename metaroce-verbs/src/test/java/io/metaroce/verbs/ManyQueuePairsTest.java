package io.metaroce.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.param.ConnectionLimits;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.udp.UdpConfig;
import io.metaroce.udp.UdpEndpoint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten thousand queue pairs in one process, over real sockets, each of which is used. */
@Timeout(120)
final class ManyQueuePairsTest {
    private static final int CONNECTIONS = 20;
    private static final int EACH = 250;

    private static Device device() {
        EndpointConfig udp = Profiles.udp();
        ConnectionLimits limits = udp.connection();
        EndpointConfig many = udp.withPath(udp.path().withPaths(2))
                .withConnection(new ConnectionLimits(
                        limits.payloadBytes(), 2 * EACH, limits.openMessages(), limits.messageBytesMax(), 16, 0));
        return Device.open(UdpEndpoint.bind(UdpConfig.builder()
                .bind("127.0.0.1:0")
                .settings(many)
                .workQueuesMax(1 << 15)
                .build()));
    }

    @Test
    void tenThousandQueuePairsInOneProcess() throws Exception {
        try (Device client = device();
                Device server = device()) {
            List<Connected> all = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                all.add(Connected.between(
                        client,
                        server,
                        server.address().toString(),
                        EACH,
                        how -> how.withSendDepth(2)
                                .withReceiveDepth(2)
                                .withSgeMax(1)
                                .withInlineBytesMax(0)));
            }
            for (Connected both : all) {
                MemoryRegion from = both.client.pattern(64, 1);
                MemoryRegion to = both.server.region(64, AccessFlag.REMOTE_WRITE);
                for (QueuePair queuePair : both.client.queuePairs) {
                    assertThat(queuePair.postWrite(
                                    1, from.lkey(), 0, 64, to.address(), to.rkey(), SendFlag.SIGNALED.value()))
                            .isTrue();
                }
                assertThat(both.client.next(EACH)).allMatch(WorkCompletion::isSuccess);
            }
            assertThat(all.stream()
                            .mapToInt(both -> both.client.queuePairs.size() + both.server.queuePairs.size())
                            .sum())
                    .isEqualTo(10_000);
        }
    }
}

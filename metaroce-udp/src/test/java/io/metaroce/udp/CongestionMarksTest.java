package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Received codepoints where they can be read, and what becomes of an endpoint where they cannot. */
class CongestionMarksTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "[::1]:0"})
    void withEpollTheyAreReadAndPeersAreTold(String address) {
        assumeThat(Epoll.isAvailable()).isTrue();
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.on(address))) {
            assertThat(endpoint.capabilities().congestionMarks().isOn())
                    .as(endpoint.capabilities().toString())
                    .isTrue();
            assertThat(endpoint.config().rate().readsMarks()).isTrue();
        }
    }

    @Test
    void theAddressOfAGroupIsNobodyElses() {
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0"))) {
            String address = endpoint.localAddress().toString();
            assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.on(address))).isInstanceOf(PortTakenException.class);
        }
    }

    @Test
    void withNioTheyAreNotAndTheReasonIsSaid() {
        UdpConfig config = UdpConfig.builder()
                .bind("127.0.0.1:0")
                .engine(UdpConfig.Engine.NIO)
                .build();
        try (UdpEndpoint endpoint = UdpEndpoint.bind(config)) {
            assertThat(endpoint.capabilities().congestionMarks())
                    .hasToString("off (neither the JDK nor NIO hands over" + " the mark of a datagram; needs epoll)");
            assertThat(endpoint.config().rate().readsMarks()).isFalse();
        }
        UdpConfig demanding = UdpConfig.builder()
                .bind("127.0.0.1:0")
                .engine(UdpConfig.Engine.NIO)
                .congestionMarks(UdpConfig.Offload.ON)
                .build();
        assertThatThrownBy(() -> UdpEndpoint.bind(demanding))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("congestionMarks(AUTO)");
    }

    @Test
    void onSharedLoopsTheyAreNot() throws InterruptedException {
        assumeThat(Epoll.isAvailable()).isTrue();
        MultiThreadIoEventLoopGroup shared = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        UdpConfig config =
                UdpConfig.builder().bind("127.0.0.1:0").eventLoops(shared).build();
        try (UdpEndpoint endpoint = UdpEndpoint.bind(config)) {
            assertThat(endpoint.capabilities().congestionMarks().reason()).contains("of the endpoint's own");
        } finally {
            shared.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }
}

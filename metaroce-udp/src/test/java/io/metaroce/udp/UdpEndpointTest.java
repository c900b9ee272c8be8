package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.datagram.Address;
import io.metaroce.param.Profiles;
import io.metaroce.trace.DropReason;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UdpEndpointTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    private static UdpEndpoint bind() {
        return UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0"));
    }

    @Test
    void anAddressWithoutPortMeansTheDefaultPort() {
        try (UdpEndpoint endpoint = bind()) {
            assertThat(endpoint.resolve("127.0.0.9")).isEqualTo(Address.ipv4(0x7F000009, UdpConfig.DEFAULT_PORT));
            assertThat(endpoint.resolve("127.0.0.9:7")).isEqualTo(Address.ipv4(0x7F000009, 7));
            assertThat(endpoint.resolve("localhost:7").family()).isEqualTo(Address.IPV4);
        }
    }

    @Test
    void anAddressNobodyCanReachFromHereIsRefusedWithTheReason() {
        try (UdpEndpoint endpoint = bind()) {
            assertThatThrownBy(() -> endpoint.resolve("127.0.0.1:0")).hasMessageContaining("port 0");
            assertThatThrownBy(() -> endpoint.resolve("[::1]:5"))
                    .hasMessageContaining("no IPv4 address")
                    .hasMessageContaining("same family");
        }
    }

    @Test
    void aPortInUseIsNamedTogetherWithTheOption() {
        try (UdpEndpoint endpoint = bind()) {
            String taken = endpoint.localAddress().toString();
            assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.on(taken)))
                    .isInstanceOf(PortTakenException.class)
                    .hasMessageContaining("UDP port " + endpoint.localAddress().port() + " is in use")
                    .hasMessageContaining("option bind");
        }
    }

    @Test
    void anAddressOfAnotherMachineIsAnsweredWithThoseOfThisOne() {
        assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.on("192.0.2.123:0")))
                .isInstanceOf(BindFailedException.class)
                .hasMessageContaining("no interface of this machine has the address")
                .hasMessageContaining("127.0.0.1");
        assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.on("0.0.0.0:0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("told to peers");
    }

    @Test
    void aConfigurationWithoutAddressIsNoneAtAll() {
        assertThatThrownBy(() -> UdpConfig.builder().build()).hasMessageContaining("addresses");
    }

    @Test
    void aClosedPortIsDiagnosed() throws Exception {
        try (UdpEndpoint endpoint = bind()) {
            int port;
            try (DatagramSocket shortLived = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                port = shortLived.getLocalPort();
            }
            assertThat(endpoint.diagnose(Address.ipv4(0x7F000001, port), LONG_NS))
                    .isEqualTo("port unreachable: no socket is bound at 127.0.0.1:" + port);
        }
    }

    @Test
    void aBoundPortIsSilentAndTheProbeIsDroppedThere() {
        try (UdpEndpoint one = bind();
                UdpEndpoint other = bind()) {
            assertThat(one.diagnose(other.localAddress(), TimeUnit.MILLISECONDS.toNanos(50)))
                    .isNull();
            assertThat(eventually(other, () -> other.counters().get(DropReason.SHORT) == 1))
                    .isTrue();
        }
    }

    /** Nobody signals counters, so this looks again and again. */
    private static boolean eventually(UdpEndpoint endpoint, java.util.function.BooleanSupplier done) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < LONG_NS) {
            if (endpoint.await(done, 1_000_000)) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "NIO"})
    void closingLeavesNoThreadAndNoPortBehind(String engine) throws Exception {
        List<Thread> before = loopThreads();
        UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.builder()
                .bind("127.0.0.1:0")
                .engine(UdpConfig.Engine.valueOf(engine))
                .build());
        assertThat(loopThreads()).hasSize(before.size() + 1).allMatch(Thread::isDaemon);
        int port = endpoint.localAddress().port();
        endpoint.close();
        endpoint.close();
        assertThat(loopThreads()).hasSameSizeAs(before);
        try (DatagramSocket again = new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).isTrue();
        }
    }

    private static List<Thread> loopThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("metaroce-udp"))
                .toList();
    }

    @Test
    void aFailedBindLeavesNoThreadBehind() {
        List<Thread> before = loopThreads();
        assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0", "192.0.2.123:0")))
                .isInstanceOf(BindFailedException.class);
        assertThat(loopThreads()).hasSameSizeAs(before);
    }

    @Test
    void whoWaitsIsLetGoWhenTheEndpointCloses() throws Exception {
        UdpEndpoint endpoint = bind();
        AtomicBoolean result = new AtomicBoolean(true);
        Thread waiter = new Thread(() -> result.set(endpoint.await(() -> false, LONG_NS)));
        waiter.start();
        endpoint.close();
        waiter.join();
        assertThat(result).isFalse();
    }

    @Test
    void commandsRunOnTheLoopAndMayClose() {
        UdpEndpoint endpoint = bind();
        AtomicBoolean refused = new AtomicBoolean();
        endpoint.commands().offer((nowNs, engine) -> {
            try {
                boolean unused = endpoint.await(() -> true, 0);
            } catch (IllegalStateException e) {
                refused.set(true);
            }
            endpoint.close();
        });
        endpoint.doorbells().wake();
        boolean unused = endpoint.await(refused::get, LONG_NS);
        assertThat(refused).as("waiting on the loop itself is refused").isTrue();
        endpoint.close();
        assertThat(endpoint.await(() -> false, LONG_NS)).isFalse();
    }

    @Test
    void commandsOfferedWhileThePassRunsAreNotLost() {
        try (UdpEndpoint endpoint = bind()) {
            for (int i = 0; i < 2_000; i++) {
                AtomicBoolean done = new AtomicBoolean();
                endpoint.commands().offer((nowNs, engine) -> {
                    done.set(true);
                    endpoint.signal();
                });
                endpoint.doorbells().wake();
                assertThat(endpoint.await(done::get, LONG_NS)).isTrue();
            }
        }
    }

    @Test
    void aSharedLoopOutlivesItsEndpoints() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            UdpConfig config =
                    UdpConfig.builder().bind("127.0.0.1:0").eventLoops(group).build();
            try (UdpEndpoint one = UdpEndpoint.bind(config);
                    UdpEndpoint other = UdpEndpoint.bind(config)) {
                assertThat(one.capabilities().engine()).isEqualTo("nio (shared event loops)");
                assertThat(one.localAddress()).isNotEqualTo(other.localAddress());
            }
            assertThat(group.isShuttingDown()).isFalse();
            UdpEndpoint third = UdpEndpoint.bind(config);
            var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            third.close();
        } finally {
            var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void loopsOfAnotherKindAreRefusedByName() {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
        try {
            assertThatThrownBy(() -> UdpEndpoint.bind(UdpConfig.builder()
                            .bind("127.0.0.1:0")
                            .eventLoops(group)
                            .build()))
                    .hasMessageContaining("EpollIoHandler or NioIoHandler");
        } finally {
            var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void ipv6WorksAlike() throws Exception {
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.on("[::1]:0"))) {
            assertThat(endpoint.localAddress().family()).isEqualTo(Address.IPV6);
            assertThat(endpoint.resolve("[::1]:5")).isEqualTo(Address.ipv6(0, 1, 5));
            InetAddress here = HostPort.parse("::1").addresses()[0];
            try (DatagramSocket sender = new DatagramSocket(0, here)) {
                sender.send(new DatagramPacket(
                        new byte[3], 3, here, endpoint.localAddress().port()));
            }
            assertThat(eventually(endpoint, () -> endpoint.counters().get(DropReason.SHORT) == 1))
                    .isTrue();
        }
    }

    @Test
    void severalPlanesHaveSeveralAddresses() {
        try (UdpEndpoint endpoint = UdpEndpoint.bind(UdpConfig.on("127.0.0.1:0", "127.0.0.2:0"))) {
            assertThat(endpoint.localAddresses()).hasSize(2);
            assertThat(endpoint.planes()).extracting(PlaneInfo::address).isEqualTo(endpoint.localAddresses());
            assertThat(endpoint.planes()).extracting(PlaneInfo::interfaceName).doesNotContain("unknown");
            assertThat(endpoint.localAddresses().get(1).low()).isEqualTo(0x7F000002);
            assertThat(endpoint.config().rate().outboundBytesPerSecond())
                    .as("two addresses of one interface share its speed")
                    .isEqualTo(12_500_000_000L);
        }
    }

    @Test
    void whatAReceiverGrantsIsBoundedByWhatItCanBuffer() {
        UdpConfig.Builder builder = UdpConfig.builder().bind("127.0.0.1:0").receiveBufferBytes(64 * 1024);
        try (UdpEndpoint endpoint = UdpEndpoint.bind(builder.build())) {
            assertThat(endpoint.receiveBufferBytes()).isBetween(64 * 1024L, 128 * 1024L);
            assertThat(endpoint.config().rate().inboundBytesPerSecond())
                    .isEqualTo(endpoint.receiveBufferBytes() * 1000);
            assertThat(endpoint.config().rate().outboundBytesPerSecond()).isEqualTo(12_500_000_000L);
        }
        try (UdpEndpoint endpoint =
                UdpEndpoint.bind(builder.lineRateBytesPerSecond(50_000_000).build())) {
            assertThat(endpoint.config().rate().inboundBytesPerSecond()).isEqualTo(50_000_000);
            assertThat(endpoint.config().rate().outboundBytesPerSecond()).isEqualTo(50_000_000);
        }
        try (UdpEndpoint endpoint =
                UdpEndpoint.bind(builder.lineRate(UdpConfig.LineRate.SETTINGS).build())) {
            assertThat(endpoint.config().rate().outboundBytesPerSecond())
                    .isEqualTo(Profiles.udp().rate().outboundBytesPerSecond());
        }
    }

    @Test
    void theNumberOfSourcePortsMayBeSetApart() {
        UdpConfig config =
                UdpConfig.builder().bind("127.0.0.1:0").sourcePorts(7).build();
        assertThat(config.settings().limits().sourcePorts()).isEqualTo(7);
        assertThat(config.settings().limits().slots())
                .isEqualTo(Profiles.udp().limits().slots());
        assertThatThrownBy(() -> UdpConfig.builder().sourcePorts(0))
                .hasMessageContaining("sourcePorts = 0 is outside 1..1024");
    }
}

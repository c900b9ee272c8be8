package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets go to the loop that knows their connection, by a queue with an end. */
class LanesTest {
    private static final InetSocketAddress SOMEWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();
    private final Lanes lanes = new Lanes(4);
    private final Inbox inbox = new Inbox(
            tasks::add,
            2,
            (packet, plane) -> taken.add(plane + ":" + packet.content().readableBytes()),
            () -> taken.add("pass"));

    @Test
    void whatIsForAnotherIsHandedOverAndHasALimit() {
        lanes.join(3, inbox);
        assertThat(lanes.passOn(3, 0, packet(0xABCD_EF03, 0, 40))).isFalse();
        assertThat(lanes.passOn(0, 1, packet(0xABCD_EF03, 0, 40))).isTrue();
        assertThat(lanes.passOn(1, 2, packet(0, 7, 64))).as("a request of 7").isTrue();
        assertThat(lanes.passOn(2, 2, packet(3, 0, 44))).as("one too many").isTrue();
        assertThat(inbox.dropped()).isEqualTo(1);
        assertThat(tasks).as("one wake-up for all").hasSize(1);
        tasks.remove(0).run();
        assertThat(taken).containsExactly("1:40", "2:64", "pass");
        assertThat(inbox.handedOver()).isEqualTo(2);
    }

    @Test
    void whatIsTooShortToSayIsTheFirstOnes() {
        assertThat(lanes.passOn(
                        0, 0, new DatagramPacket(Unpooled.directBuffer(7).writeZero(7), SOMEWHERE, SOMEWHERE)))
                .isFalse();
    }

    @Test
    void theKernelSortsByConnectionAndCodepoint() {
        assumeThat(Epoll.isAvailable()).isTrue();
        try (UdpEndpointGroup group = UdpEndpointGroup.bind(UdpConfig.on("127.0.0.1:0", "127.0.0.2:0"), 4)) {
            assertThat(group.endpoints()).hasSize(4).allSatisfy(endpoint -> {
                assertThat(endpoint.localAddresses())
                        .isEqualTo(group.endpoints().get(0).localAddresses());
                assertThat(endpoint.capabilities().congestionMarks().isOn())
                        .as(endpoint.capabilities().toString())
                        .isTrue();
                assertThat(endpoint.config().limits().sourcePorts()).isEqualTo(16);
            });
        }
    }

    @Test
    void theNumberOfLoopsIsAPowerOfTwo() {
        assertThatThrownBy(() -> UdpEndpointGroup.bind(UdpConfig.on("127.0.0.1:0"), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("loops = 3");
    }

    private static DatagramPacket packet(int connection, int initiator, int length) {
        ByteBuf bytes = Unpooled.directBuffer(length);
        bytes.writeInt(0).writeInt(connection).writeLong(0);
        bytes.writeInt(initiator).writeZero(length - bytes.readableBytes());
        return new DatagramPacket(bytes, SOMEWHERE, SOMEWHERE);
    }
}

package io.metaroce.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DatagramTest {
    private static final Address PEER = Address.ipv4(0x0A000102, 49741);

    @Test
    void addressesPrintTheWayPeopleWriteThem() {
        assertThat(PEER).hasToString("10.0.1.2:49741");
        assertThat(Address.ipv4(-1, 1)).hasToString("255.255.255.255:1");
        assertThat(Address.ipv6(0x2001_0DB8_0000_0000L, 1, 7)).hasToString("[2001:db8:0:0:0:0:0:1]:7");
    }

    @Test
    void equalAddressesAreEqual() {
        assertThat(Address.ipv4(-1, 1)).isEqualTo(new Address(4, 0, 0xFFFF_FFFFL, 1));
        assertThat(Address.ipv4(1, 1)).isNotEqualTo(Address.ipv6(0, 1, 1));
    }

    @Test
    void impossibleAddressesAreRefused() {
        assertThatThrownBy(() -> Address.ipv4(1, 0)).hasMessageContaining("port 0");
        assertThatThrownBy(() -> Address.ipv4(1, 65536)).hasMessageContaining("65536");
        assertThatThrownBy(() -> new Address(5, 0, 0, 1)).hasMessageContaining("family 5");
    }

    @Test
    void aDatagramIsLaidOverABuffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        Datagram datagram = new Datagram();
        assertThat(datagram.ecn()).isEqualTo(Ecn.UNKNOWN);
        assertThatThrownBy(datagram::source).isInstanceOf(IllegalStateException.class);
        assertThat(datagram.set(buffer, 8, 20, 3, Ecn.CE, () -> PEER)).isSameAs(datagram);
        assertThat(datagram.buffer()).isSameAs(buffer);
        assertThat(datagram.offset()).isEqualTo(8);
        assertThat(datagram.length()).isEqualTo(20);
        assertThat(datagram.plane()).isEqualTo(3);
        assertThat(datagram.ecn()).isEqualTo(Ecn.CE);
        assertThat(datagram.source()).isEqualTo(PEER);
    }

    @Test
    void aPacketLeavesAsHeaderPayloadTrailer() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16);
        memory.put(5, new byte[] {9, 8, 7});
        Transmit transmit = new Transmit();
        transmit.header().putShort(0, (short) 0x0102);
        transmit.headerLength(2);
        transmit.payload(memory, 5, 3);
        transmit.trailer(0xCAFEBABE);
        assertThat(transmit.length()).isEqualTo(2 + 3 + Transmit.TRAILER_BYTES);

        ByteBuffer wire = ByteBuffer.allocate(16);
        transmit.copyTo(wire, 1);
        assertThat(wire.array())
                .startsWith(0, 1, 2, 9, 8, 7, 0xCA, 0xFE, 0xBA, 0xBE)
                .endsWith(0, 0, 0, 0, 0, 0);
        assertThat(wire.position()).isZero();
        assertThat(memory.position()).isZero();
    }

    @Test
    void aPacketWithoutPayloadIsHeaderAndTrailer() {
        Transmit transmit = new Transmit();
        transmit.payload(ByteBuffer.allocateDirect(8), 0, 8);
        transmit.reset();
        transmit.headerLength(1);
        transmit.header().put(0, (byte) 5);
        ByteBuffer wire = ByteBuffer.allocate(5);
        transmit.copyTo(wire, 0);
        assertThat(transmit.length()).isEqualTo(5);
        assertThat(wire.get(0)).isEqualTo((byte) 5);
    }

    @Test
    void aPacketKnowsWhereItGoes() {
        Transmit transmit = new Transmit();
        assertThatThrownBy(transmit::route).isInstanceOf(IllegalStateException.class);
        Route route = new Route(1, Route.SERVICE, PEER);
        transmit.route(route);
        transmit.trafficClass(TrafficClass.CONTROL);
        assertThat(transmit.route()).isSameAs(route);
        assertThat(transmit.trafficClass()).isEqualTo(TrafficClass.CONTROL);
        transmit.reset();
        assertThatThrownBy(transmit::route).isInstanceOf(IllegalStateException.class);
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.capture.Envelope;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PcapWriterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PcapWriter writer = new PcapWriter(out);

    @Test
    void aFileBeginsWithItsHeader() {
        assertThat(HexFormat.of().formatHex(out.toByteArray()))
                .isEqualTo("a1b23c4d" + "00020004" + "00000000" + "00000000" + "00040000" + "00000001");
    }

    @Test
    void anIpv4PacketIsWrittenByteByByte() {
        write(Address.ipv4(0x0A000001, 49152), Address.ipv4(0x0A000002, 49741), new byte[] {1, 2, 3});
        assertThat(HexFormat.of().formatHex(out.toByteArray()).substring(48))
                .isEqualTo("00000002" + "00000005" + "0000002d" + "0000002d" // time, lengths
                        + "02000a000002" + "02000a000001" + "0800" // Ethernet
                        + "456a001f" + "00004000" + "4011" + "2662" + "0a000001" + "0a000002" // IPv4
                        + "c000c24d000b" + "6585" // UDP
                        + "010203");
    }

    @Test
    void checksumsOfBothFamiliesAddUp() {
        byte[] payload = new byte[101];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) (i * 37);
        }
        write(Address.ipv4(0x0A010203, 50000), Address.ipv4(0x0A010204, 49741), payload);
        ByteBuffer v4 = ByteBuffer.wrap(out.toByteArray(), 24 + 16 + 14, out.size() - 54)
                .slice();
        assertThat(fold(raw(v4, 0, 20))).isEqualTo(0xFFFF);
        assertThat(fold(raw(v4, 12, v4.capacity() - 12) + 17 + (v4.capacity() - 20)))
                .isEqualTo(0xFFFF);

        out.reset();
        write(Address.ipv6(0x20010db8L << 32, 1, 50000), Address.ipv6(0x20010db8L << 32, 2, 49741), payload);
        ByteBuffer v6 =
                ByteBuffer.wrap(out.toByteArray(), 16 + 14, out.size() - 30).slice();
        assertThat(v6.get(0) >>> 4).isEqualTo(6);
        assertThat(v6.getShort(4)).isEqualTo((short) (8 + payload.length));
        assertThat(fold(raw(v6, 8, v6.capacity() - 8) + 17 + (v6.capacity() - 40)))
                .isEqualTo(0xFFFF);
    }

    @Test
    void aHostsTapShowsBothDirections() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        ToyNode b = ToyNode.on(fabric, "b").answers(3);
        ToyNode.on(fabric, "a").sends(3, 200, b);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Capture.everywhere(world, new PcapWriter(file));
        world.run(100_000);
        int recordBytes = 16 + 14 + 28 + 134;
        assertThat(file.size()).isEqualTo(24 + 6 * recordBytes);
    }

    private void write(Address from, Address to, byte[] payload) {
        Envelope envelope = new Envelope(2_000_000_005L, from, to, TrafficClass.DATA, Ecn.ECT_0);
        writer.write(envelope, ByteBuffer.wrap(payload), 0, payload.length);
    }

    private static long raw(ByteBuffer bytes, int at, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (bytes.get(at + i) & 0xFF) << ((i & 1) == 0 ? 8 : 0);
        }
        return sum;
    }

    private static int fold(long sum) {
        long s = sum;
        while (s >>> 16 != 0) {
            s = (s & 0xFFFF) + (s >>> 16);
        }
        return (int) s;
    }
}

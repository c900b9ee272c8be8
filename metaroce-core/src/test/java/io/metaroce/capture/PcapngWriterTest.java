package io.metaroce.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.datagram.Address;
import io.metaroce.datagram.Ecn;
import io.metaroce.datagram.TrafficClass;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PcapngWriterTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PcapngWriter writer = new PcapngWriter(out, "why", List.of("p0"));

    @Test
    void aFileBeginsWithItsSectionAndInterfaces() {
        assertThat(hex())
                .isEqualTo("0a0d0d0a" + "00000034" + "1a2b3c4d" + "00010000" + "ffffffffffffffff"
                        + "00010003" + "77687900" + "00040008" + "6d657461726f6365" + "00000000" + "00000034"
                        + "00000001" + "00000028" + "00650000" + "00040000"
                        + "00020002" + "70300000" + "00090001" + "09000000" + "00000000" + "00000028");
    }

    @Test
    void aPacketHasTimeDirectionAndItsIpHeader() {
        out.reset();
        Envelope envelope = new Envelope(
                0x1_0000_0005L,
                Address.ipv4(0x0A000001, 49152),
                Address.ipv4(0x0A000002, 49741),
                TrafficClass.DATA,
                Ecn.ECT_0);
        writer.write(0, envelope, PcapngWriter.Direction.OUTBOUND, ByteBuffer.wrap(new byte[] {9, 1, 2, 3}), 1, 3);
        assertThat(hex())
                .isEqualTo("00000006" + "0000004c" + "00000000" + "00000001" + "00000005" + "0000001f" + "0000001f"
                        + "456a001f" + "00004000" + "4011" + "2662" + "0a000001" + "0a000002" // IPv4
                        + "c000c24d000b" + "6585" + "010203" + "00" // UDP, payload, padding
                        + "00020004" + "00000002" + "00000000" + "0000004c");
    }

    private String hex() {
        return HexFormat.of().formatHex(out.toByteArray());
    }
}

package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import io.metaroce.wire.model.PacketPrinter;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketViewTest {
    private final PacketView view = new PacketView();
    private final PacketCodec codec = new PacketCodec();

    @Test
    void aWriteIsReadInPlace() {
        Vector vector = WireFiles.good("write_full");
        assertThat(Received.check(view, vector.bytes(), vector.seed())).isNull();
        assertThat(view.opcode()).isEqualTo(Opcode.WRITE);
        assertThat(view.payloadLength()).isEqualTo(4096);
        assertThat(view.buffer().get(view.payloadOffset())).isEqualTo((byte) 3);
        assertThat(view.buffer().get(view.payloadOffset() + 4095)).isEqualTo((byte) (4095 * 7 + 3));
        assertThat(view.messageLength()).isEqualTo(3 * 4096);
        assertThat(view.write().remoteAddress()).isEqualTo(0x7F12_3456_7000L);
        assertThat(view.rsn()).isZero();
        assertThat(view.tlvOffset()).isEqualTo(view.tlvEnd());
    }

    @Test
    void theNumberOfTheReceiveIsFoundWhereverItStands() {
        check("send");
        assertThat(view.rsn()).isEqualTo(4);
        assertThat(view.messageLength()).isEqualTo(10);
        check("send_imm");
        assertThat(view.immediate()).isEqualTo(0x01020304);
        check("write_imm");
        assertThat(view.rsn()).isEqualTo(-2);
        assertThat(view.immediate()).isEqualTo(0xDEADBEEF);
        check("read_req");
        assertThat(view.messageLength()).isEqualTo(Integer.MIN_VALUE);
        check("atomic_swap_4");
        assertThat(view.messageLength()).isEqualTo(4);
        check("read_resp");
        assertThat(view.messageLength()).isZero();
    }

    @Test
    void echoesAreFoundAmongOtherOptions() {
        check("ack_probe_echo");
        assertThat(view.hasProbeEcho()).isTrue();
        assertThat(view.probeEchoCount()).isEqualTo(2);
        assertThat(view.probeEcho()).isEqualTo(0xA1A2A3A4A5A6A7A8L);
        assertThat(view.probeEcho(1)).isEqualTo(1);
        assertThat(view.probeEcho(2)).isZero();
        check("ack_bare_hint");
        assertThat(view.hasProbeEcho()).isFalse();
        assertThat(view.probeEcho()).isZero();
    }

    @Test
    void blocksAndUpdatesAreFoundInAnyOrder() {
        check("ack_widths");
        assertThat(view.pathBlockCount()).isEqualTo(5);
        for (int i = 4; i >= 0; i--) {
            assertThat(view.pathBlock(i).words()).isEqualTo(i);
            assertThat(view.pathBlock(i).cumPsn()).isEqualTo(1000 * i);
            assertThat(view.pathBlock(i).bitmapWord(i))
                    .as("absent words are zero")
                    .isZero();
        }
        assertThat(view.streamUpdateCount()).isEqualTo(3);
        assertThat(view.streamUpdate(2).rsnLimit()).isEqualTo(Integer.MIN_VALUE);
        assertThat(view.streamUpdate(0).streamId()).isZero();
        check("credit");
        assertThat(view.pathBlockCount()).isZero();
        assertThat(view.streamUpdate(0).rsnLimit()).isEqualTo(64);
        assertThat(view.streamList().update(0, new StreamUpdate()).nextMsn()).isEqualTo(10);
    }

    @Test
    @Covers("R-SACK-004")
    void bitsAreCountedFromTheLeastSignificant() {
        check("ack_one_block");
        PathBlock block = view.pathBlock(0);
        assertThat(block.bitmapWord(0) & 1)
                .as("bit 0 is the packet that is missing")
                .isZero();
        assertThat(block.bitmapWord(3)).as("the last bit of 256").isEqualTo(1L << 63);
        assertThat(PacketPrinter.line(PacketCodec.decode(view)))
                .contains("sack 3001-3067,3069-3072,")
                .contains(",3255 ");
    }

    @Test
    void aMarkIsSeenOnEitherLayer() {
        byte[] plain = WireFiles.good("send").bytes();
        view.open(Received.datagram(plain, Ecn.ECT_0));
        assertThat(view.isMarked()).isFalse();
        view.open(Received.datagram(plain, Ecn.CE));
        assertThat(view.isMarked()).isTrue();
        view.open(Received.datagram(WireFiles.good("ack_marked").bytes(), Ecn.UNKNOWN));
        assertThat(view.isMarked()).isTrue();
    }

    @Test
    @Covers("R-HDR-012")
    void aRequestOfAnotherVersionIsStillReadable() {
        byte[] request = WireFiles.good("conn_req_full").bytes();
        request[0] = 0x30;
        assertThat(view.open(Received.datagram(request, Ecn.ECT_0))).isEqualTo(DropReason.VERSION);
        assertThat(view.isRequestOfAnotherVersion()).isTrue();
        assertThat(view.base().version()).isEqualTo(3);
        assertThat(view.connectRequest().nonce()).isEqualTo(0x0123456789ABCDEFL);
        byte[] send = WireFiles.good("send").bytes();
        send[0] = 0x30;
        assertThat(view.open(Received.datagram(send, Ecn.ECT_0))).isEqualTo(DropReason.VERSION);
        assertThat(view.isRequestOfAnotherVersion()).isFalse();
        view.open(Received.datagram(WireFiles.good("conn_req_full").bytes(), Ecn.ECT_0));
        assertThat(view.isRequestOfAnotherVersion()).isFalse();
    }

    @Test
    @Covers("R-HDR-012")
    void anUnknownOpcodeLeavesBaseAndTrailerReadable() {
        Packet.Header header = new Packet.Header(0, 1, 2, 3, 4, 5);
        byte[] packet = codec.encode(new Packet.PlaneStatus(header, 1, 1, List.of()), 9);
        packet[1] = 0x27;
        assertThat(view.open(Received.datagram(packet, Ecn.ECT_0))).isEqualTo(DropReason.OPCODE);
        assertThat(view.opcode()).isEqualTo(0x27);
        assertThat(view.base().psn()).isEqualTo(4);
        assertThat(view.trailerMatches(9)).isFalse();
        assertThat(view.parse()).isEqualTo(DropReason.OPCODE);
    }

    @Test
    void anOldPacketIsForgotten() {
        check("ack_probe_echo");
        view.open(Received.datagram(new byte[3], Ecn.ECT_0));
        assertThat(view.pathBlockCount()).isZero();
        assertThat(view.streamUpdateCount()).isZero();
        assertThat(view.hasProbeEcho()).isFalse();
        check("send");
        assertThat(view.hasProbeEcho()).isFalse();
    }

    @Test
    void theCodecRefusesWhatCannotBeWritten() {
        Packet.Header header = new Packet.Header(0, 0, 0, 0, 0, 0);
        Packet.Option odd = new Packet.Option(0x0A, Bytes.NONE);
        assertThatThrownBy(() -> codec.encode(new Packet.ConnectConfirm(header, 1, List.of(odd)), 0))
                .hasMessageContaining("flag X");
        Packet.Header withOptions = new Packet.Header(BaseHeader.X, 0, 0, 0, 0, 0);
        assertThatThrownBy(() -> codec.encode(new Packet.ConnectConfirm(withOptions, 1, List.of(odd)), 0))
                .hasMessageContaining("words");
        assertThatThrownBy(() -> codec.decode(new byte[17])).hasMessageContaining("version");
    }

    @Test
    void linesReadLikeASentence() {
        assertThat(PacketPrinter.line(
                        codec.decode(WireFiles.good("write_resent").bytes())))
                .isEqualTo("WRITE c0ffee01 path 3.7 psn 4294967295 [RA] stream 5 msn 9.0 at 8192 of 8193"
                        + " to 1207:7f1234567000, 1 bytes");
        assertThat(PacketPrinter.line(codec.decode(WireFiles.good("nak_rnr").bytes())))
                .isEqualTo("NAK c0ffee01 seq 2147483649 RNR stream 5 msn 9.2 limit 3 slot 3:2147483649 retry 1000 us");
        assertThat(PacketPrinter.line(codec.decode(WireFiles.good("credit").bytes())))
                .isEqualTo("CREDIT c0ffee01 seq 2147483649 {stream 5 next 10 [VO] limit 64}");
    }

    private void check(String vector) {
        Vector v = WireFiles.good(vector);
        assertThat(Received.check(view, v.bytes(), v.seed())).isNull();
    }
}

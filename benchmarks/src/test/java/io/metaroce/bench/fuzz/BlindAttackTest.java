package io.metaroce.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.bench.micro.Loop;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ConnectAccept;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.Tlv;
import org.junit.jupiter.api.Test;

/** Somebody who knows the number of a connection and nothing else: packets that need no secret seed end nothing. */
class BlindAttackTest {
    private static final Address SOMEWHERE = Address.ipv4(0x7F000003, 1003);
    private static final int UNKNOWN_CRITICAL = Tlv.CRITICAL | 0x7E;

    // Covers R-HDR-005, R-SEC-002
    @Test
    void aHandshakePacketWithAnUnknownCriticalOptionIsNotAnswered() {
        Loop loop = Loop.bulk();
        loop.round(64);
        long before = loop.sender().counters().get(Counter.TX_SLOTS);
        Mutator packet = new Mutator(1).zeros(ConnectAccept.LENGTH + 8);
        new BaseHeader()
                .wrap(packet.bytes(), 0)
                .version(BaseHeader.VERSION_1)
                .opcode(Opcode.CONN_ACCEPT)
                .dstConnId(loop.receiver().connection());
        packet.put(ConnectAccept.LENGTH, UNKNOWN_CRITICAL)
                .put(ConnectAccept.LENGTH + 1, 1)
                .seal(0);
        loop.receiver()
                .endpoint()
                .onDatagram(
                        loop.nowNs(),
                        new Datagram().set(packet.bytes(), 0, packet.length(), 0, Ecn.UNKNOWN, () -> SOMEWHERE));
        for (int i = 0; i < 20; i++) {
            loop.round(64);
        }
        assertThat(loop.receiver().counters().get(DropReason.TLV_CRITICAL)).isEqualTo(1);
        assertThat(loop.sender().isEstablished()).as(loop.sender().closed()).isTrue();
        assertThat(loop.receiver().isEstablished()).as(loop.receiver().closed()).isTrue();
        assertThat(loop.sender().counters().get(Counter.TX_SLOTS)).isGreaterThan(before);
    }
}

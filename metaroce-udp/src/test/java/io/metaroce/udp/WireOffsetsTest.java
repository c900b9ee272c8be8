package io.metaroce.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.ConnectRequest;
import io.metaroce.wire.Opcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The few numbers of the protocol that this module knows are those of the codec and of the engine. */
class WireOffsetsTest {
    @Test
    void opcodePathAndConnectionStandWhereTheCodecPutsThem() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        new BaseHeader().wrap(buffer, 0).begin(Opcode.RESET).pathId(7).dstConnId(0x01020304);
        assertThat(buffer.get(ReceiveBatch.OPCODE_AT)).isEqualTo((byte) Opcode.RESET);
        assertThat(buffer.get(PlacedCut.PATH_ID_AT)).isEqualTo((byte) 7);
        assertThat(buffer.getInt(PlacedCut.DST_CONN_ID_AT)).isEqualTo(0x01020304);
        assertThat(buffer.getInt(Steering.DST_CONN_ID)).isEqualTo(0x01020304);
        new ConnectRequest().wrap(buffer, 0).initConnId(0x05060708);
        assertThat(buffer.getInt(Steering.INIT_CONN_ID)).isEqualTo(0x05060708);
        assertThat(ReceiveBatch.RESET).isEqualTo(Opcode.RESET);
        assertThat(ReceiveBatch.VERSION_NEG).isEqualTo(Opcode.VERSION_NEG);
    }

    /** The numbers of path states, in the order of the specification. */
    @Test
    void everyStateOfAPathHasWords() {
        assertThat(UdpLog.PATH_STATES)
                .containsExactly("being validated", "active", "suspect", "draining", "failed", "out of service");
    }
}

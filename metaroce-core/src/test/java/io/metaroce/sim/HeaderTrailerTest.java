package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class HeaderTrailerTest {
    private static final int SEED = 0x1234_5678;
    private static final int AT = 128;
    private static final int PAYLOAD = 4096;

    private final HeaderTrailer trailer = new HeaderTrailer();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(2 * AT);

    @Test
    @Covers("R-HDR-008")
    void everyBitOfTheHeadersCountsButTheMark() {
        int headers = Opcode.headerLength(Opcode.WRITE);
        begin(Opcode.WRITE);
        close(headers);
        int length = headers + PAYLOAD + 4;
        assertThat(trailer.matches(SEED, packet, AT, length)).isTrue();
        assertThat(trailer.matches(SEED + 1, packet, AT, length)).isFalse();
        for (int bit = 0; bit < 8 * (headers + 4); bit++) {
            int at = AT + bit / 8;
            byte before = packet.get(at);
            packet.put(at, (byte) (before ^ (1 << (bit & 7))));
            boolean isMark = at == AT && (1 << (bit & 7)) == BaseHeader.M;
            assertThat(trailer.matches(SEED, packet, AT, length))
                    .as("bit " + bit)
                    .isEqualTo(isMark);
            packet.put(at, before);
        }
    }

    @Test
    void itStandsBehindTheOptions() {
        int headers = Opcode.headerLength(Opcode.WRITE);
        begin(Opcode.WRITE).flags(BaseHeader.X);
        packet.putInt(AT + headers, 0x0501_0000); // skipped
        packet.putInt(AT + headers + 4, 0x0001_0000); // the end
        close(headers + 8);
        assertThat(trailer.matches(SEED, packet, AT, headers + 8 + PAYLOAD + 4)).isTrue();
        packet.putInt(AT + headers + 4, 0x0000_0000); // an option without length
        assertThat(trailer.matches(SEED, packet, AT, headers + 8 + PAYLOAD + 4)).isFalse();
    }

    @Test
    void itStandsAtTheEndWhereThereIsNoPayload() {
        begin(Opcode.ACK);
        close(61);
        assertThat(trailer.matches(SEED, packet, AT, 65)).isTrue();
        packet.put(AT + 60, (byte) 1);
        assertThat(trailer.matches(SEED, packet, AT, 65)).isFalse();
    }

    @Test
    void paddingIsNotCovered() {
        int headers = Opcode.headerLength(Opcode.PROBE);
        begin(Opcode.PROBE);
        packet.putInt(AT + 60, trailer.of(SEED, packet, AT, headers, packet, AT, 60 - headers));
        packet.put(AT + 59, (byte) 1);
        assertThat(trailer.matches(SEED, packet, AT, 64)).isTrue();
        packet.put(AT + headers - 1, (byte) 1);
        assertThat(trailer.matches(SEED, packet, AT, 64)).isFalse();
    }

    @Test
    void whateverTheBytesAreItIsNoException() {
        for (int length = 0; length < AT; length++) {
            for (int opcode = 0; opcode < 256; opcode++) {
                packet.put(AT, (byte) 0x11).put(AT + 1, (byte) opcode);
                assertThat(trailer.matches(SEED, packet, AT, length)).isFalse();
            }
        }
        begin(Opcode.WRITE).flags(BaseHeader.X);
        for (int i = Opcode.headerLength(Opcode.WRITE); i < AT; i += 4) {
            packet.putInt(AT + i, 0x0501_0000);
        }
        assertThat(trailer.matches(SEED, packet, AT, PAYLOAD)).isFalse();
    }

    private BaseHeader begin(int opcode) {
        return new BaseHeader().wrap(packet, AT).begin(opcode).psn(77).dstConnId(0x5555);
    }

    private void close(int headers) {
        packet.putInt(AT + headers, trailer.of(SEED, packet, AT, headers, packet, AT, 0));
    }
}

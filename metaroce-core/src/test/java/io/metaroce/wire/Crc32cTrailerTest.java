package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class Crc32cTrailerTest {
    private static final int SEED_BYTES = 4;

    private final Crc32cTrailer crc = new Crc32cTrailer();

    /**
     * The seed stands where the first four bytes of a known answer do; that bit M counts as 0 must not matter in it.
     */
    @Test
    void knownAnswersComeOut() {
        int tried = 0;
        for (JsonNode row : WireFiles.CRC) {
            byte[] bytes = HexFormat.of().parseHex(row.get("hex").asString());
            if ((bytes[SEED_BYTES] & BaseHeader.M) != 0) {
                continue;
            }
            ByteBuffer buffer = direct(bytes);
            int seed = buffer.getInt(0);
            int trailer = crc.of(seed, buffer, SEED_BYTES, bytes.length - SEED_BYTES, buffer, 0, 0);
            assertThat(trailer).as(row.get("name").asString()).isEqualTo((int)
                    row.get("crc32c").longValue());
            tried++;
        }
        assertThat(tried).isGreaterThanOrEqualTo(4);
    }

    @Property(tries = 300)
    void whereThePiecesLieDoesNotMatter(
            @ForAll int seed,
            @ForAll @Size(min = 2, max = 300) byte[] packet,
            @ForAll @IntRange(min = 1, max = 299) int cut) {
        int headerLength = Math.min(cut, packet.length - 1);
        int payloadLength = packet.length - headerLength;
        ByteBuffer whole = direct(packet);
        int expected = crc.of(seed, whole, 0, packet.length, whole, 0, 0);
        ByteBuffer header = ByteBuffer.allocate(headerLength + 7).put(5, packet, 0, headerLength);
        ByteBuffer payload = ByteBuffer.allocateDirect(payloadLength + 9).put(3, packet, headerLength, payloadLength);
        assertThat(crc.of(seed, header, 5, headerLength, payload, 3, payloadLength))
                .isEqualTo(expected);
        assertThat(crc.of(seed, ByteBuffer.wrap(packet), 0, packet.length, whole, 0, 0))
                .isEqualTo(expected);
    }

    @Test
    void positionAndLimitAreAsTheyWere() {
        ByteBuffer header = ByteBuffer.allocateDirect(64).position(60).limit(61);
        ByteBuffer payload = ByteBuffer.allocateDirect(64).position(1).limit(2);
        crc.of(1, header, 0, 16, payload, 8, 56);
        assertThat(header.position()).isEqualTo(60);
        assertThat(header.limit()).isEqualTo(61);
        assertThat(payload.position()).isEqualTo(1);
        assertThat(payload.limit()).isEqualTo(2);
    }

    @Test
    void thePacketIsNotChanged() {
        ByteBuffer packet = direct(new byte[] {(byte) 0x18, 0x20, 3, 4, 5, 6, 7, 8});
        crc.of(1, packet, 0, 8, packet, 0, 0);
        assertThat(packet.get(0)).isEqualTo((byte) 0x18);
    }

    @Test
    @Covers("R-HDR-007")
    void nothingMatchesWithoutRoomForATrailer() {
        ByteBuffer packet = ByteBuffer.allocateDirect(8);
        for (int length = 0; length <= Crc32cTrailer.LENGTH; length++) {
            assertThat(crc.matches(0, packet, 0, length)).isFalse();
        }
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }
}

package io.metaroce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import io.metaroce.wire.model.PacketPrinter;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of {@code spec/vectors}, which know nothing of this code, in both directions. */
class GoldenVectorsTest {
    private final PacketCodec codec = new PacketCodec();
    private final PacketView view = new PacketView();

    static List<Vector> good() {
        return WireFiles.good();
    }

    static List<Vector> bad() {
        return WireFiles.bad();
    }

    @ParameterizedTest
    @MethodSource("good")
    @Covers({"R-HDR-001", "R-HDR-004", "R-SACK-001", "R-SACK-004"})
    void bytesSayWhatTheFieldsSay(Vector vector) {
        Packet packet = codec.decode(vector.bytes());
        assertThat(packet.opcode()).isEqualTo(vector.opcode());
        assertThat(RecordFields.of((Record) packet)).isEqualTo(RecordFields.of(vector.fields()));
    }

    @ParameterizedTest
    @MethodSource("good")
    @Covers("R-HDR-003")
    void fieldsBecomeTheBytes(Vector vector) {
        Packet packet = RecordFields.packet(vector.opcode(), vector.fields());
        assertThat(HexFormat.of().formatHex(codec.encode(packet, vector.seed())))
                .isEqualTo(HexFormat.of().formatHex(vector.bytes()));
    }

    @ParameterizedTest
    @MethodSource("good")
    @Covers("R-HDR-008")
    void theViewFindsNoFault(Vector vector) {
        assertThat(Received.check(view, vector.bytes(), vector.seed())).isNull();
        assertThat(PacketCodec.decode(view)).isEqualTo(codec.decode(vector.bytes()));
        assertThat(view.isMarked()).isEqualTo((vector.fields().get("flags").asInt() & BaseHeader.M) != 0);
    }

    @ParameterizedTest
    @MethodSource("good")
    void theLineNamesThePacket(Vector vector) {
        String line = PacketPrinter.line(codec.decode(vector.bytes()));
        assertThat(line)
                .startsWith(vector.json().get("packet").asString() + " ")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @MethodSource("bad")
    @Covers({"R-HDR-002", "R-HDR-005", "R-HDR-006", "R-HDR-007", "R-HDR-012"})
    void theFirstFailingStepNamesTheReason(Vector vector) {
        DropReason reason = Received.check(view, vector.bytes(), vector.seed());
        assertThat(reason == null ? "none" : reason.label())
                .as(vector.json().get("comment").asString())
                .isEqualTo(vector.drop());
    }

    @Test
    void everyPacketTypeHasAVector() {
        TreeSet<String> wanted = new TreeSet<>();
        WireFiles.TABLE.get("packets").forEach(row -> wanted.add(row.get("name").asString()));
        TreeSet<String> found = new TreeSet<>();
        WireFiles.good().forEach(vector -> found.add(vector.json().get("packet").asString()));
        assertThat(found).isEqualTo(wanted);
    }

    @Test
    void smallNumbersAreEncodedAsTheVectorsSay() {
        for (JsonNode row : WireFiles.NUMBERS) {
            long value = row.get("value").longValue();
            String format = row.get("format").asString();
            int code = format.equals("Demand8") ? Minifloat.encodeDemand(value) : Minifloat.encodeHintKbit(value);
            assertThat(code)
                    .as("%s of %d", format, value)
                    .isEqualTo(row.get("code").asInt());
        }
    }
}

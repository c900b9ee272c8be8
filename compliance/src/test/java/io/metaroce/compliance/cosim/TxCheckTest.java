package io.metaroce.compliance.cosim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.compliance.adapter.model.Kind;
import io.metaroce.compliance.adapter.model.Model;
import io.metaroce.compliance.adapter.model.ModelSetup;
import io.metaroce.compliance.adapter.model.Recording;
import io.metaroce.compliance.adapter.model.Told;
import io.metaroce.compliance.lt.Talk;
import io.metaroce.compliance.lt.codec.Fields;
import io.metaroce.compliance.lt.codec.Packet;
import io.metaroce.compliance.spec.Json;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Packets of a device beside those of the model: several connections, and numbers that both sides have given. */
class TxCheckTest {
    private static final int NUMBER = 7;
    private final TxCheck check = new TxCheck(SessionTest.CODEC);
    private final ObjectNode setup = (ObjectNode) Json.parse("{\"params\":{\"paths\":1}}");
    private final Model model = new Recording(ModelSetup.of(setup), setup).model();

    @Test
    void aNumberThatBothSidesHaveGivenMeansTwoConnections() {
        check.learnOfPeer(asking("CONN_REQ", "init_conn_id", 111));
        check.learnOfDevice(asking("CONN_ACCEPT", "resp_conn_id", 222));
        assertThat(check.seed(NUMBER)).as("of packets to the device").isEqualTo(222);
        assertThat(check.isNewSlot(slot(NUMBER, 0, 111))).as("to the peer").isTrue();
        assertThat(check.isNewSlot(slot(NUMBER, 0, 222))).isFalse();
    }

    @Test
    void slotsOfSeveralConnectionsAreComparedWhateverTheirOrder() {
        ArrayDeque<Comparison.Entry> sent = new ArrayDeque<>();
        sent.add(entry(slot(1, 0, 0)));
        sent.add(entry(slot(2, 0, 0)));
        sent.add(entry(slot(1, 1, 0)));
        assertThat(follow(slot(2, 0, 0), sent)).isEqualTo("content");
        assertThat(follow(slot(1, 0, 0), sent)).isEqualTo("content");
        assertThat(follow(slot(1, 1, 0), sent)).isEqualTo("content");
        assertThat(sent).isEmpty();
    }

    @Test
    void onlySlotsThatAreNewAreKeptForComparison() {
        assertThat(check.isNewSlot(slot(1, 0, 0))).isTrue();
        assertThat(check.isNewSlot(SessionTest.CODEC.encode(write(1, 0).withFlags(Packet.R), 0)))
                .isFalse();
        assertThat(check.isNewSlot(SessionTest.CODEC.encode(new Packet("ACK").set("dst_conn_id", 1), 0)))
                .isFalse();
        assertThat(check.isNewSlot(new byte[3])).isFalse();
    }

    private String follow(byte[] bytes, ArrayDeque<Comparison.Entry> sent) {
        Told told = Told.of(
                Json.object().put("kind", "TX").put("hex", HexFormat.of().formatHex(bytes)));
        return check.follow(told, sent, model, Json::array);
    }

    private static Comparison.Entry entry(byte[] bytes) {
        return new Comparison.Entry(0, Kind.TX, ByteBuffer.allocate(64), bytes);
    }

    private static Packet write(int connection, int psn) {
        return Talk.request("WRITE", 0, psn, 0, 0)
                .set("dst_conn_id", connection)
                .set("psn", psn);
    }

    private static byte[] slot(int connection, int psn, int seed) {
        return SessionTest.CODEC.encode(write(connection, psn), seed);
    }

    private static byte[] asking(String name, String number, int seed) {
        Packet packet = new Packet(name).withFlags(Packet.X).set(number, NUMBER);
        return SessionTest.CODEC.encode(
                SessionTest.CODEC.addOption(packet, "CRC_SEED", new Fields().put("crc_seed", seed)), 0);
    }
}

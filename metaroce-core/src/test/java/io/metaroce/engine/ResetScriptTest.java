package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.connection.ResetTokens;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.Secret;
import io.metaroce.param.SecurityConfig;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RESET, sent and received. */
class ResetScriptTest {
    private static final long S = 1_000_000_000;
    private static final int STRANGE_ID = 0x0BADCAFE;
    private static final Secret KEY = Secret.ofHex("00112233445566778899aabbccddeeff");
    private static final EndpointConfig CONFIG =
            Profiles.model().withSecurity(SecurityConfig.NONE.withEndpointKey(KEY));
    private final Script script = new Script(CONFIG, 1);

    // ---- sent

    @Test
    @Covers({"R-SEC-003", "R-SEC-004"})
    void aPacketForNobodyDrawsAResetToWhereItWasSeenFrom() {
        Address observed = Address.ipv4(0xC0000205, 4444);
        deliverFrom(observed, strange(64));
        Sent sent = script.go().take(Script.any(PacketKind.SETUP));
        Packet.Reset reset = (Packet.Reset) sent.packet();
        assertThat(sent.route().remote()).isEqualTo(observed);
        assertThat(reset.header().dstConnId()).isZero();
        assertThat(reset.deadConnId()).isEqualTo(STRANGE_ID);
        assertThat(reset.token()).isEqualTo(bytes(new ResetTokens(KEY).of(STRANGE_ID)));
        assertThat(sent.bytes().capacity()).isLessThanOrEqualTo(64);
        assertThat(script.counters().get(DropReason.NO_CONNECTION)).isEqualTo(1);
        assertThat(script.counters().get(Counter.RESETS_SENT)).isEqualTo(1);
        script.expectNothing();
    }

    @Test
    @Covers("R-SEC-004")
    void whatIsShortOrAnAnswerItselfDrawsNone() {
        deliverFrom(Address.ipv4(1, 1), strange(63));
        Packet.Header header = new Packet.Header(0, 0, 0, STRANGE_ID, 0, 0);
        byte[] accept = new PacketCodec()
                .encode(
                        new Packet.ConnectAccept(
                                header,
                                1,
                                2,
                                1,
                                List.of(new Packet.Option(0x27, Bytes.ofHex("0030" + "00".repeat(48))))),
                        0);
        assertThat(accept.length).isGreaterThanOrEqualTo(64);
        deliverFrom(Address.ipv4(1, 1), accept);
        byte[] reset = new PacketCodec()
                .encode(new Packet.Reset(header, STRANGE_ID, Bytes.ofHex("00".repeat(16)), List.of()), 0);
        deliverFrom(Address.ipv4(1, 1), reset);
        byte[] nobody = strange(64);
        ByteBuffer.wrap(nobody).putInt(4, 0);
        deliverFrom(Address.ipv4(1, 1), nobody);
        script.go().expectNothing();
        assertThat(script.counters().get(Counter.RESETS_SENT)).isZero();
    }

    @Test
    @Covers("R-SEC-004")
    void oneSourceDrawsTenInASecondAndOthersDrawTheirs() {
        for (int i = 0; i < 1_000; i++) {
            deliverFrom(Address.ipv4(7, 1 + i), strange(64)); // another port is no other source
        }
        deliverFrom(Address.ipv4(8, 1), strange(64));
        script.go();
        assertThat(script.history()).hasSize(11);
        script.after(S);
        for (int i = 0; i < 1_000; i++) {
            deliverFrom(Address.ipv4(7, 1), strange(64));
        }
        script.go();
        assertThat(script.history()).hasSize(21);
    }

    @Test
    @Covers("R-SEC-004")
    void aFloodFromManySourcesDrawsNoMoreThanTheTableAllows() {
        for (int i = 0; i < 100_000; i++) {
            deliverFrom(Address.ipv4(i, 1), strange(64));
            if (i % 32 == 0) {
                script.go();
            }
        }
        script.go();
        assertThat(script.history().size()).isBetween(1_000, ResetDesk.SOURCES * ResetDesk.PER_SOURCE);
    }

    @Test
    @Covers("R-SEC-003")
    void withoutAKeyThatOutlivesTheEndpointNothingIsSaid() {
        Script keyless = new Script(Profiles.model(), 1);
        keyless.deliver(strange(200), 0, Ecn.ECT_0);
        keyless.expectNothing();
        assertThat(keyless.counters().get(DropReason.NO_CONNECTION)).isEqualTo(1);
    }

    // ---- received

    @Test
    @Covers("R-SEC-003")
    void theRightTokenEndsTheConnectionAtOnceAndAnyOtherChangesNothing() {
        App app = script.app(0, 64, 4);
        ScriptPeer peer = script.peer();
        byte[] token = new byte[16];
        token[3] = 9;
        peer.parameters().resetToken(token);
        script.connect(peer, app);
        app.receive(1, App.Range.NONE);
        script.after(100_000).forget();
        for (int bit = 0; bit < 128; bit++) {
            byte[] wrong = token.clone();
            wrong[bit >>> 3] ^= (byte) (1 << (bit & 7));
            script.deliver(reset(ScriptPeer.CONN_ID, wrong), 0);
        }
        script.deliver(reset(ScriptPeer.CONN_ID + 1, token), 0);
        script.deliver(reset(peer.theirConnId(), token), 0);
        assertThat(script.counters().get(DropReason.RESET_TOKEN)).isEqualTo(130);
        assertThat(script.events()).containsExactly("established");
        script.deliver(reset(ScriptPeer.CONN_ID, token), 0);
        assertThat(script.events()).last().isEqualTo("closed PEER_RESTARTED");
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("1 WR_FLUSH_ERR");
        script.after(100 * S).expectNothing(); // an answer draws none
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-SEC-003")
    void aResetWithAWrongTrailerIsNone() {
        App app = script.app(0, 64, 4);
        ScriptPeer peer = script.connect(app);
        script.deliver(reset(ScriptPeer.CONN_ID, peer.parameters().resetToken()), 1);
        assertThat(script.counters().get(DropReason.INTEGRITY)).isEqualTo(1);
        assertThat(script.events()).containsExactly("established");
    }

    @Test
    @Covers("R-SEC-004")
    void noMoreAreJudgedInASecondThanALimit() {
        for (int i = 0; i < 3_000; i++) {
            script.deliver(reset(i, new byte[16]), 0);
        }
        assertThat(script.counters().get(DropReason.RESET_TOKEN)).isEqualTo(ResetDesk.JUDGED_PER_SECOND);
        assertThat(script.counters().get(DropReason.RATE_LIMITED)).isEqualTo(3_000 - ResetDesk.JUDGED_PER_SECOND);
    }

    @Test
    @Covers("R-SEC-003")
    void theTokenAnnouncedIsTheOneThatTheNextIncarnationComputes() {
        ScriptPeer peer = script.connect(script.app(0, 64, 4));
        assertThat(peer.theirParameters().resetToken()).isEqualTo(new ResetTokens(KEY).of(peer.theirConnId()));
    }

    @Test
    @Covers("R-CONN-007")
    void aKeepaliveSaysThatItIsOneAndIsLongEnoughToDrawAReset() {
        script.connect(script.app(0, 64, 4));
        script.after(100_000).forget().after(CONFIG.liveness().keepaliveNs());
        Sent sent = script.take(Script.any(PacketKind.PROBE));
        Packet.Probe probe = (Packet.Probe) sent.packet();
        assertThat(probe.probeFlags()).isEqualTo(ProbeHeader.IN_PATH | ProbeHeader.KEEPALIVE);
        assertThat(sent.bytes().capacity()).isEqualTo(ResetDesk.CAUSE_BYTES_MIN);
    }

    private static Packet.Reset reset(int deadConnId, byte[] token) {
        return new Packet.Reset(new Packet.Header(0, 0, 0, 0, 0, 0), deadConnId, bytes(token), List.of());
    }

    private static Bytes bytes(byte[] value) {
        return Bytes.of(ByteBuffer.wrap(value), 0, value.length);
    }

    /** A probe of any length for a connection that is not there. */
    private static byte[] strange(int length) {
        Packet.Header header = new Packet.Header(0, 0, 0, STRANGE_ID, 0, 0);
        return new PacketCodec().encode(new Packet.Probe(header, ProbeHeader.IN_PATH, 0, 0, List.of(), length - 32), 5);
    }

    private void deliverFrom(Address source, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(0, bytes);
        script.endpoint()
                .onDatagram(script.nowNs(), new Datagram().set(buffer, 0, bytes.length, 0, Ecn.ECT_0, () -> source));
    }
}

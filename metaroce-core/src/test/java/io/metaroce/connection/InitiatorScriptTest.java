package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.CloseReason;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectRequest;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The side that asks. */
class InitiatorScriptTest {
    private static final long MS = 1_000_000;
    private static final int RESP_ID = 0xBEEF;
    private final Script script = new Script(Profiles.model(), 1);
    private final App app = script.app(0, 4096, 16);
    private final int connectionId = script.endpoint()
            .connect(
                    0,
                    Addressing.of(0, Script.PEER_NODE),
                    Script.SERVICE,
                    List.of(app.binding()),
                    new byte[] {1, 2, 3},
                    script.listener());

    @Test
    @Covers({"R-CONN-010", "R-HDR-001"})
    void theRequestIsRepeatedWithGrowingPausesAndThenGivenUp() {
        script.after(80_000 * MS);
        List<Long> times = new ArrayList<>();
        for (Sent sent : script.history()) {
            assertThat(sent.packet()).isInstanceOf(Packet.ConnectRequest.class);
            assertThat(sent.bytes().capacity()).isGreaterThanOrEqualTo(ConnectRequest.PACKET_BYTES_MIN);
            times.add(sent.atNs() / MS);
        }
        assertThat(times).containsExactly(0L, 50L, 150L, 350L, 750L, 1_550L, 3_150L);
        assertThat(script.events()).containsExactly("closed CONNECT_TIMEOUT");
        assertThat(script.endpoint().connectionIds()).isEmpty();
        assertThat(script.endpoint().deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void workPostedBeforeIsFlushedWhenNobodyAnswers() {
        app.post(5, WrOpcode.SEND, App.Range.NONE, App.Remote.NOWHERE);
        app.post(6, WrOpcode.SEND, App.Range.NONE, App.Remote.NOWHERE);
        app.receive(7, App.Range.NONE);
        script.after(20_000 * MS);
        assertThat(app.poll())
                .extracting(App.Done::brief)
                .containsExactlyInAnyOrder("5 RETRY_EXC_ERR", "6 WR_FLUSH_ERR", "7 WR_FLUSH_ERR");
    }

    @Test
    @Covers("R-CONN-001")
    void aCookieIsBroughtBackAtOnce() {
        Packet.ConnectRequest asked = asked();
        Bytes cookie = Bytes.ofHex("000102030405060708090a0b0c0d0e0f");
        script.after(10_000).deliver(retry(asked.nonce(), cookie), 0);
        Packet.ConnectRequest again = asked();
        assertThat(again.nonce()).isEqualTo(asked.nonce());
        assertThat(again.initConnId()).isEqualTo(asked.initConnId());
        assertThat(option(again, Tlv.COOKIE)).isEqualTo(Bytes.ofHex("0000000102030405060708090a0b0c0d0e0f"));
        script.deliver(retry(asked.nonce(), cookie), 0).expectNothing(); // a second one changes nothing
        script.after(100 * MS);
        assertThat(option(asked(), Tlv.COOKIE)).isNotNull(); // and repetitions carry it
    }

    @Test
    void answersToSomebodyElsesQuestionAreIgnored() {
        Packet.ConnectRequest asked = asked();
        long foreign = asked.nonce() + 1;
        Packet.Header header = header();
        script.deliver(retry(foreign, Bytes.of(new byte[16])), 0);
        script.deliver(accept(foreign), 0);
        script.deliver(new Packet.ConnectReject(header, foreign, 5, List.of()), 0);
        script.deliver(new Packet.VersionNegotiation(header, foreign, 1 << 5, List.of()), 0);
        script.expectNothing();
        assertThat(script.events()).isEmpty();
        assertThat(state()).isEqualTo("REQ_SENT");
        script.deliver(accept(asked.nonce()), 0);
        assertThat(state()).isEqualTo("ESTABLISHED");
    }

    @Test
    @Covers("R-HDR-010")
    void anAcceptanceIsConfirmedAtTheAddressItAdvertises() {
        Packet.ConnectRequest asked = asked();
        ConnectParameters said = Requests.parameters();
        said.planes(List.of(new ConnectParameters.PlaneAddress(0, Addressing.of(0, 9))));
        script.deliver(accept(asked.nonce(), said), 0);
        Sent confirm = script.take(Script.any(PacketKind.SETUP));
        assertThat(confirm.packet()).isInstanceOf(Packet.ConnectConfirm.class);
        assertThat(confirm.packet().header().dstConnId()).isEqualTo(RESP_ID);
        assertThat(confirm.route().remote()).isEqualTo(Addressing.of(0, 9));
        assertThat(script.events()).containsExactly("established");
    }

    @Test
    @Covers("R-CONN-003")
    void aRepeatedAcceptanceIsConfirmedAgainAndChangesNothing() {
        Packet.ConnectRequest asked = asked();
        for (int i = 0; i < 3; i++) {
            script.after(MS).deliver(accept(asked.nonce()), 0);
            assertThat(script.take(Script.any(PacketKind.SETUP)).packet()).isInstanceOf(Packet.ConnectConfirm.class);
        }
        assertThat(script.events()).containsExactly("established");
        assertThat(script.endpoint().connectionIds()).hasSize(1);
    }

    @Test
    @Covers("R-ORD-008")
    void noSlotLeavesBeforeTheAcceptance() {
        app.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 100), new App.Remote(1, 0, 0));
        script.after(60 * MS);
        assertThat(script.history()).allMatch(sent -> sent.packet().opcode() == Opcode.CONN_REQ);
        script.deliver(accept(asked().nonce()), 0);
        script.after(10_000);
        assertThat(script.history()).anyMatch(sent -> sent.packet().opcode() == Opcode.WRITE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 99})
    @Covers("R-CONN-004")
    void aRejectionEndsItWithItsReason(int code) {
        Packet.ConnectRequest asked = asked();
        script.deliver(new Packet.ConnectReject(header(), asked.nonce(), code, List.of()), 0);
        assertThat(script.events()).containsExactly("closed " + CloseReason.ofRejectCode(code));
        script.after(20_000 * MS).expectNothing();
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-CONN-004")
    void otherVersionsEndIt() {
        script.deliver(new Packet.VersionNegotiation(header(), asked().nonce(), 1 << 2, List.of()), 0);
        assertThat(script.events()).containsExactly("closed REJECTED_VERSION");
    }

    @Test
    void otherVersionsCountOnlyBeforeAnyOtherReply() {
        Packet.ConnectRequest asked = asked();
        script.deliver(new Packet.VersionNegotiation(header(), asked.nonce(), 1 << 1, List.of()), 0); // but it is ours
        script.deliver(retry(asked.nonce(), Bytes.of(new byte[16])), 0);
        script.deliver(new Packet.VersionNegotiation(header(), asked.nonce(), 1 << 2, List.of()), 0);
        assertThat(script.events()).isEmpty();
        script.deliver(accept(asked.nonce()), 0);
        script.deliver(new Packet.VersionNegotiation(header(), asked.nonce(), 1 << 2, List.of()), 0);
        script.deliver(new Packet.ConnectReject(header(), asked.nonce(), 5, List.of()), 0);
        assertThat(script.events()).containsExactly("established");
        assertThat(script.counters().get(DropReason.STATE)).isEqualTo(4);
    }

    @Test
    @Covers("R-CONN-008")
    void anAcceptanceThatNobodyCanLiveWithIsNone() {
        long nonce = asked().nonce();
        script.deliver(accept(nonce, Requests.parameters().integrity(1)), 0);
        script.deliver(accept(nonce, Requests.parameters().featuresRequired(4)), 0);
        script.deliver(accept(nonce, Requests.parameters().planes(List.of())), 0);
        assertThat(script.events()).isEmpty();
        assertThat(script.counters().dropsTotal()).isEqualTo(3);
    }

    @Test
    @Covers("R-CONN-010")
    void whoeverAcceptsWhatHasBeenGivenUpIsTold() {
        Packet.ConnectRequest asked = asked();
        long nonce = asked.nonce();
        script.endpoint().close(script.nowNs(), connectionId);
        script.after(0).expectNothing();
        assertThat(script.events()).containsExactly("closed LOCAL_CLOSE");
        script.deliver(accept(nonce), 0);
        List<Sent> sent = script.go().history();
        Packet.Close close = (Packet.Close) sent.get(sent.size() - 1).packet();
        assertThat(close.header().dstConnId()).isEqualTo(RESP_ID);
        assertThat(close.closeFlags()).isEqualTo(CloseHeader.ABORT);
        script.deliver(accept(nonce), 0); // once is enough
        Packet.Header header = header();
        script.deliver(new Packet.CloseAck(header, close.code(), 0, close.closeId(), List.of()), seed(asked));
        script.forget().after(20_000 * MS).expectNothing();
        script.after(60_000 * MS);
        assertThat(script.events()).hasSize(1);
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    void whoeverClosesBeforeTheFirstRequestLeavesNothingBehind() {
        script.endpoint().abort(script.nowNs(), connectionId);
        script.after(0).expectNothing();
        assertThat(script.events()).containsExactly("closed LOCAL_ABORT");
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    private Packet.ConnectRequest asked() {
        return (Packet.ConnectRequest)
                script.go().take(Script.any(PacketKind.SETUP)).packet();
    }

    private String state() {
        return Objects.requireNonNull(script.endpoint().view(connectionId)).state();
    }

    private Packet.Header header() {
        return new Packet.Header(0, 0, 0, connectionId, 0, 0);
    }

    private Packet retry(long nonce, Bytes cookie) {
        return new Packet.ConnectRetry(header(), nonce, cookie, List.of());
    }

    private Packet accept(long nonce) {
        return accept(nonce, Requests.parameters());
    }

    private Packet accept(long nonce, ConnectParameters said) {
        return new Packet.ConnectAccept(header(), nonce, RESP_ID, 1, Requests.options(said));
    }

    private static int seed(Packet asked) {
        Bytes value = Objects.requireNonNull(option(asked, Tlv.CRC_SEED));
        return ByteBuffer.wrap(value.toArray()).getInt(2);
    }

    private static @Nullable Bytes option(Packet packet, int type) {
        for (Packet.Option option : packet.options()) {
            if (option.type() == type) {
                return option.value();
            }
        }
        return null;
    }
}

package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.engine.ConnectionListener;
import io.metaroce.engine.Offer;
import io.metaroce.param.CloseReason;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.Profiles;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.CloseHeader;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.Tlv;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The side that is asked. */
class ResponderScriptTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private final EndpointConfig config = Profiles.model();
    private Script script = new Script(config, 1);
    private final List<Integer> offers = new ArrayList<>();
    private final List<Offer> said = new ArrayList<>();
    private long bytesIn;

    @BeforeEach
    void listens() {
        script.endpoint().listen(Script.SERVICE, listener());
    }

    // ---- before anything is kept

    @Test
    @Covers({"R-CONN-001", "R-SEC-004"})
    void nothingIsKeptOfARequestWithoutACookie() {
        for (int i = 0; i < 1_000; i++) {
            deliver(Requests.request(i + 1, i, Script.SERVICE, Requests.parameters()));
        }
        assertThat(script.endpoint().connectionIds()).isEmpty();
        assertThat(offers).isEmpty();
        assertThat(script.endpoint().deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(script.history()).hasSize(1_000).allMatch(sent -> sent.packet() instanceof Packet.ConnectRetry);
        assertThat(bytesOut()).isLessThan(bytesIn);
    }

    @Test
    @Covers("R-CONN-001")
    void theCookieGoesToTheAddressThatIsAdvertised() {
        ConnectParameters parameters =
                Requests.parameters().planes(List.of(new ConnectParameters.PlaneAddress(0, Addressing.of(0, 9))));
        deliver(Requests.request(parameters));
        Sent retry = take();
        assertThat(retry.packet()).isInstanceOf(Packet.ConnectRetry.class);
        assertThat(retry.packet().header().dstConnId()).isEqualTo(Requests.INIT_ID);
        assertThat(retry.route().remote()).isEqualTo(Addressing.of(0, 9));
    }

    @Test
    @Covers("R-CONN-001")
    void aCookieForAnotherAddressNumberOrNonceIsNone() {
        byte[] cookie = cookie();
        ConnectParameters elsewhere =
                Requests.parameters().planes(List.of(new ConnectParameters.PlaneAddress(0, Addressing.of(0, 9))));
        deliver(Requests.request(elsewhere.cookie(cookie)));
        deliver(Requests.request(
                1, Requests.NONCE, Script.SERVICE, Requests.parameters().cookie(cookie)));
        deliver(Requests.request(
                Requests.INIT_ID, 1, Script.SERVICE, Requests.parameters().cookie(cookie)));
        for (int i = 0; i < 3; i++) {
            assertThat(take().packet()).isInstanceOf(Packet.ConnectRetry.class);
        }
        assertThat(offers).isEmpty();
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-CONN-001")
    void anOldCookieIsAskedForAgain() {
        byte[] cookie = cookie();
        script.after(16 * S);
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        assertThat(take().packet()).isInstanceOf(Packet.ConnectRetry.class);
        assertThat(offers).isEmpty();
    }

    @Test
    @Covers({"R-CONN-004", "R-SEC-004", "R-HDR-012"})
    void anotherVersionIsToldWhatIsSpokenHere() {
        byte[] bytes = new PacketCodec().encode(Requests.request(Requests.parameters()), 0);
        bytes[0] = (byte) (0x20 | (bytes[0] & 0x0F));
        Address observed = Address.ipv4(0xC0000205, 4444);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(0, bytes);
        script.endpoint().onDatagram(0, new Datagram().set(buffer, 0, bytes.length, 0, Ecn.ECT_0, () -> observed));
        Sent sent = script.go().take(Script.any(PacketKind.SETUP));
        Packet.VersionNegotiation answer = (Packet.VersionNegotiation) sent.packet();
        assertThat(answer.versions()).isEqualTo(1 << 1);
        assertThat(answer.nonce()).isEqualTo(Requests.NONCE);
        assertThat(sent.route().remote()).isEqualTo(observed);
        assertThat(sent.bytes().capacity()).isLessThanOrEqualTo(bytes.length);
        assertThat(script.counters().get(DropReason.VERSION)).isEqualTo(1);
        assertThat(script.counters().dropsTotal()).isEqualTo(1);
    }

    @Test
    @Covers("R-SEC-004")
    void aShortPacketOfAnotherVersionDrawsNothing() {
        byte[] bytes = new PacketCodec().encode(Requests.request(Requests.parameters()), 0);
        bytes[0] = 0x20;
        for (int length = 0; length < 40; length++) {
            script.deliver(Arrays.copyOf(bytes, length), 0, Ecn.ECT_0);
        }
        script.expectNothing();
        assertThat(script.counters().dropsTotal()).isEqualTo(40);
    }

    @Test
    @Covers("R-SEC-004")
    void aShortRequestDrawsNothing() {
        Packet.ConnectRequest whole = Requests.request(Requests.parameters());
        Packet.ConnectRequest small = new Packet.ConnectRequest(
                whole.header(),
                whole.initConnId(),
                whole.serviceId(),
                whole.nonce(),
                whole.versions(),
                whole.options(),
                0);
        int length = new PacketCodec().encode(small, 0).length;
        assertThat(length).isLessThan(1200);
        script.deliver(small, 0);
        for (Sent sent : script.history()) {
            assertThat(sent.bytes().capacity()).isLessThanOrEqualTo(length);
        }
    }

    // ---- refusals

    @Test
    @Covers("R-CONN-004")
    void whatCannotBeAgreedIsRejectedWithItsReason() {
        assertRejected(
                ConnectReject.INTEGRITY, Script.SERVICE, Requests.parameters().integrity(4));
        assertRejected(
                ConnectReject.FEATURE, Script.SERVICE, Requests.parameters().featuresRequired(1));
        assertRejected(ConnectReject.NO_SERVICE, Script.SERVICE + 1, Requests.parameters());
        script.endpoint().unlisten(Script.SERVICE);
        assertRejected(ConnectReject.NO_SERVICE, Script.SERVICE, Requests.parameters());
        assertThat(offers).isEmpty();
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    void theApplicationMayRefuseWithWords() {
        request();
        script.endpoint().reject(script.nowNs(), offers.get(0), new byte[] {9, 8});
        Sent sent = script.go().take(Script.any(PacketKind.SETUP));
        Packet.ConnectReject reject = (Packet.ConnectReject) sent.packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.REFUSED);
        assertThat(reject.nonce()).isEqualTo(Requests.NONCE);
        assertThat(reject.options().get(0).value()).isEqualTo(Bytes.ofHex("00020908" + "0000"));
        script.after(1);
        assertThat(script.events()).containsExactly("closed REJECTED_REFUSED");
        script.after(100 * S).expectNothing();
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-CONN-003")
    void aRefusedRequestThatComesAgainIsRefusedAgainAndNotOffered() {
        byte[] cookie = request();
        script.endpoint().reject(script.nowNs(), offers.get(0), new byte[] {9});
        script.after(MS).forget();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        Packet.ConnectReject reject = (Packet.ConnectReject) take().packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.REFUSED);
        assertThat(offers).hasSize(1);
        script.after(MS).expectNothing();
    }

    @Test
    @Covers("R-CONN-008")
    void anEndpointThatIsFullRefuses() {
        EndpointLimits limits = new EndpointLimits(2, 256, 16, 16, 16);
        script = new Script(config.withLimits(limits), 1);
        listens();
        for (int i = 0; i < 3; i++) {
            requestAs(100 + i, i);
        }
        Packet.ConnectReject reject = (Packet.ConnectReject) take().packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.RESOURCES);
        assertThat(offers).hasSize(2);
        assertThatThrownBy(() ->
                        script.endpoint().connect(0, Addressing.of(0, 1), 1, List.of(), new byte[0], script.listener()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 connections")
                .hasMessageContaining("limits.connections");
    }

    // ---- acceptance

    @Test
    void theApplicationHearsWhoAsksForWhat() {
        byte[] cookie = cookie();
        deliver(Requests.request(Requests.parameters().cookie(cookie).privateData(new byte[] {4, 5})));
        assertThat(said).hasSize(1);
        assertThat(said.get(0).serviceId()).isEqualTo(Script.SERVICE);
        assertThat(said.get(0).from()).isEqualTo(Addressing.of(0, Script.PEER_NODE));
        assertThat(said.get(0).streamIds()).containsExactly(0);
        assertThat(said.get(0).privateData()).containsExactly(4, 5);
        script.expectNothing(); // until it has decided
    }

    @Test
    @Covers("R-CONN-002")
    void anAcceptanceIsRepeatedWithGrowingPausesAndThenGivenUp() {
        request();
        script.forget();
        accept();
        long start = script.nowNs();
        script.after(30 * S);
        List<Long> times = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.ConnectAccept) {
                times.add((sent.atNs() - start) / MS);
            }
        }
        assertThat(times).containsExactly(0L, 50L, 150L, 350L, 750L, 1_550L, 3_150L);
        assertThat(script.events()).containsExactly("closed CONNECT_TIMEOUT");
        assertThat(bytesOut()).isLessThanOrEqualTo(3 * bytesIn);
        script.after(60 * S);
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-CONN-002")
    void withoutCookiesNoMoreThanThreeTimesTheBytesLeaveBeforeItIsConfirmed() {
        script = new Script(config.withCookies(EndpointConfig.Cookies.OFF), 1);
        listens();
        deliver(Requests.request(Requests.parameters()));
        assertThat(offers).hasSize(1);
        accept();
        script.after(30 * S);
        assertThat(bytesOut()).isLessThanOrEqualTo(3 * bytesIn);
    }

    @Test
    @Covers("R-CONN-003")
    void aRepeatedRequestIsAnsweredByTheSameAcceptance() {
        byte[] cookie = request();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        script.forget(); // before the application has decided there is nothing to say
        accept();
        Packet.ConnectAccept first = (Packet.ConnectAccept) take().packet();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        Packet.ConnectAccept second = (Packet.ConnectAccept) take().packet();
        assertThat(second.respConnId()).isEqualTo(first.respConnId());
        assertThat(second.options()).isEqualTo(first.options());
        assertThat(offers).hasSize(1);
        assertThat(script.endpoint().connectionIds()).hasSize(1);
    }

    @Test
    @Covers("R-CONN-010")
    void whoeverAbortsBeforeItHasDecidedRejects() {
        byte[] cookie = request();
        script.endpoint().abort(script.nowNs(), offers.get(0));
        Packet.ConnectReject reject = (Packet.ConnectReject)
                script.go().take(Script.any(PacketKind.SETUP)).packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.REFUSED);
        assertThat(script.events()).containsExactly("closed LOCAL_ABORT");
        script.after(MS).forget();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        assertThat(take().packet()).isInstanceOf(Packet.ConnectReject.class); // the same to a repeated request
        script.after(100 * S).expectNothing();
        assertThat(script.events()).hasSize(1);
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    @Covers("R-CONN-010")
    void whoeverClosesBeforeItIsConfirmedTellsThePeer() {
        int connId = accepted();
        script.forget().endpoint().close(script.nowNs(), connId);
        script.go();
        Packet.Close close = (Packet.Close) take().packet();
        assertThat(close.header().dstConnId()).isEqualTo(Requests.INIT_ID);
        assertThat(close.closeFlags()).isEqualTo(CloseHeader.ABORT);
        assertThat(script.events()).containsExactly("closed LOCAL_CLOSE");
        script.endpoint().close(script.nowNs(), connId); // twice is once
        script.after(100 * MS);
        assertThat(take().packet()).isInstanceOf(Packet.Close.class); // until it is answered
        script.deliver(
                new Packet.CloseAck(
                        new Packet.Header(0, 0, 0, connId, 0, 0), close.code(), 0, close.closeId(), List.of()),
                seed());
        script.after(10 * S);
        assertThat(script.history().stream().filter(sent -> sent.packet() instanceof Packet.Close))
                .hasSize(2);
        script.after(60 * S);
        assertThat(script.endpoint().connectionIds()).isEmpty();
    }

    @Test
    void aConfirmationEstablishesIt() {
        int connId = accepted();
        script.deliver(confirm(connId, Requests.NONCE), 0);
        assertThat(state(connId)).isEqualTo("ESTABLISHED");
        assertThat(script.events()).containsExactly("established");
        script.after(S);
        assertThat(script.history().stream().filter(sent -> sent.packet() instanceof Packet.ConnectAccept))
                .hasSize(1);
    }

    @Test
    @Covers("R-SEC-004")
    void aConfirmationOfSomethingElseIsIgnored() {
        int connId = accepted();
        script.deliver(confirm(connId, Requests.NONCE + 1), 0);
        assertThat(state(connId)).isEqualTo("ACCEPTED");
        assertThat(script.counters().dropsTotal()).isEqualTo(1);
    }

    @Test
    void anyValidPacketEstablishesIt() {
        int connId = accepted();
        Packet.Header header = new Packet.Header(0, 0, 0, connId, 1, 0);
        int seed = seed();
        script.deliver(ack(header), seed ^ 1);
        assertThat(state(connId)).isEqualTo("ACCEPTED");
        script.deliver(ack(header), seed);
        assertThat(state(connId)).isEqualTo("ESTABLISHED");
    }

    @Test
    @Covers("R-CONN-003")
    void aRequestThatComesOnceMoreAfterAllIsAnsweredAndThenTheEndpointRests() {
        byte[] cookie = request();
        script.forget();
        int connId = accept();
        script.forget().deliver(confirm(connId, Requests.NONCE), 0);
        script.after(MS).forget();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        assertThat(take().packet()).isInstanceOf(Packet.ConnectAccept.class);
        script.after(5 * S); // a deadline in the past would never let this end
        long accepts = script.history().stream()
                .filter(sent -> sent.packet() instanceof Packet.ConnectAccept)
                .count();
        assertThat(accepts).isLessThanOrEqualTo(8);
        assertThat(script.events()).containsExactly("established");
        assertThat(script.endpoint().deadlineNs()).isGreaterThan(script.nowNs());
    }

    @Test
    @Covers("R-CONN-003")
    void aRequestThatComesAgainAfterTheCloseIsRejectedAsStale() {
        byte[] cookie = request();
        script.forget();
        int connId = accept();
        script.deliver(confirm(connId, Requests.NONCE), 0);
        int seed = seed();
        script.deliver(
                new Packet.Close(
                        new Packet.Header(0, 0, 0, connId, 0, 0), 1, CloseHeader.ABORT, Requests.INIT_ID, List.of()),
                seed);
        assertThat(script.events()).last().isEqualTo("closed PEER_ABORT");
        script.after(MS).forget();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        Packet.ConnectReject reject = (Packet.ConnectReject) take().packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.STALE);
        assertThat(offers).hasSize(1);
    }

    @Test
    @Covers("R-CONN-005")
    void numbersDoNotComeAgain() {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            requestAs(1000 + i, i);
            numbers.add(offers.get(i));
            script.endpoint().reject(script.nowNs(), offers.get(i), new byte[0]);
            script.after(MS).forget();
        }
        assertThat(numbers).doesNotHaveDuplicates().doesNotContain(0);
    }

    // ---- the small print

    private void assertRejected(int reason, int service, ConnectParameters parameters) {
        byte[] cookie = cookie();
        deliver(Requests.request(Requests.INIT_ID, Requests.NONCE, service, parameters.cookie(cookie)));
        Sent sent = take();
        assertThat(sent.packet()).isInstanceOf(Packet.ConnectReject.class);
        assertThat(((Packet.ConnectReject) sent.packet()).reason()).isEqualTo(reason);
        assertThat(((Packet.ConnectReject) sent.packet()).nonce()).isEqualTo(Requests.NONCE);
        assertThat(sent.route().remote()).isEqualTo(Addressing.of(0, Script.PEER_NODE));
    }

    private byte[] cookie() {
        deliver(Requests.request(Requests.parameters()));
        return ((Packet.ConnectRetry) take().packet()).cookie().toArray();
    }

    private byte[] request() {
        byte[] cookie = cookie();
        deliver(Requests.request(Requests.parameters().cookie(cookie)));
        assertThat(offers).hasSize(1);
        return cookie;
    }

    private void requestAs(int initId, long nonce) {
        deliver(Requests.request(initId, nonce, Script.SERVICE, Requests.parameters()));
        byte[] cookie = ((Packet.ConnectRetry) take().packet()).cookie().toArray();
        deliver(Requests.request(
                initId, nonce, Script.SERVICE, Requests.parameters().cookie(cookie)));
    }

    private int accepted() {
        request();
        script.forget();
        int connId = accept();
        script.forget();
        return connId;
    }

    private int accept() {
        App app = script.app(0, 4096, 16);
        script.endpoint().accept(script.nowNs(), offers.get(0), List.of(app.binding()), new byte[0]);
        script.go();
        return offers.get(0);
    }

    // Seed of the trailers that the endpoint expects, as its acceptance said.
    private int seed() {
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.ConnectAccept accept) {
                for (Packet.Option option : accept.options()) {
                    if (option.type() == Tlv.CRC_SEED) {
                        return ByteBuffer.wrap(option.value().toArray()).getInt(2);
                    }
                }
            }
        }
        throw new AssertionError("nothing was accepted");
    }

    private void deliver(Packet.ConnectRequest request) {
        byte[] bytes = new PacketCodec().encode(request, 0);
        bytesIn += bytes.length;
        script.deliver(bytes, 0, Ecn.ECT_0);
    }

    private Sent take() {
        return script.take(Script.any(PacketKind.SETUP));
    }

    private long bytesOut() {
        return script.history().stream()
                .mapToLong(sent -> sent.bytes().capacity())
                .sum();
    }

    private String state(int connId) {
        return Objects.requireNonNull(script.endpoint().view(connId)).state();
    }

    private static Packet confirm(int connId, long nonce) {
        return new Packet.ConnectConfirm(new Packet.Header(0, 0, 0, connId, 0, 0), nonce, List.of());
    }

    private static Packet ack(Packet.Header header) {
        return new Packet.Ack(header, 0, 1, 0, 0, List.of(), List.of(), List.of());
    }

    private ConnectionListener listener() {
        ConnectionListener heard = script.listener();
        return new ConnectionListener() {
            @Override
            public void offered(long nowNs, int connectionId, Offer offer) {
                offers.add(connectionId);
                said.add(offer);
            }

            @Override
            public void established(long nowNs, int connectionId, byte[] privateData) {
                heard.established(nowNs, connectionId, privateData);
            }

            @Override
            public void closed(long nowNs, int connectionId, CloseReason reason, String detail, byte[] privateData) {
                heard.closed(nowNs, connectionId, reason, detail, privateData);
            }
        };
    }
}

package io.metaroce.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.connection.Requests;
import io.metaroce.connection.Sealed;
import io.metaroce.datagram.Ecn;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.EndpointLimits;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ConnectParameters;
import io.metaroce.wire.ConnectReject;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An endpoint at its edges: strangers, limits, forgotten connections, a busy port. */
class EndpointScriptTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;
    private final Script script = new Script(Profiles.model(), 1);

    @Test
    void anEndpointWithoutConnectionsWaitsForNothing() {
        assertThat(script.endpoint().deadlineNs()).isEqualTo(Endpoint.NEVER);
        assertThat(script.endpoint().connectionIds()).isEmpty();
        assertThat(script.endpoint().view(5)).isNull();
        script.after(S).expectNothing();
    }

    /** The swarm found it with dozens of streams: an exception, and half a connection left behind. */
    @Test
    void streamsBeyondTheSettingAreRefusedOnTheSpot() {
        Endpoint endpoint = script.endpoint();
        long before = endpoint.memoryUse().bytes();
        StreamBinding beyond = script.app(64, 64, 4).binding();
        StreamBinding twice = script.app(2, 64, 4).binding();
        for (List<StreamBinding> streams : List.of(List.of(beyond), List.of(twice, twice))) {
            assertThatThrownBy(() -> endpoint.connect(
                            0, Addressing.of(0, 1), 7, streams, new byte[0], new ConnectionListener() {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stream");
        }
        assertThat(endpoint.connectionIds()).isEmpty();
        assertThat(endpoint.memoryUse().bytes()).isEqualTo(before);
    }

    @Test
    void aRequestForStreamsThatCannotBeIsRejected() {
        Script small = new Script(Profiles.model().withCookies(EndpointConfig.Cookies.OFF), 1);
        small.endpoint().listen(Script.SERVICE, new ConnectionListener() {});
        ConnectParameters.StreamOpen beyond = new ConnectParameters.StreamOpen(64, 0);
        ConnectParameters.StreamOpen usual = new ConnectParameters.StreamOpen(0, 0);
        for (List<ConnectParameters.StreamOpen> open : List.of(List.of(usual, beyond), List.of(usual, usual))) {
            small.deliver(Requests.request(Requests.parameters().streamsOpen(open)), 0);
            Packet.ConnectReject reject = (Packet.ConnectReject)
                    small.take(Script.any(PacketKind.SETUP)).packet();
            assertThat(reject.reason()).isEqualTo(ConnectReject.PARAMETER);
        }
        assertThat(small.endpoint().connectionIds()).isEmpty();
    }

    @Test
    void commandsForConnectionsThatAreNotThereDoNothing() {
        Endpoint endpoint = script.endpoint();
        endpoint.close(0, 5);
        endpoint.abort(0, 5);
        endpoint.reject(0, 5, new byte[0]);
        endpoint.accept(0, 5, List.of(), new byte[0]);
        endpoint.closeStream(0, 5, 0);
        assertThat(endpoint.openStream(0, 5, script.app(0, 64, 4).binding())).isFalse();
        script.after(S).expectNothing();
    }

    @Test
    void whoeverAcceptsTwiceHasAcceptedOnce() {
        Script one = new Script(Profiles.model().withCookies(EndpointConfig.Cookies.OFF), 1);
        List<Integer> offers = new ArrayList<>();
        one.endpoint().listen(Script.SERVICE, new ConnectionListener() {
            @Override
            public void offered(long nowNs, int connectionId, Offer offer) {
                offers.add(connectionId);
            }
        });
        one.deliver(Requests.request(Requests.parameters()), 0);
        App app = one.app(0, 64, 4);
        one.endpoint().accept(0, offers.get(0), List.of(app.binding()), new byte[0]);
        one.endpoint().accept(0, offers.get(0), List.of(one.app(0, 64, 4).binding()), new byte[0]);
        one.endpoint().reject(0, offers.get(0), new byte[0]);
        one.go();
        assertThat(one.history()).hasSize(1).allMatch(sent -> sent.packet() instanceof Packet.ConnectAccept);
    }

    @Test
    void aServiceHasOneListener() {
        script.endpoint().listen(3, new ConnectionListener() {});
        assertThatThrownBy(() -> script.endpoint().listen(3, new ConnectionListener() {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("service 3");
        script.endpoint().unlisten(3);
        script.endpoint().listen(3, new ConnectionListener() {});
    }

    @Test
    @Covers({"R-HDR-009", "R-SEC-004", "R-OBS-003"})
    void packetsForNobodyDrawNothing() {
        PacketCodec codec = new PacketCodec();
        Packet.Header header = new Packet.Header(0, 0, 0, 0xDEAD, 0, 0);
        script.deliver(codec.encode(new Packet.Probe(header, ProbeHeader.CHALLENGE, 0, 1, List.of(), 0), 1), 0, Ecn.CE);
        script.deliver(codec.encode(new Packet.Close(header, 0, 0, 1, List.of()), 1), 0, Ecn.ECT_0);
        script.deliver(codec.encode(new Packet.ConnectAccept(header, 1, 2, 1, List.of()), 0), 0, Ecn.ECT_0);
        script.deliver(
                codec.encode(new Packet.Reset(header, 0xDEAD, Bytes.of(new byte[16]), List.of()), 0), 0, Ecn.ECT_0);
        script.after(S).expectNothing();
        assertThat(script.counters().get(DropReason.NO_CONNECTION)).isEqualTo(3);
        assertThat(script.counters().get(DropReason.RESET_TOKEN)).isEqualTo(1);
        assertThat(script.counters().dropsTotal()).isEqualTo(4);
    }

    @Test
    @Covers("R-OBS-003")
    void everyDropHasOneNameThatOfTheFirstStepThatFails() {
        App app = script.app(0, 4096, 16);
        ScriptPeer peer = script.connect(app);
        byte[] good = new PacketCodec()
                .encode(peer.ack().packet(), peer.theirParameters().crcSeed());
        int seed = peer.theirParameters().crcSeed();
        assertDrop(DropReason.SHORT, new byte[0]);
        assertDrop(DropReason.SHORT, Arrays.copyOf(good, 15));
        assertDrop(DropReason.VERSION, with(good, 0, 0x30)); // the trailer is wrong as well
        assertDrop(DropReason.OPCODE, with(good, 1, 0xEE)); // here, too
        assertDrop(DropReason.NO_CONNECTION, with(good, 5, good[5] ^ 1)); // and here
        assertDrop(DropReason.INTEGRITY, with(good, 24, 9)); // lists that do not fit
        assertDrop(DropReason.LENGTH, Sealed.again(with(good, 24, 9), seed));
        assertDrop(DropReason.TLV, Sealed.again(with(good, 0, good[0] | 1), seed));
        assertDrop(DropReason.STALE_REPORT, Sealed.again(with(good, 8, 0x40), seed));
        assertThat(script.events()).containsExactly("established");
    }

    @Test
    @Covers("R-SEC-004")
    void aFloodOfRequestsDrawsNoMoreAnswersThanFit() {
        script.room(0);
        for (int i = 0; i < 1_000; i++) {
            script.deliver(Requests.request(i + 1, i, Script.SERVICE, Requests.parameters()), 0);
        }
        script.expectNothing();
        assertThat(script.counters().get(DropReason.RATE_LIMITED)).isEqualTo(1_000 - 64);
        script.room(1);
        assertThat(script.history()).hasSize(64);
    }

    @Test
    @Covers("R-CONN-008")
    void noMoreOffersWaitForTheApplicationThanItsLimit() {
        EndpointLimits limits = new EndpointLimits(1024, 256, 16, 16, 3);
        Script small = new Script(Profiles.model().withLimits(limits).withCookies(EndpointConfig.Cookies.OFF), 1);
        List<Integer> offers = new ArrayList<>();
        small.endpoint().listen(Script.SERVICE, new ConnectionListener() {
            @Override
            public void offered(long nowNs, int connectionId, Offer offer) {
                offers.add(connectionId);
            }
        });
        for (int i = 0; i < 5; i++) {
            small.deliver(Requests.request(i + 1, i, Script.SERVICE, Requests.parameters()), 0);
        }
        assertThat(offers).hasSize(3);
        Packet.ConnectReject reject =
                (Packet.ConnectReject) small.take(Script.any(PacketKind.SETUP)).packet();
        assertThat(reject.reason()).isEqualTo(ConnectReject.RESOURCES);
        small.endpoint().accept(0, offers.get(0), List.of(), new byte[0]);
        small.deliver(Requests.request(9, 9, Script.SERVICE, Requests.parameters()), 0);
        assertThat(offers).hasSize(4);
    }

    @Test
    @Covers("R-SEC-002")
    void aPeerWithMorePlanesThanThisEndpointIsSpokenToOnThoseItHas() {
        App app = script.app(0, 1 << 20, 64);
        ScriptPeer peer = script.peer();
        List<ConnectParameters.PlaneAddress> planes = new ArrayList<>();
        for (int plane = 0; plane < 16; plane++) {
            planes.add(new ConnectParameters.PlaneAddress(plane, Addressing.of(plane, Script.PEER_NODE)));
        }
        peer.parameters().planes(planes);
        script.connect(peer, app);
        app.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 1 << 18), new App.Remote(1, 0, 0));
        script.after(100_000);
        for (int i = 0; i < 100; i++) {
            script.deliver(
                    peer.craft(new Packet.Probe(peer.slotHeader(0, i, 0), ProbeHeader.IN_PATH, 0, 0, List.of(), 0)));
        }
        assertThat(script.history())
                .hasSizeGreaterThan(110)
                .allMatch(sent -> sent.route().plane() == 0);
    }

    // ---- a busy port

    @Test
    void aConnectionThatIsGivenUpWhileThePortIsBusyIsForgottenOnce() {
        App app = script.app(0, 64, 4);
        script.endpoint().connect(0, Addressing.of(0, 1), 1, List.of(app.binding()), new byte[0], script.listener());
        script.at(4 * S).room(0).after(100 * S).room(1).after(S); // the last try has left
        assertThat(script.events()).containsExactly("closed CONNECT_TIMEOUT");
        assertThat(script.endpoint().connectionIds()).isEmpty();
        assertThat(script.endpoint().deadlineNs()).isEqualTo(Endpoint.NEVER);
    }

    @Test
    void aTombstoneThatEndsWhileItStillHasSomethingToSayIsForgottenOnce() {
        App app = script.app(0, 64, 4);
        ScriptPeer peer = script.connect(app);
        script.deliver(
                peer.craft(new Packet.Close(new Packet.Header(0, 0, 0, peer.theirConnId(), 0, 0), 0, 0, 1, List.of())));
        assertThat(script.events()).last().isEqualTo("closed PEER_CLOSE");
        script.after(59 * S).room(0);
        script.deliver(
                peer.craft(new Packet.Close(new Packet.Header(0, 0, 0, peer.theirConnId(), 0, 0), 0, 0, 1, List.of())));
        script.after(2 * S).room(1).after(S);
        assertThat(script.endpoint().connectionIds()).isEmpty();
        assertThat(script.endpoint().deadlineNs()).isEqualTo(Endpoint.NEVER);
    }

    @Test
    void aRequestIsSentOnceThePortIsFree() {
        App app = script.app(0, 64, 4);
        script.room(0);
        script.endpoint().connect(0, Addressing.of(0, 1), 1, List.of(app.binding()), new byte[0], script.listener());
        script.after(10 * MS).expectNothing();
        script.room(1);
        assertThat(script.take(Script.any(PacketKind.SETUP)).packet()).isInstanceOf(Packet.ConnectRequest.class);
        script.expectNothing();
    }

    // ---- alive or not

    @Test
    @Covers("R-CONN-007")
    void aDeadPeerIsFoundWithinTheDeadTimeAfterTheFirstKeepaliveItLeavesUnanswered() {
        App app = script.app(0, 64, 4);
        script.connect(app);
        app.receive(1, App.Range.NONE);
        script.after(100_000).forget();
        LivenessConfig liveness = Profiles.model().liveness();
        script.after(liveness.keepaliveNs() + MS);
        Sent probe = script.take(Script.any(PacketKind.PROBE));
        script.at(probe.atNs() + liveness.deadNs() - 1);
        assertThat(script.events()).containsExactly("established");
        script.after(1);
        assertThat(script.events()).last().isEqualTo("closed PEER_DEAD");
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("1 WR_FLUSH_ERR");
        long probes = script.history().stream()
                .filter(sent -> sent.packet() instanceof Packet.Probe)
                .count();
        assertThat(probes).isGreaterThanOrEqualTo(3);
    }

    @Test
    @Covers("R-CONN-007")
    void anIdleLivePeerStaysConnected() {
        App app = script.app(0, 64, 4);
        ScriptPeer peer = script.connect(app);
        script.after(100_000).forget();
        for (int i = 0; i < 30; i++) {
            script.after(10 * S);
            Sent probe = script.take(Script.any(PacketKind.PROBE));
            Packet.Header header = probe.packet().header();
            script.deliver(peer.ack(peer.block(header.pathId())
                    .cum(0)
                    .echoStamp(header.txStamp(), header.pathEpoch())
                    .rxPackets(i)));
            script.forget();
        }
        assertThat(script.events()).containsExactly("established");
    }

    @Test
    @Covers("R-CONN-007")
    void theShortestDeadTimeThatQueuePairsAskForCounts() {
        App app = script.app(0, 1 << 16, 4);
        assertThat(silenceUntilItIsOver(app.deadNs(300 * MS))).isBetween(300 * MS, 301 * MS);
    }

    @Test
    @Covers("R-CONN-007")
    void aDeadTimeBelowEightProbeTimeoutsIsRaisedToThem() {
        App app = script.app(0, 1 << 16, 4);
        long silentNs = silenceUntilItIsOver(app.deadNs(1));
        long timeoutNs = Profiles.model().path().timeoutMaxNs();
        assertThat(silentNs).isGreaterThan(20_000).isLessThan(8 * timeoutNs);
    }

    @Test
    void withoutADeadTimeSilenceIsWaitedOut() {
        App app = script.app(0, 1 << 16, 4);
        script.connect(app.deadNs(StreamBinding.NEVER));
        app.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 100), new App.Remote(1, 0, 0));
        script.after(300 * S);
        assertThat(script.events()).containsExactly("established");
    }

    private long silenceUntilItIsOver(App app) {
        script.connect(app);
        script.after(100_000);
        long start = script.nowNs();
        app.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 100), new App.Remote(1, 0, 0));
        while (script.events().size() == 1 && script.nowNs() < start + 1_000_000_000) {
            script.after(10_000);
        }
        assertThat(script.events()).last().isEqualTo("closed PEER_DEAD");
        return script.nowNs() - start;
    }

    @Test
    void workOutstandingWithoutAWordForTheDeadTimeEndsIt() {
        App app = script.app(0, 1 << 16, 4);
        script.connect(app);
        app.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 100), new App.Remote(1, 0, 0));
        app.post(2, WrOpcode.RDMA_WRITE, new App.Range(0, 100), new App.Remote(1, 0, 0));
        script.after(11 * S);
        assertThat(script.events()).last().isEqualTo("closed PEER_DEAD");
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    }

    @Test
    @Covers("R-OBS-001")
    void countersAreReadableWhileTheEndpointRuns() {
        App app = script.app(0, 64, 4);
        ScriptPeer peer = script.connect(app);
        long before = script.counters().get(Counter.RX_PACKETS);
        script.deliver(peer.ack());
        assertThat(script.counters().get(Counter.RX_PACKETS)).isEqualTo(before + 1);
        assertThat(script.counters().get(Counter.CONNECTIONS_OPENED)).isEqualTo(1);
        assertThat(script.counters()).isSameAs(script.endpoint().counters());
        ConnectionView view = Objects.requireNonNull(script.endpoint().view(peer.connectionId()));
        assertThat(view.state()).isEqualTo("ESTABLISHED");
        assertThat(view.paths()).hasSize(Profiles.model().path().paths());
        assertThat(view.paths().get(3).id()).isEqualTo(3);
        assertThat(view.paths().get(3).srttNs()).isEqualTo(10_000);
        assertThat(view.windowBytes()).isPositive();
        assertThat(view.pacedBytesPerSecond())
                .isBetween(1L, Profiles.model().rate().outboundBytesPerSecond());
        assertThat(view.isSteeredByDelay()).isFalse();
    }

    @Test
    void whatIsInFlightIsToldPathByPath() {
        App app = script.app(0, 1 << 20, 16);
        ScriptPeer peer = script.connect(app);
        app.post(0, WrOpcode.RDMA_WRITE, new App.Range(0, 40_000), new App.Remote(1, 0, 0));
        script.go();
        ConnectionView view = Objects.requireNonNull(script.endpoint().view(peer.connectionId()));
        assertThat(view.inFlightBytes()).isPositive();
        assertThat(view.paths().stream().mapToLong(PathView::inFlightBytes).sum())
                .isEqualTo(view.inFlightBytes());
    }

    private void assertDrop(DropReason reason, byte[] bytes) {
        long total = script.counters().dropsTotal();
        long one = script.counters().get(reason);
        script.deliver(bytes, 0, Ecn.ECT_0);
        assertThat(script.counters().get(reason)).as(reason.label()).isEqualTo(one + 1);
        assertThat(script.counters().dropsTotal()).isEqualTo(total + 1);
    }

    private static byte[] with(byte[] bytes, int at, int value) {
        byte[] out = bytes.clone();
        out[at] = (byte) value;
        return out;
    }
}

package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.num.Minifloat;
import io.metaroce.num.Serial32;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.LivenessConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What the endpoint sends on one path, packet by packet. The handshake takes 10 us, so that is the first round trip.
 */
class SendingScriptTest {
    private static final int P = 4096;
    private static final long RTT_NS = 10_000;
    private static final long FLUSH_NS = 2 * RTT_NS + 1_000; // nothing is lost: when the answer is due
    private static final long PTO_NS = RTT_NS + 4 * RTT_NS / 2 + 1_000; // the peer holds reports back 1 us at most
    private static final int HINT = Minifloat.encodeHint(40_000_000_000L);
    private Script script = new Script(onePath(), 1);
    private App app = script.app(0, 1 << 20, 1024);

    // ---- loss

    @Test
    @Covers({"R-LOSS-003", "R-LOSS-001", "R-PATH-006", "R-PATH-007"})
    void aLostRetransmissionIsResentOnceMore() {
        ScriptPeer peer = connected();
        post(4);
        script.after(RTT_NS).forget();
        script.deliver(
                peer.ack(HINT, List.of(), peer.block(0).cum(1).bits("011").echo(3)));
        script.expect(peer.data(0, 1).resent());
        post(1);
        script.after(2_000).expect(peer.data(0, 4));
        script.deliver(peer.ack(peer.block(0).cum(1).bits("0111").echo(4)));
        script.expect(peer.data(0, 1).resent()).expectNothing();
        assertStampsGrow();
    }

    @Test
    @Covers("R-LOSS-009")
    void aSlotThatTheReportDoesNotCoverIsNotResent() {
        ScriptPeer peer = connected();
        post(4);
        script.after(2_000).forget();
        // The block begins behind slot 1: about that one it says nothing.
        Packet.Block tail = new Packet.Block(0, 0, 0, peer.psn(0, 1), stamp(peer, 3), 0, 1, 3, 0, 0, List.of(0b11L));
        script.deliver(ack(peer, peer.reportHeader(), 0, tail)).expectNothing();
    }

    @Test
    @Covers("R-ACK-006")
    void anOlderReportNeitherResendsNorMovesTheHint() {
        ScriptPeer peer = connected();
        post(4);
        script.after(2_000).forget();
        Packet.Header older = peer.reportHeader();
        script.deliver(peer.ack(HINT, List.of()));
        long hint = view(peer);
        Packet.Block block = new Packet.Block(0, 0, 0, peer.psn(0, 1), stamp(peer, 3), 0, 0, 3, 0, 0, List.of(0b110L));
        script.deliver(ack(peer, older, 1, block)).expectNothing();
        assertThat(view(peer)).isEqualTo(hint);
        assertThat(script.endpoint().freeSlots())
                .isEqualTo(onePath().limits().slots() - 1); // but its slots are released
    }

    @Test
    @Covers("R-HINT-007")
    void onlyAStrictlyNewerReportReplacesTheHint() {
        ScriptPeer peer = connected();
        Packet.Header older = peer.reportHeader();
        Packet.Header newer = peer.reportHeader();
        script.deliver(ack(peer, newer, HINT));
        long hint = view(peer);
        script.deliver(ack(peer, older, Minifloat.encodeHint(1_000_000)));
        script.deliver(ack(peer, newer, Minifloat.encodeHint(1_000_000)));
        assertThat(view(peer)).isEqualTo(hint);
        script.deliver(ack(peer, peer.reportHeader(), Minifloat.encodeHint(1_000_000)));
        assertThat(view(peer)).isLessThan(hint);
    }

    @Test
    @Covers({"R-HINT-007", "R-HINT-008"})
    void aReadBringsAHintUnlessANewerReportHasSpoken() {
        ScriptPeer peer = connected();
        Packet.Header ruling = peer.reportHeader();
        script.deliver(ack(peer, ruling, HINT));
        long hint = view(peer);
        int less = Minifloat.encodeHint(1_000_000);
        script.deliver(read(peer, 0, less, ruling.psn() - 1));
        assertThat(view(peer)).as("older than the report that rules").isEqualTo(hint);
        script.deliver(read(peer, 1, less, ruling.psn() + 2));
        long lower = view(peer);
        assertThat(lower).isLessThan(hint);
        script.deliver(ack(peer, peer.reportHeader(), HINT));
        assertThat(view(peer)).as("the Read has taken a newer place").isEqualTo(lower);
        script.deliver(ack(peer, peer.reportHeader(), HINT));
        script.deliver(ack(peer, peer.reportHeader(), HINT));
        assertThat(view(peer)).isEqualTo(hint);
    }

    private ScriptPeer.Crafted read(ScriptPeer peer, int index, int hint, int hintSeq) {
        Packet.Message message = new Packet.Message(0, 0, 0, 0, index, 0);
        return peer.craft(new Packet.ReadRequest(
                peer.slotHeader(0, index, 0),
                message,
                app.region().key(),
                0,
                App.BASE,
                index,
                hint,
                hintSeq & 0xFFFF,
                List.of()));
    }

    @Test
    @Covers({"R-ACK-007", "R-ERR-001"})
    void acknowledgingWhatWasNeverSentEndsTheConnection() {
        ScriptPeer peer = connected();
        post(2);
        script.after(2_000).forget();
        script.deliver(peer.ack(peer.block(0).cum(3).echo(1)));
        Packet.Close close =
                (Packet.Close) script.take(Script.any(PacketKind.SETUP)).packet();
        assertThat(close.code()).isEqualTo(0x109);
        assertThat(script.counters().get(DropReason.PROTOCOL)).isEqualTo(1);
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("0 FATAL_ERR", "1 WR_FLUSH_ERR");
    }

    @Test
    @Covers("R-ACK-007")
    void echoingAStampThatWasNeverSentEndsTheConnection() {
        ScriptPeer peer = connected();
        post(1);
        script.after(2_000);
        script.deliver(peer.ack(peer.block(0).cum(1).echoStamp(stamp(peer, 0) + 1, 0)));
        assertThat(script.events()).last().isEqualTo("closed PROTOCOL_ERROR");
    }

    // ---- the order

    @Test
    void reportsGoBeforeProbesThoseBeforeResendsAndThoseBeforeNewData() {
        ScriptPeer peer = script.connect(app);
        script.after(100_000);
        post(4);
        script.after(RTT_NS).room(0);
        post(1);
        script.deliver(
                peer.ack(HINT, List.of(), peer.block(0).cum(1).bits("011").echo(3)));
        script.deliver(
                peer.craft(new Packet.StreamQuery(peer.reportHeader(), List.of(new Packet.StreamEntry(0)), List.of())));
        script.deliver(peer.craft(new Packet.Probe(peer.slotHeader(0, 0, 0), ProbeHeader.IN_PATH, 0, 0, List.of(), 0)));
        script.after(2 * PTO_NS).forget().room(1);
        script.expect(
                Script.any(PacketKind.ACK),
                opcode(Opcode.STREAM_QUERY),
                opcode(Opcode.STREAM_STATUS),
                peer.probe(0),
                peer.data(0, 1).resent());
        script.after(10_000).expectAmong(peer.data(0, 4));
    }

    @Test
    @Covers("R-ORD-010")
    void aRefusalWithANumberFarFromTheNewestIsNone() {
        ScriptPeer peer = connected();
        Packet.Header far = new Packet.Header(0, 0, 0, peer.theirConnId(), 1 << 21, 0);
        script.deliver(peer.craft(new Packet.Nak(far, 0x06, 0, 0, 0, 0, 0, 0, 0, List.of())));
        assertThat(script.events()).containsExactly("established");
        assertThat(script.counters().get(DropReason.STALE_REPORT)).isEqualTo(1);
        script.deliver(peer.craft(new Packet.Nak(peer.reportHeader(), 0x06, 0, 0, 0, 0, 0, 0, 0, List.of())));
        assertThat(script.events()).last().isEqualTo("closed PROTOCOL_ERROR");
    }

    // ---- a long silence

    @Test
    @Covers({"R-PATH-019", "R-ACK-007"})
    void aReportFromBeforeALongSilenceIsNeitherALieNorARoundTrip() {
        LivenessConfig usual = onePath().liveness();
        script = new Script(
                onePath()
                        .withPath(onePath().path().withIdleProbeNs(3_600_000_000_000L))
                        .withLiveness(new LivenessConfig(
                                usual.handshakeRetryNs(),
                                usual.handshakeTries(),
                                usual.closeTries(),
                                usual.quiesceNs(),
                                3_600_000_000_000L, // no keepalive breaks the silence
                                usual.deadNs(),
                                usual.tombstoneNs())),
                1);
        app = script.app(0, 1 << 20, 16);
        ScriptPeer peer = connected();
        post(1);
        script.after(2_000);
        int before = stamp(peer, 0);
        script.deliver(peer.ack(
                HINT, List.of(ScriptPeer.update(0, 1, 0)), peer.block(0).cum(1).echo(0)));
        script.after(40_000_000_000L); // more than half a turn of the stamps
        post(1);
        script.after(1_000);
        script.deliver(peer.ack(HINT, List.of(), peer.block(0).cum(1).echoStamp(before, 0)));
        assertThat(script.events()).containsExactly("established");
        assertThat(path(peer).srttNs()).isLessThan(20_000);
        script.after(8_000);
        script.deliver(peer.ack(HINT, List.of(), peer.block(0).cum(2).echo(1)));
        assertThat(path(peer).srttNs()).isLessThan(20_000);
        assertThat(path(peer).inFlightBytes()).isZero();
    }

    // ---- the window

    @Test
    @Covers({"R-PATH-003", "R-PATH-009"})
    void noSlotIsOpenedBeyondTheWindowHoweverManyOthersAreAcknowledged() {
        ScriptPeer peer = connected();
        int acked = 0;
        for (int round = 0; round < 40; round++) {
            post(12);
            script.after(20_000);
            int sent = slotsSent();
            assertThat(sent - acked).isLessThanOrEqualTo(64 + 1);
            if (sent > 1) {
                // Everything but slot 0, whose resends are lost every time.
                script.deliver(peer.ack(
                        HINT,
                        List.of(),
                        peer.block(0).cum(0).bits("0" + "1".repeat(sent - 1)).echo(sent - 1)));
                acked = sent - 1;
            }
        }
        assertThat(slotsSent()).isEqualTo(256);
        script.deliver(peer.ack(HINT, List.of(), peer.block(0).cum(256).echo(0)));
        script.after(20_000);
        assertThat(slotsSent()).isGreaterThan(256);
    }

    // ---- tail and timeout

    @Test
    @Covers({"R-LOSS-004", "R-LOSS-010"})
    void theTailIsFlushedOnce() {
        ScriptPeer peer = connected();
        post(1);
        script.go().expect(peer.data(0, 0)).expectNothing();
        script.after(FLUSH_NS - 1).expectNothing();
        script.after(1).expect(peer.probe(0));
        script.after(PTO_NS - FLUSH_NS - 1).expectNothing();
    }

    @Test
    @Covers("R-LOSS-004")
    void aResendIsFlushedLikeAnyOtherSlot() {
        ScriptPeer peer = connected();
        post(2);
        script.after(2_000).expect(peer.data(0, 0), peer.data(0, 1));
        script.deliver(peer.ack(peer.block(0).cum(0).bits("01").echo(1)));
        script.expect(peer.data(0, 0).resent());
        script.after(20_000).expectAmong(peer.probe(0));
    }

    @Test
    @Covers({"R-LOSS-005", "R-LOSS-008"})
    void timeoutsProbeAndDoubleAndBringTheLowestSlotAlongFromTheFourthOn() {
        ScriptPeer peer = connected();
        post(2);
        script.after(2_000).forget();
        long last = latestSentNs();
        script.at(last + FLUSH_NS).expect(peer.probe(0));
        script.at(last + PTO_NS - 1).expectNothing();
        script.at(last + PTO_NS).expect(peer.probe(0)).expectNothing();
        script.at(last + 3 * PTO_NS - 1).expectNothing();
        script.at(last + 3 * PTO_NS).expect(peer.probe(0)).expectNothing();
        script.at(last + 7 * PTO_NS - 1).expectNothing();
        // From the third on another route is challenged as well.
        script.at(last + 7 * PTO_NS).expectAmong(peer.probe(0));
        script.at(last + 15 * PTO_NS - 1).forget();
        script.at(last + 15 * PTO_NS)
                .expectAmong(peer.probe(0))
                .expectAmong(peer.data(0, 0).resent());
        long resent = script.nowNs();
        script.at(resent + FLUSH_NS).expect(peer.probe(0));
        script.at(resent + 16 * PTO_NS - 1).forget();
        script.at(resent + 16 * PTO_NS)
                .expectAmong(peer.probe(0))
                .expectAmong(peer.data(0, 0).resent());
        // Evidence takes the back-off away.
        script.deliver(peer.ack(
                HINT, List.of(), peer.block(0).cum(0).bits("01").echo(1).ackDelay(0xFFFF)));
        assertThat(script.counters().get(Counter.PTO_EXPIRED)).isEqualTo(5);
        script.after(20 * PTO_NS);
        assertThat(script.counters().get(Counter.PTO_EXPIRED)).isBetween(7L, 9L);
    }

    @Test
    @Covers({"R-LOSS-008", "R-HEALTH-003"})
    void whenThePeerFallsSilentTheOnlyPathIsNotFailedAndGoesOnWhenItComesBack() {
        ScriptPeer peer = connected();
        post(3);
        script.after(2_000);
        script.after(5_000_000_000L);
        assertThat(script.counters().get(Counter.PATHS_SUSPECTED)).isZero();
        assertThat(script.counters().get(Counter.PATHS_REBOUND)).isZero();
        long before = script.counters().get(Counter.PTO_EXPIRED);
        script.after(1_000_000_000L);
        assertThat(script.counters().get(Counter.PTO_EXPIRED) - before).isBetween(4L, 6L); // the cap is 200 ms
        script.forget()
                .deliver(peer.ack(
                        HINT, List.of(), peer.block(0).cum(0).bits("011").echo(2)));
        script.deliver(peer.ack(
                HINT, List.of(ScriptPeer.update(0, 3, 0)), peer.block(0).cum(3).echo(0)));
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("0 SUCCESS", "1 SUCCESS", "2 SUCCESS");
    }

    @Test
    @Covers("R-ACK-011")
    void aMessageThatIsCompleteIsNotResentThoughNoBlockHasAcknowledgedIt() {
        ScriptPeer peer = connected();
        post(3);
        script.after(2_000).forget();
        script.deliver(peer.ack(HINT, List.of(ScriptPeer.update(0, 2, 0))));
        script.deliver(
                peer.ack(HINT, List.of(), peer.block(0).cum(0).bits("001").echo(2)));
        script.after(50_000);
        assertThat(resends()).isEmpty();
        assertThat(app.poll()).hasSize(2);
    }

    // ---- pause, size, class

    @Test
    @Covers("R-HINT-009")
    void underAPauseNothingLeavesNotEvenAResend() {
        ScriptPeer peer = connected();
        post(4);
        script.after(2_000).forget();
        script.deliver(peer.ack(
                Minifloat.HINT_PAUSE,
                List.of(),
                peer.block(0).cum(1).bits("011").echo(3)));
        post(1);
        int before = slotsSent() + resends().size();
        script.after(5_000);
        assertThat(slotsSent() + resends().size()).isLessThanOrEqualTo(before + 1); // taken before the hint came
        script.deliver(peer.ack(HINT, List.of()));
        script.after(5_000);
        assertThat(slotsSent()).isEqualTo(5);
    }

    @Test
    @Covers("R-HINT-009")
    void underAPauseProbesAskAgainOncePerHundredMicroseconds() {
        ScriptPeer peer = connected();
        post(1);
        script.after(2_000);
        script.deliver(peer.ack(HINT, List.of(), peer.block(0).cum(1).echo(0)));
        script.deliver(peer.ack(Minifloat.HINT_PAUSE, List.of()));
        post(2);
        script.forget();
        for (int i = 0; i < 20; i++) {
            script.after(50_000).deliver(peer.ack(Minifloat.HINT_PAUSE, List.of())); // it is meant
        }
        int probes = 0;
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Probe && sent.atNs() > script.nowNs() - 1_000_000) {
                probes++;
            }
        }
        assertThat(probes).isBetween(9, 11);
        assertThat(slotsSent()).isEqualTo(1);
        script.deliver(peer.ack(HINT, List.of()));
        script.after(10_000);
        assertThat(slotsSent()).isEqualTo(3);
    }

    @Test
    @Covers("R-HINT-009")
    void underAPauseNoTimeoutBringsASlotAlong() {
        ScriptPeer peer = connected();
        post(2);
        script.after(2_000);
        int before = slots().size();
        for (int i = 0; i < 200; i++) {
            script.deliver(peer.ack(Minifloat.HINT_PAUSE, List.of())).after(50_000);
        }
        assertThat(script.counters().get(Counter.PTO_EXPIRED)).isGreaterThan(4);
        assertThat(slots()).hasSize(before);
        script.deliver(peer.ack(HINT, List.of()));
        script.after(1_000_000);
        assertThat(resends()).isNotEmpty();
    }

    // ---- several planes

    @Test
    void whatWaitsForOnePlaneDoesNotHoldBackWhatGoesByAnother() {
        script = new Script(twoPaths(), 1, 2);
        app = script.app(0, 1 << 20, 64);
        ScriptPeer peer = connected();
        post(8);
        script.after(4_000);
        script.room(0b01);
        script.deliver(
                peer.ack(HINT, List.of(), peer.block(1).cum(0).bits("0001").echo(3)));
        post(8);
        script.forget().after(4_000);
        script.expectAmong(peer.data(0, 4), peer.data(0, 5));
        assertThat(resends()).isEmpty();
        script.room(0b11);
        assertThat(resends()).isNotEmpty();
    }

    @Test
    void aProbeLeavesAsSoonAsItsPlaneHasRoom() {
        script = new Script(twoPaths(), 1, 2);
        app = script.app(0, 1 << 20, 64);
        ScriptPeer peer = connected();
        post(2);
        script.after(2_000).expect(Script.any(PacketKind.DATA), Script.any(PacketKind.DATA));
        script.room(0b01).after(FLUSH_NS).expect(peer.probe(0)).expectNothing();
        script.room(0b11).expect(peer.probe(1));
    }

    @Test
    @Covers({"R-HDR-011", "R-HDR-013", "R-HDR-014"})
    void everyPacketFitsTheAgreedPayload() {
        ScriptPeer small = script.peer();
        small.parameters().maxPayload(1024);
        script.connect(small, app);
        app.post(0, WrOpcode.RDMA_WRITE, new Range(0, 10_000), new Remote(1, 0, 0));
        script.after(100_000);
        int payload = 0;
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Write write) {
                assertThat(write.payload().length()).isIn(1024, 10_000 % 1024);
                payload += (write.header().flags() & BaseHeader.R) == 0
                        ? write.payload().length()
                        : 0;
                assertThat(sent.bytes().capacity()).isLessThanOrEqualTo(1024 + 56);
            } else {
                assertThat(sent.bytes().capacity()).isLessThanOrEqualTo(1500 - 28);
            }
        }
        assertThat(payload).isEqualTo(10_000);
    }

    // ---- the small print

    private ScriptPeer connected() {
        ScriptPeer peer = script.connect(app);
        script.ignore(PacketKind.ACK).after(100_000).forget(); // credits are told twice
        return peer;
    }

    private int posted;

    private void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.poll();
            app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, P), new Remote(1, 0, 0));
        }
    }

    private static Packet.Ack ack(Packet.Header header, int hint, Packet.Block... blocks) {
        return new Packet.Ack(header, hint, 1, 0, 0, List.of(blocks), List.of(), List.of());
    }

    private static ScriptPeer.Crafted ack(ScriptPeer peer, Packet.Header header, int hint, Packet.Block... blocks) {
        return peer.craft(ack(header, hint, blocks));
    }

    private static int stamp(ScriptPeer peer, int index) {
        return peer.latest(0, index).packet().header().txStamp();
    }

    private PathView path(ScriptPeer peer) {
        return Objects.requireNonNull(script.endpoint().view(peer.connectionId()))
                .paths()
                .get(0);
    }

    private static Script.Expected opcode(int opcode) {
        return new Script.Expected() {
            @Override
            public boolean fits(Sent sent) {
                return sent.packet().opcode() == opcode;
            }

            @Override
            public String text() {
                return "a " + Opcode.name(opcode);
            }
        };
    }

    private long view(ScriptPeer peer) {
        return Objects.requireNonNull(script.endpoint().view(peer.connectionId()))
                .hintBytesPerSecond();
    }

    private long latestSentNs() {
        List<Sent> slots = slots();
        return slots.get(slots.size() - 1).atNs();
    }

    private int slotsSent() {
        return slots().size() - resends().size();
    }

    private List<Sent> resends() {
        List<Sent> resends = new ArrayList<>(slots());
        resends.removeIf(sent -> (sent.packet().header().flags() & BaseHeader.R) == 0);
        return resends;
    }

    private List<Sent> slots() {
        List<Sent> slots = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (Opcode.isSlot(sent.packet().opcode())) {
                slots.add(sent);
            }
        }
        return slots;
    }

    private void assertStampsGrow() {
        List<Sent> slots = slots();
        for (int i = 1; i < slots.size(); i++) {
            int before = slots.get(i - 1).packet().header().txStamp();
            assertThat(Serial32.isAfter(slots.get(i).packet().header().txStamp(), before))
                    .isTrue();
        }
    }

    private static EndpointConfig twoPaths() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(2));
    }

    private static EndpointConfig onePath() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(1));
    }
}

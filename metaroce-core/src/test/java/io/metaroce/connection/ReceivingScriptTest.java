package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.datagram.Address;
import io.metaroce.datagram.Datagram;
import io.metaroce.datagram.Ecn;
import io.metaroce.num.SplitMix64;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.param.StreamError;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.sim.ScriptPeer.Crafted;
import io.metaroce.trace.Counter;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.AckHeader;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.PathBlock;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import io.metaroce.wire.model.PacketCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the endpoint makes of slots and probes of a peer, seen in its reports. One byte of payload per slot. */
class ReceivingScriptTest {
    private static final long S = 1_000_000_000L;
    private static final long ACK_DELAY_NS = 1_000;
    private static final int PAYLOAD_BYTE = 0x5A;
    private final EndpointConfig config = Profiles.model();
    private final Script script = new Script(config, 1);
    private final App app = script.app(0, 1 << 16, 16);
    private final ScriptPeer peer = script.connect(app);

    @BeforeEach
    void settle() {
        script.after(10_000).forget();
    }

    // ---- when

    @Test
    @Covers("R-ACK-001")
    void everyPacketThatOpensAHoleIsAcknowledgedAtOnce() {
        slots(0, 1);
        settle();
        script.deliver(slot(3));
        assertThat(onlyBlock().bitmap()).containsExactly(0b10L);
        script.deliver(slot(4)).expectNothing();
        script.deliver(slot(7)); // a second hole above the first
        assertThat(onlyBlock().bitmap()).containsExactly(0b100110L);
        script.deliver(slot(2)).expectNothing(); // filling one is ordinary
    }

    @Test
    @Covers("R-ACK-002")
    void aPacketThatAsksIsAcknowledgedAtOnce() {
        slots(0);
        settle();
        script.deliver(peer.craft(write(peer.slotHeader(0, 1, BaseHeader.A), 1)));
        assertThat(onlyBlock().cumPsn()).isEqualTo(peer.ownPsn(0, 2));
    }

    @Test
    @Covers({"R-ACK-002", "R-PATH-005", "R-MEM-001"})
    void aDuplicateIsCountedAcknowledgedAndNotPlaced() {
        slots(0, 1);
        settle();
        app.memory().put(0, (byte) 1);
        app.memory().put(1, (byte) 1);
        script.deliver(slot(0));
        Packet.Block block = onlyBlock();
        assertThat(block.duplicates()).isEqualTo(1);
        assertThat(block.cumPsn()).isEqualTo(peer.ownPsn(0, 2));
        assertThat(block.rxPackets()).isEqualTo(3);
        assertThat(app.memory().get(0)).isEqualTo((byte) 1);
        assertThat(script.counters().get(Counter.RX_DUPLICATES)).isEqualTo(1);
        script.deliver(slot(3));
        onlyBlock();
        app.memory().put(3, (byte) 1);
        script.deliver(slot(3)); // a bit of the bitmap this time
        assertThat(onlyBlock().duplicates()).isEqualTo(2);
        assertThat(app.memory().get(3)).isEqualTo((byte) 1);
    }

    @Test
    @Covers("R-ERR-004")
    void whoGoesOnSendingBeyondTheWindowLosesTheConnection() {
        slots(0);
        settle();
        for (int i = 0; i < 63; i++) {
            script.deliver(slot(257 + i));
        }
        assertThat(script.events()).containsExactly("established");
        script.deliver(slot(257));
        assertThat(script.events()).last().isEqualTo("closed PROTOCOL_ERROR");
        assertThat(script.history())
                .anyMatch(sent -> sent.packet() instanceof Packet.Close close
                        && close.code() == 0x100 + StreamError.WINDOW.code());
    }

    @Test
    @Covers({"R-ACK-002", "R-PATH-004"})
    void aSlotBeyondTheWindowIsDroppedReportedAndNotPlaced() {
        slots(0);
        settle();
        script.deliver(slot(257)); // the window ends before 1 + 256
        Packet.Block block = onlyBlock();
        assertThat(block.flags() & PathBlock.OUT_OF_WINDOW).isNotZero();
        assertThat(block.bitmap()).isEmpty();
        assertThat(block.rxPackets()).isEqualTo(1);
        assertThat(app.memory().get(257)).isZero();
        assertThat(script.counters().get(DropReason.WINDOW)).isEqualTo(1);
        script.deliver(slot(256)); // the last one inside
        assertThat(onlyBlock().bitmap()).hasSize(4);
        assertThat(app.memory().get(256)).isEqualTo((byte) PAYLOAD_BYTE);
    }

    @Test
    @Covers("R-ACK-002")
    void aChangeOfTheMarkIsAcknowledgedAtOnceBothWays() {
        slots(0);
        settle();
        script.deliver(slot(1).marked());
        Packet.Block marked = onlyBlock();
        assertThat(marked.cePackets()).isEqualTo(1);
        assertThat(marked.flags() & PathBlock.MARKED).isNotZero();
        script.deliver(slot(2).marked()).expectNothing();
        script.deliver(slot(3));
        assertThat(onlyBlock().cePackets()).isEqualTo(2);
    }

    @Test
    @Covers("R-ACK-002")
    void theFirstPacketOfAnEpochIsAcknowledgedAtOnce() {
        slots(0);
        settle();
        Packet.Header header = peer.slotHeader(0, 1, 0);
        script.deliver(
                peer.craft(write(new Packet.Header(0, 0, 7, header.dstConnId(), header.psn(), header.txStamp()), 1)));
        assertThat(onlyBlock().epoch()).isEqualTo(7);
    }

    @Test
    @Covers("R-ACK-002")
    void everyProbeIsAnsweredAtOnce() {
        slots(0);
        settle();
        Packet.Header header = peer.slotHeader(0, 1, 0);
        script.deliver(probe(header, ProbeHeader.IN_PATH, 0));
        Packet.Ack ack = onlyAck();
        assertThat(ack.ackFlags()).isEqualTo(AckHeader.PROBE_ANSWER);
        Packet.Block block = ack.pathBlocks().get(0);
        assertThat(block.echoStamp()).isEqualTo(header.txStamp());
        assertThat(block.rxPackets()).isEqualTo(2);
        assertThat(block.cumPsn()).isEqualTo(peer.ownPsn(0, 1)); // a probe is no slot
    }

    @Test
    @Covers("R-PATH-022")
    void aChallengeIsEchoedAndChangesNoPath() {
        slots(0);
        script.after(10_000).deliver(slot(1));
        script.after(10_000).forget();
        script.deliver(probe(peer.slotHeader(0, 2, 0), ProbeHeader.CHALLENGE, 0x1122_3344_5566_7788L));
        Packet.Ack ack = onlyAck();
        assertThat(ack.ackFlags()).isEqualTo(AckHeader.PROBE_ANSWER);
        assertThat(ack.options()).hasSize(1);
        assertThat(ack.options().get(0).value()).isEqualTo(Bytes.ofHex("00001122334455667788"));
        script.deliver(probe(peer.slotHeader(5, 0, 0), ProbeHeader.CHALLENGE, 1)); // a path never used
        script.after(10_000).forget();
        script.deliver(slot(2)).after(ACK_DELAY_NS);
        Packet.Block block = onlyBlock();
        assertThat(block.rxPackets()).isEqualTo(3);
        assertThat(block.epoch()).isZero();
    }

    @Test
    @Covers("R-ACK-003")
    void anOrdinaryPacketIsAcknowledgedAfterTheLongestDelay() {
        slots(0);
        settle();
        script.deliver(slot(1)).expectNothing();
        script.after(ACK_DELAY_NS - 1).expectNothing();
        script.after(1);
        assertThat(onlyBlock().cumPsn()).isEqualTo(peer.ownPsn(0, 2));
    }

    @Test
    @Covers("R-ACK-003")
    void aFourthOrdinaryPacketIsAcknowledgedAtOnce() {
        slots(0);
        settle();
        script.deliver(slot(1)).deliver(slot(2)).deliver(slot(3)).expectNothing();
        script.deliver(slot(4));
        assertThat(onlyBlock().cumPsn()).isEqualTo(peer.ownPsn(0, 5));
    }

    @Test
    @Covers("R-ACK-004")
    void nothingDrawsMoreThanOneAcknowledgementAndAnAcknowledgementDrawsNone() {
        int delivered = 0;
        for (int i = 0; i < 40; i++) {
            script.deliver(peer.craft(write(peer.slotHeader(0, i % 13, BaseHeader.A), i % 13)));
            delivered++;
            assertThat(acks()).hasSizeLessThanOrEqualTo(delivered);
        }
        script.after(S);
        assertThat(acks()).hasSizeLessThanOrEqualTo(delivered);
        int before = script.history().size();
        for (int i = 0; i < 20; i++) {
            script.deliver(peer.ack());
        }
        script.after(100_000);
        assertThat(script.history()).hasSize(before);
    }

    // ---- what

    @Test
    @Covers({"R-PATH-012", "R-PATH-013"})
    void aSlotOfAnyEpochIsTakenAndOnlyALaterStampIsEchoed() {
        slots(0);
        Packet.Header late = peer.slotHeader(0, 1, 0);
        Packet.Header newer = peer.slotHeader(0, 2, 0);
        script.after(10_000).forget();
        script.deliver(peer.craft(write(epoch(newer, 3), 2)));
        Packet.Block block = onlyBlock();
        assertThat(block.epoch()).isEqualTo(3);
        script.deliver(peer.craft(write(epoch(late, 2), 1))).after(ACK_DELAY_NS);
        block = onlyBlock();
        assertThat(block.cumPsn()).isEqualTo(peer.ownPsn(0, 3));
        assertThat(block.echoStamp()).isEqualTo(newer.txStamp());
        assertThat(block.epoch()).isEqualTo(3);
        assertThat(app.memory().get(1)).isEqualTo((byte) PAYLOAD_BYTE);
        script.deliver(peer.craft(write(epoch(late, 2), 1)));
        assertThat(onlyBlock().duplicates()).isEqualTo(1);
    }

    @Test
    @Covers({"R-SACK-002", "R-SACK-003"})
    void whatIsReportedIsInMemoryAndStaysReported() {
        SplitMix64 random = new SplitMix64(4);
        boolean[] reported = new boolean[400];
        int last = 0;
        for (int i = 0; i < 600; i++) {
            int index = Math.min(last + random.nextInt(40), 399);
            script.deliver(peer.craft(write(peer.slotHeader(0, index, BaseHeader.A), index)));
            Packet.Block block = lastAck().pathBlocks().get(0);
            last = block.cumPsn() - peer.ownPsn(0, 0);
            for (int slot = 0; slot < reported.length; slot++) {
                int ahead = slot - last;
                boolean told = ahead < 0
                        || (ahead < 64 * block.bitmap().size()
                                && ((block.bitmap().get(ahead / 64) >>> (ahead % 64)) & 1) != 0);
                assertThat(reported[slot] && !told).isFalse();
                assertThat(told && app.memory().get(slot) != PAYLOAD_BYTE).isFalse();
                reported[slot] = told;
            }
        }
        assertThat(last).isGreaterThan(100);
    }

    @Test
    @Covers("R-PATH-019")
    void afterSixteenSecondsAnyStampIsEchoed() {
        slots(0);
        int stamp = peer.slotHeader(0, 1, 0).txStamp() - 1_000_000;
        script.after(16 * S).forget();
        Packet.Header old = new Packet.Header(0, 0, 9, peer.theirConnId(), peer.ownPsn(0, 1), stamp);
        script.deliver(peer.craft(write(old, 1)));
        Packet.Block block = lastAck().pathBlocks().get(0);
        assertThat(block.echoStamp()).isEqualTo(stamp);
        assertThat(block.epoch()).isEqualTo(9);
    }

    @Test
    @Covers({"R-ACK-008", "R-ACK-005"})
    void whatIsNewIsToldTwice() {
        script.deliver(slot(0));
        assertThat(onlyAck().pathBlocks()).hasSize(1);
        script.deliver(probe(peer.slotHeader(1, 0, 0), ProbeHeader.IN_PATH, 0));
        assertThat(onlyAck().pathBlocks()).extracting(Packet.Block::pathId).containsExactlyInAnyOrder(0, 1);
        script.deliver(probe(peer.slotHeader(2, 0, 0), ProbeHeader.IN_PATH, 0));
        Packet.Ack ack = onlyAck();
        assertThat(ack.pathBlocks()).extracting(Packet.Block::pathId).containsExactlyInAnyOrder(1, 2);
        assertThat(ack.planeUp()).isEqualTo(1);
        assertThat(ack.rateHint()).isNotZero();
    }

    @Test
    void bytesReceivedAreToldInUnitsOf64() {
        for (int i = 0; i < 200; i++) {
            script.deliver(slot(i));
        }
        script.after(10_000);
        assertThat(lastAck().rxBytes()).isEqualTo(200 / 64);
    }

    // ---- from whom, and what is no packet

    @Test
    @Covers("R-HDR-009")
    void aPacketIsTakenFromAnyAddress() {
        byte[] bytes = new PacketCodec().encode(slot(0).packet(), slot(0).seed());
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(0, bytes);
        Address stranger = Address.ipv4(0xC0000201, 999);
        script.endpoint()
                .onDatagram(script.nowNs(), new Datagram().set(buffer, 0, bytes.length, 0, Ecn.ECT_0, () -> stranger));
        script.after(ACK_DELAY_NS);
        assertThat(app.memory().get(0)).isEqualTo((byte) PAYLOAD_BYTE);
        Sent ack = script.take(Script.any(PacketKind.ACK));
        assertThat(ack.route().remote()).isNotEqualTo(stranger);
    }

    @Test
    @Covers({"R-HDR-012", "R-OBS-003"})
    void anUnknownOpcodeBelow0x80IsRefusedByNakAndOneAboveIsNot() {
        script.deliver(withOpcode(0x2F), 0, Ecn.ECT_0).after(10_000);
        Packet.Nak nak =
                (Packet.Nak) script.take(Script.any(PacketKind.CONTROL)).packet();
        assertThat(nak.code()).isEqualTo(0x06);
        assertThat(nak.slotPsn()).isEqualTo(peer.ownPsn(0, 0));
        script.expectNothing();
        script.deliver(withOpcode(0x9F), 0, Ecn.ECT_0).after(10_000).expectNothing();
        assertThat(script.counters().get(DropReason.OPCODE)).isEqualTo(2);
        assertThat(script.counters().dropsTotal()).isEqualTo(2);
    }

    @Test
    @Covers("R-HDR-005")
    void anUnknownCriticalOptionLeavesTheSlotUnconsumed() {
        Packet.Header header = peer.slotHeader(0, 0, BaseHeader.X);
        Packet.Option unknown = new Packet.Option(0xC1, Bytes.ofHex("0000"));
        script.deliver(peer.craft(new Packet.Write(
                header, message(0), app.region().key(), 1, App.BASE, List.of(unknown), Bytes.of(new byte[] {PAYLOAD_BYTE
                }))));
        script.after(10_000);
        assertThat(app.memory().get(0)).isZero();
        Packet.Nak nak =
                (Packet.Nak) script.take(Script.any(PacketKind.CONTROL)).packet();
        assertThat(nak.code()).isEqualTo(0x06);
        assertThat(script.counters().get(DropReason.TLV_CRITICAL)).isEqualTo(1);
        script.deliver(slot(0)).after(10_000);
        assertThat(app.memory().get(0)).isEqualTo((byte) PAYLOAD_BYTE);
        assertThat(lastAck().pathBlocks().get(0).duplicates()).isZero();
    }

    @Test
    @Covers("R-HDR-004")
    void anUnknownOptionThatIsNotCriticalIsSkipped() {
        Packet.Option unknown = new Packet.Option(0x41, Bytes.ofHex("0000"));
        script.deliver(peer.craft(new Packet.Write(
                peer.slotHeader(0, 0, BaseHeader.X),
                message(0),
                app.region().key(),
                1,
                App.BASE,
                List.of(unknown),
                Bytes.of(new byte[] {PAYLOAD_BYTE}))));
        assertThat(app.memory().get(0)).isEqualTo((byte) PAYLOAD_BYTE);
        assertThat(script.counters().dropsTotal()).isZero();
    }

    @Test
    @Covers({"R-HDR-007", "R-OBS-003"})
    void aPacketWithAWrongTrailerChangesNothingButACounter() {
        Crafted wrong = new Crafted(slot(0).packet(), slot(0).seed() ^ 1, 0, Ecn.ECT_0);
        script.deliver(wrong).after(10_000).expectNothing();
        assertThat(app.memory().get(0)).isZero();
        assertThat(script.counters().get(DropReason.INTEGRITY)).isEqualTo(1);
        assertThat(script.counters().dropsTotal()).isEqualTo(1);
    }

    @Test
    @Covers("R-ERR-001")
    void aPathThatWasNotAgreedEndsTheConnection() {
        script.deliver(peer.craft(write(new Packet.Header(0, 254, 0, peer.theirConnId(), 0, 1), 0)));
        Packet.Close close =
                (Packet.Close) script.take(Script.any(PacketKind.SETUP)).packet();
        assertThat(close.code()).isEqualTo(0x109);
        assertThat(close.closeFlags()).isEqualTo(0x80);
        assertThat(script.events()).last().isEqualTo("closed PROTOCOL_ERROR");
        assertThat(script.counters().get(DropReason.PROTOCOL)).isEqualTo(1);
    }

    // ---- the small print

    @Test
    @Covers("R-HINT-013")
    void whatComesBeyondTwiceTheShareForLongIsDroppedAsTheNetworkMight() {
        Script slow = new Script(config.withRate(config.rate().withLineRate(1_000_000_000L, 4_000_000)), 1);
        App target = slow.app(0, 1 << 16, 16);
        ScriptPeer eager = slow.connect(target);
        slow.after(10_000);
        int sent = 200;
        for (int i = 0; i < sent; i++) {
            Packet.Header header = eager.slotHeader(0, i, 0);
            slow.after(1_000)
                    .deliver(eager.craft(new Packet.Write(
                            header, message(i), target.region().key(), 1, App.BASE + i, List.of(), Bytes.of(new byte[] {
                                PAYLOAD_BYTE
                            }))));
        }
        assertThat(slow.counters().get(Counter.SENDERS_POLICED)).isEqualTo(1);
        assertThat(slow.counters().get(DropReason.POLICED)).isBetween(sent / 4L, (long) sent);
        assertThat(slow.counters().get(Counter.RX_SLOTS)).isGreaterThan(80);
    }

    private void slots(int... indices) {
        for (int index : indices) {
            script.deliver(slot(index));
        }
    }

    private Crafted slot(int index) {
        return peer.craft(write(peer.slotHeader(0, index, 0), index));
    }

    // A write of one byte to the address that is the number of its slot; every slot is a message of its own.
    private Packet write(Packet.Header header, int index) {
        return new Packet.Write(
                header, message(index), app.region().key(), 1, App.BASE + index, List.of(), Bytes.of(new byte[] {
                    PAYLOAD_BYTE
                }));
    }

    private static Packet.Message message(int msn) {
        int demand = 0x40; // more is to come, so that complete messages are nothing urgent
        return new Packet.Message(0, 0, 0, demand, msn, 0);
    }

    private Crafted probe(Packet.Header header, int flags, long challenge) {
        return peer.craft(new Packet.Probe(header, flags, 0, challenge, List.of(), 0));
    }

    private static Packet.Header epoch(Packet.Header header, int epoch) {
        return new Packet.Header(
                header.flags(), header.pathId(), epoch, header.dstConnId(), header.psn(), header.txStamp());
    }

    private byte[] withOpcode(int opcode) {
        byte[] bytes = new PacketCodec().encode(slot(0).packet(), slot(0).seed());
        bytes[1] = (byte) opcode;
        return Sealed.again(bytes, slot(0).seed());
    }

    private List<Packet.Ack> acks() {
        List<Packet.Ack> acks = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.Ack ack) {
                acks.add(ack);
            }
        }
        return acks;
    }

    private Packet.Ack lastAck() {
        List<Packet.Ack> acks = acks();
        return acks.get(acks.size() - 1);
    }

    private Packet.Ack onlyAck() {
        Packet.Ack ack = (Packet.Ack) script.take(Script.any(PacketKind.ACK)).packet();
        script.expectNothing();
        return ack;
    }

    private Packet.Block onlyBlock() {
        List<Packet.Block> blocks = onlyAck().pathBlocks();
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }
}

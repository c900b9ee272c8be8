package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import io.metaroce.param.Reception;
import io.metaroce.sim.App;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.sim.ScriptPeer.Crafted;
import io.metaroce.wire.model.Bytes;
import io.metaroce.wire.model.Packet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports of an endpoint that reads its packets through several queues. */
class SeveralQueuesScriptTest {
    private static final int MORE_TO_COME = 0x40;

    private final Script script = new Script(Profiles.model(), 1, 1, Reception.USUAL.through(Reception.Queues.SEVERAL));
    private final App app = script.app(0, 1 << 16, 16);
    private final ScriptPeer peer = script.connect(app);

    @BeforeEach
    void settle() {
        script.passEnd().passEnd().after(10_000).passEnd().passEnd().forget();
    }

    @Test
    @Covers("R-ACK-013")
    void aGapThatTheNextPassFillsIsNoLoss() {
        Crafted older = slot(0);
        Crafted newer = slot(1);
        script.deliver(newer).expectNothing();
        script.passEnd().expectNothing();
        script.deliver(older).expectNothing(); // lay in another queue
        script.passEnd();
        Packet.Block block = onlyBlock();
        assertThat(block.cumPsn()).isEqualTo(peer.ownPsn(0, 2));
        assertThat(block.echoStamp()).isEqualTo(stampOf(newer));
    }

    @Test
    @Covers("R-ACK-013")
    void whatHasComeIsToldBeforeItsStamp() {
        Crafted first = slot(1);
        Crafted second = slot(3);
        script.deliver(first).passEnd().expectNothing();
        script.deliver(second).passEnd();
        Packet.Block block = onlyBlock();
        assertThat(block.bitmap()).as("both have come").containsExactly(0b1010L);
        assertThat(block.echoStamp()).as("the second is still in doubt").isEqualTo(stampOf(first));
        script.passEnd();
        assertThat(onlyBlock().echoStamp()).isEqualTo(stampOf(second));
        script.passEnd().passEnd().expectNothing();
    }

    @Test
    @Covers("R-ACK-013")
    void aPathWithoutAStampToTellIsLeftOut() {
        script.deliver(slot(0, 1, 0)).passEnd();
        script.deliver(slot(1, 1, 1)).passEnd();
        assertThat(onlyBlock().pathId()).isZero();
        script.passEnd();
        assertThat(onlyBlocks()).extracting(Packet.Block::pathId).contains(1);
    }

    private Crafted slot(int index) {
        return slot(0, index, index);
    }

    private Crafted slot(int path, int index, int msn) {
        Packet.Message message = new Packet.Message(0, 0, 0, MORE_TO_COME, msn, 0);
        return peer.craft(new Packet.Write(
                peer.slotHeader(path, index, 0),
                message,
                app.region().key(),
                1,
                App.BASE + msn,
                List.of(),
                Bytes.of(new byte[] {1})));
    }

    private static int stampOf(Crafted packet) {
        return packet.packet().header().txStamp();
    }

    private Packet.Block onlyBlock() {
        List<Packet.Block> blocks = onlyBlocks();
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }

    private List<Packet.Block> onlyBlocks() {
        Sent sent = script.take(Script.any(PacketKind.ACK));
        script.expectNothing();
        return ((Packet.Ack) sent.packet()).pathBlocks();
    }
}

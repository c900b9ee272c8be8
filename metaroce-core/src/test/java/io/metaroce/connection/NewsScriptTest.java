package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.trace.DropReason;
import io.metaroce.wire.ProbeHeader;
import io.metaroce.wire.model.Packet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** News of all kinds that comes too late or does not fit, what is asked for, and what an end gives back. */
class NewsScriptTest {
    private final Script script = new Script(Profiles.model(), 1, 2);
    private final App first = script.app(0, 1 << 20, 256);
    private final App second = script.app(5, 1 << 20, 256);
    private final ScriptPeer peer = script.connect(first, second);

    @Test
    @Covers("R-ACK-006")
    void newsWithANumberFarFromTheNewestIsNone() {
        Packet.Header far = new Packet.Header(0, 0, 0, peer.theirConnId(), 1 << 21, 0);
        List<Packet> late = List.of(
                new Packet.PlaneStatus(far, 0b01, 0b10, List.of()),
                new Packet.Credit(far, List.of(ScriptPeer.update(0, 0, 0)), List.of()),
                new Packet.StreamStatus(far, List.of(ScriptPeer.update(0, 0, 0)), List.of()));
        for (Packet packet : late) {
            long before = script.counters().get(DropReason.STALE_REPORT);
            script.deliver(peer.craft(packet));
            assertThat(script.counters().get(DropReason.STALE_REPORT)).isEqualTo(before + 1);
        }
        post();
        script.after(100_000);
        assertThat(script.history())
                .as("nobody believed it")
                .anyMatch(sent -> sent.route().plane() == 1);
    }

    @Test
    void aQuestionOnAPathThatIsNoneIsDropped() {
        long before = script.counters().get(DropReason.PROTOCOL);
        script.deliver(
                peer.craft(new Packet.Probe(peer.slotHeader(254, 0, 0), ProbeHeader.IN_PATH, 0, 0, List.of(), 0)));
        assertThat(script.counters().get(DropReason.PROTOCOL)).isEqualTo(before + 1);
    }

    @Test
    void everyStreamThatIsAskedForIsAnswered() {
        script.after(100_000).forget();
        script.deliver(peer.craft(new Packet.StreamQuery(
                peer.reportHeader(), List.of(new Packet.StreamEntry(5), new Packet.StreamEntry(0)), List.of())));
        List<Integer> answered = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (sent.packet() instanceof Packet.StreamStatus status) {
                status.streamUpdates().forEach(update -> answered.add(update.streamId()));
            }
        }
        assertThat(answered).contains(0, 5);
    }

    @Test
    void whatEndsGivesItsSlotsBackAndLeavesItsPeer() {
        int slots = Profiles.model().limits().slots();
        for (int i = 0; i < 20; i++) {
            post();
        }
        script.after(1_000);
        assertThat(script.endpoint().freeSlots()).isLessThan(slots);
        script.endpoint().abort(script.nowNs(), peer.connectionId());
        script.go();
        assertThat(script.endpoint().freeSlots()).isEqualTo(slots);
    }

    private void post() {
        first.post(1, WrOpcode.RDMA_WRITE, new App.Range(0, 4096), new App.Remote(1, 0, 0));
    }
}

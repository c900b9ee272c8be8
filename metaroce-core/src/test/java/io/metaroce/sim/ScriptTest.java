package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The script language, shown on the engine. */
class ScriptTest {
    private static final int P = 4096;
    private final Script script = new Script(onePath(), 1);
    private final App app = script.app(0, 1 << 20, 16);

    @Test
    @Covers({"R-LOSS-001", "R-LOSS-002", "R-PATH-007"})
    void aGapIsResentOnItsPathAtOnceAndNothingElse() {
        ScriptPeer peer = connected();
        script.expect(peer.data(0, 0), peer.data(0, 1), peer.data(0, 2), peer.data(0, 3))
                .expectNothing();
        script.after(8_000).deliver(peer.ack(peer.block(0).cum(1).bits("011").echo(3)));
        script.expect(peer.data(0, 1).resent());
        assertThat(peer.latest(0, 1).packet().header().txStamp())
                .isGreaterThan(peer.latest(0, 3).packet().header().txStamp());
        script.expectNothing();
    }

    @Test
    void workCompletesByTheStreamUpdate() {
        ScriptPeer peer = connected();
        script.after(10_000).deliver(peer.ack(peer.block(0).cum(4).echo(3)));
        assertThat(app.poll()).isEmpty();
        script.deliver(peer.ack(0, List.of(ScriptPeer.update(0, 1, 0))));
        assertThat(app.poll()).extracting(App.Done::brief).containsExactly("77 SUCCESS");
    }

    @Test
    void whatWasNotSentIsSaidWithWhatWas() {
        ScriptPeer peer = connected();
        assertThatThrownBy(() -> script.expect(peer.data(0, 1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("slot 1 of path 0")
                .hasMessageContaining("WRITE");
        assertThatThrownBy(script::expectNothing).hasMessageContaining("unseen");
    }

    @Test
    void aPlaneWithoutRoomHoldsDataBack() {
        ScriptPeer peer = script.connect(app);
        script.ignore(PacketKind.CONTROL).room(0);
        app.post(77, WrOpcode.RDMA_WRITE, new Range(0, P), new Remote(1, 0, 0));
        script.go().expectNothing();
        script.room(1).expect(peer.data(0, 0));
    }

    private ScriptPeer connected() {
        ScriptPeer peer = script.connect(app);
        script.ignore(PacketKind.CONTROL);
        app.post(77, WrOpcode.RDMA_WRITE, new Range(0, 4 * P), new Remote(1, 0, 0));
        script.after(2_000); // pacing
        return peer;
    }

    private static EndpointConfig onePath() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(1));
    }
}

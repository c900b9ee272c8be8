package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.num.Minifloat;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.PacketKind;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.BaseHeader;
import io.metaroce.wire.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which slots ask to be acknowledged at once, on one path whose route never changes. */
class AskingScriptTest {
    private static final int P = 4096;
    private static final int PACKETS = 60; // more than fill the first window
    private static final int HINT = Minifloat.encodeHint(40_000_000_000L);

    private final Script script = new Script(onePath(), 1);
    private final App app = script.app(0, 1 << 20, 1024);
    private final ScriptPeer peer = connected();

    @Test
    @Covers("R-ACK-016")
    void theSlotThatFillsTheFirstWindowAsksAndNoOther() {
        post(PACKETS);
        List<Boolean> asks = slots();
        assertThat(asks).hasSizeBetween(4, PACKETS - 1);
        assertThat(asks.indexOf(true)).isEqualTo(asks.size() - 1);
    }

    @Test
    @Covers("R-ACK-016")
    void onceSomethingIsHeardNoSlotAsks() {
        post(PACKETS);
        int first = slots().size();
        for (int heard = 1; slots().size() < PACKETS; heard++) {
            script.deliver(peer.ack(HINT, List.of(), peer.block(0).cum(heard).echo(heard - 1)));
            script.after(1_000);
        }
        assertThat(slots().subList(first, PACKETS)).doesNotContain(true);
    }

    @Test
    @Covers("R-ACK-016")
    void aBurstThatEndsWithinTheWindowDoesNotAsk() {
        post(3);
        assertThat(slots()).hasSize(3).doesNotContain(true);
    }

    private void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.post(i, WrOpcode.RDMA_WRITE, new Range(0, P), new Remote(1, 0, 0));
        }
        script.after(12_000); // paced, the first window takes 8 us
    }

    /** Whether each slot sent so far asked. */
    private List<Boolean> slots() {
        List<Boolean> asks = new ArrayList<>();
        for (Sent sent : script.history()) {
            if (Opcode.isSlot(sent.packet().opcode())) {
                asks.add((sent.packet().header().flags() & BaseHeader.A) != 0);
            }
        }
        return asks;
    }

    private ScriptPeer connected() {
        ScriptPeer made = script.connect(app);
        script.ignore(PacketKind.ACK).after(100_000).forget();
        return made;
    }

    private static EndpointConfig onePath() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(1));
    }
}

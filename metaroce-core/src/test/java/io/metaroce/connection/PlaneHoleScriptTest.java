package io.metaroce.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.param.Profiles;
import io.metaroce.queue.WrOpcode;
import io.metaroce.sim.Addressing;
import io.metaroce.sim.App;
import io.metaroce.sim.App.Range;
import io.metaroce.sim.App.Remote;
import io.metaroce.sim.Script;
import io.metaroce.sim.Script.Sent;
import io.metaroce.sim.ScriptPeer;
import io.metaroce.wire.ConnectParameters.PlaneAddress;
import io.metaroce.wire.Opcode;
import io.metaroce.wire.model.Packet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An endpoint on planes 0, 1 and 2, and a peer that has 0, 2 and 7. */
class PlaneHoleScriptTest {
    private static final long RTT_NS = 10_000;
    private static final int[] COMMON = {0, 2};
    private final Script script = new Script(sixPaths(), 4, 3);
    private final App app = script.app(0, 1 << 20, 256);
    private ScriptPeer peer = script.peer();
    private int posted;

    @BeforeEach
    void connect() {
        peer.parameters().planes(List.of(at(7), at(2), at(0)));
        peer = script.connect(peer, app);
        script.after(10 * RTT_NS);
        post(40);
    }

    @Test
    @Covers({"R-PLANE-008", "R-HDR-010"})
    void planesOfBothCarryAlikeAndTheOneBetweenThemCarriesNothing() {
        for (int plane : COMMON) {
            assertThat(slotsOn(plane)).as("plane %d", plane).isPositive();
            assertThat(script.history())
                    .filteredOn(sent -> isSlot(sent) && sent.route().plane() == plane)
                    .allMatch(sent -> sent.route().remote().equals(at(plane).address()));
        }
        assertThat(Math.abs(slotsOn(0) - slotsOn(2))).isLessThanOrEqualTo(8);
        assertThat(script.history()).noneMatch(sent -> sent.route().plane() == 1);
    }

    @Test
    @Covers({"R-PLANE-008", "R-PLANE-003"})
    void theHigherOfThemMayBeLostAndTheOneBetweenAsWell() {
        script.endpoint().planeDown(script.nowNs(), 1);
        script.deliver(peer.craft(new Packet.PlaneStatus(peer.reportHeader(), 0b1000_0001, 0b100, List.of())));
        int before = slotsOn(0);
        int sent = script.history().size();
        post(40);
        script.after(10 * RTT_NS);
        assertThat(slotsOn(0)).isGreaterThan(before);
        List<Sent> since = script.history().subList(sent, script.history().size());
        assertThat(since).allMatch(one -> one.route().plane() == 0);
    }

    private void post(int messages) {
        for (int i = 0; i < messages; i++) {
            app.post(posted++, WrOpcode.RDMA_WRITE, new Range(0, 100), new Remote(1, 0, 0));
        }
        script.go();
    }

    private int slotsOn(int plane) {
        return (int) script.history().stream()
                .filter(sent -> isSlot(sent) && sent.route().plane() == plane)
                .count();
    }

    private static boolean isSlot(Sent sent) {
        return Opcode.isSlot(sent.packet().opcode());
    }

    private static PlaneAddress at(int plane) {
        return new PlaneAddress(plane, Addressing.of(plane, Script.PEER_NODE));
    }

    private static EndpointConfig sixPaths() {
        EndpointConfig config = Profiles.model();
        return config.withPath(config.path().withPaths(6));
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WrOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two connections between two hosts on two planes. One asks for a lost plane on behalf of both; then it is closed. */
class PlaneHeirSimTest {
    private static final int MESSAGE_BYTES = 1 << 16;
    private static final int MESSAGES_MAX = 512;
    private static final int LOST = 1;
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long REST_NS = 200 * MS; // until nothing else wakes anybody
    private static final long HOUR_NS = 3_600_000 * MS;
    private final World world = World.ofSeed(78);
    private final EndpointConfig config = withoutIdleProbes(Transfer.config(100, 2));
    private final Fabric fabric =
            Topology.star(world, new Topology.Star(2, 2, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US / 2)));
    private final Host from = fabric.host("h0", config);
    private final Host to = fabric.host("h1", config);
    private final Peer elected = new Peer(from, MESSAGE_BYTES, MESSAGES_MAX);
    private final Peer heir = new Peer(from, MESSAGE_BYTES, MESSAGES_MAX);
    private final Peer target = new Peer(to, MESSAGE_BYTES, MESSAGES_MAX);
    private int posted;
    private long backAtNs;

    @BeforeEach
    void bothStandAndThePlaneIsLost() {
        connect(elected, target);
        connect(heir, new Peer(to, MESSAGE_BYTES, MESSAGES_MAX));
        world.run(MS); // both have found out that both planes carry
        assertThat(pathsOfHeirOnIt()).isEqualTo(8);
        backAtNs = world.nowNs() + 1_000 * MS;
        String downAt = "at " + world.nowNs() + "ns ";
        world.faults(FaultScript.parse(downAt + "plane 1 down\nat " + backAtNs + "ns plane 1 up"));
        while (pathsOfHeirOnIt() > 0 && posted < MESSAGES_MAX) {
            write();
            world.run(50 * US);
        }
        assertThat(pathsOfHeirOnIt()).isZero();
        assertThat(world.runUntil(() -> elected.app.poll().size() == posted, 1_000 * MS))
                .isTrue();
        world.run(REST_NS);
    }

    @Test
    @Covers("R-PLANE-004")
    void whoAsksNextIsWokenAlthoughItRests() {
        elected.closes();
        assertThat(world.runUntil(() -> elected.isClosed, 10_000 * MS)).isTrue();
        world.run(backAtNs - world.nowNs());
        assertThat(world.runUntil(() -> pathsOfHeirOnIt() == 8, 300 * MS))
                .as(heir::state)
                .isTrue();
    }

    private void connect(Peer peer, Peer there) {
        to.commands().offer((now, endpoint) -> endpoint.unlisten(Peer.SERVICE));
        there.listens();
        peer.connects(there);
        assertThat(world.runUntil(() -> peer.isEstablished && there.isEstablished, 1_000 * MS))
                .isTrue();
    }

    private void write() {
        elected.app.post(posted++, WrOpcode.RDMA_WRITE, new App.Range(0, MESSAGE_BYTES), target.app.at(0, 0));
    }

    private int pathsOfHeirOnIt() {
        int count = 0;
        for (PathView path : heir.view().paths()) {
            count += path.plane() == LOST ? 1 : 0;
        }
        return count;
    }

    private static EndpointConfig withoutIdleProbes(EndpointConfig config) {
        return config.withPath(config.path().withIdleProbeNs(HOUR_NS));
    }
}

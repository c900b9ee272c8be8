package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WrOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One sender, four receivers around a switch on two planes: whom does a lost plane concern? */
class PlanePeersSimTest {
    private static final int PEERS = 4;
    private static final int MESSAGE_BYTES = 1 << 16;
    private static final int OUTSTANDING = 4;
    private static final long US = 1_000;
    private final World world = World.ofSeed(77);
    private final EndpointConfig config = Transfer.config(100, 2);
    private final Fabric fabric = Topology.star(
            world, new Topology.Star(PEERS + 1, 2, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US / 2)));
    private final Peer[] senders = new Peer[PEERS];
    private final Peer[] receivers = new Peer[PEERS];
    private final int[] posted = new int[PEERS];

    @BeforeEach
    void everybodyIsBusyOnBothPlanes() {
        Host sender = fabric.host("h0", config);
        for (int i = 0; i < PEERS; i++) {
            senders[i] = new Peer(sender, OUTSTANDING * MESSAGE_BYTES, 2 * OUTSTANDING);
            receivers[i] = new Peer(fabric.host("h" + (i + 1), config), OUTSTANDING * MESSAGE_BYTES, 2 * OUTSTANDING);
            receivers[i].listens();
            senders[i].connects(receivers[i]);
            int n = i;
            assertThat(world.runUntil(() -> senders[n].isEstablished, 1_000_000_000L))
                    .isTrue();
        }
        run(200 * US);
        for (int i = 0; i < PEERS; i++) {
            assertThat(pathsOn(i, 1)).isEqualTo(8);
        }
    }

    @Test
    @Covers("R-PLANE-005")
    void aDeadPortOfOnePeerConcernsNobodyElse() {
        fault("asym plane 1 to h2 down");
        run(200 * US);
        assertThat(pathsOn(0, 1)).isEqualTo(8);
        assertThat(pathsOn(1, 1)).isZero();
        assertThat(pathsOn(2, 1)).isEqualTo(8);
        assertThat(pathsOn(3, 1)).isEqualTo(8);
    }

    @Test
    @Covers("R-PLANE-005")
    void aPlaneThatIsLostToMostPeersIsLeftTowardsAll() {
        fault("asym plane 1 to h1 down\nasym plane 1 to h2 down\nasym plane 1 to h3 down");
        run(200 * US);
        for (int i = 0; i < PEERS; i++) {
            assertThat(pathsOn(i, 1)).isZero();
        }
    }

    private void fault(String script) {
        String at = "at " + world.nowPs() + "ps ";
        world.faults(FaultScript.parse(at + script.replace("\n", "\n" + at)));
    }

    private int pathsOn(int peer, int plane) {
        int count = 0;
        for (PathView path : senders[peer].view().paths()) {
            count += path.plane() == plane ? 1 : 0;
        }
        return count;
    }

    private void run(long ns) {
        long until = world.nowNs() + ns;
        while (world.nowNs() < until) {
            boolean unused = world.runUntil(this::pump, until - world.nowNs());
        }
    }

    private boolean pump() {
        for (int i = 0; i < PEERS; i++) {
            while (posted[i] - senders[i].app.poll().size() < OUTSTANDING) {
                int at = posted[i] % OUTSTANDING * MESSAGE_BYTES;
                senders[i].app.post(
                        posted[i]++, WrOpcode.RDMA_WRITE, new App.Range(at, MESSAGE_BYTES), receivers[i].app.at(at, 0));
            }
        }
        return false;
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Host 0 writes to host 1, and host 1 to host 2: what host 1 reports shares its ports with what it sends. */
class PlaneChainSimTest {
    private static final int MESSAGE_BYTES = 1 << 18;
    private static final int OUTSTANDING = 16;
    private static final long US = 1_000;
    private static final long RTT_NS = 6 * US;

    private final int[] posted = new int[2];
    private Peer[] senders = new Peer[0];
    private Peer[] receivers = new Peer[0];

    @ParameterizedTest
    @CsvSource({"2, plane 1 down", "4, plane 1 down", "4, asym plane 1 from h1 down", "8, plane 1 down"})
    @Covers({"R-ACK-015", "R-PLANE-002"})
    void aPlaneThatIsLostSilencesNoReceiverWhoseOtherPortsAreBusy(int planes, String fault) {
        World world = World.ofSeed(77);
        EndpointConfig config = Transfer.config(100, planes);
        Fabric fabric =
                Topology.star(world, new Topology.Star(3, planes, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US)));
        Host[] hosts = {fabric.host("h0", config), fabric.host("h1", config), fabric.host("h2", config)};
        int bytes = OUTSTANDING * MESSAGE_BYTES;
        senders = new Peer[] {new Peer(hosts[0], bytes, 2 * OUTSTANDING), new Peer(hosts[1], bytes, 2 * OUTSTANDING)};
        receivers = new Peer[] {new Peer(hosts[1], bytes, 2 * OUTSTANDING), new Peer(hosts[2], bytes, 2 * OUTSTANDING)};
        for (int i = 0; i < 2; i++) {
            receivers[i].listens();
            senders[i].connects(receivers[i]);
            Peer sender = senders[i];
            assertThat(world.runUntil(() -> sender.isEstablished, 1_000_000_000L))
                    .isTrue();
        }
        run(world, 400 * US);
        long full = placed(world, hosts[1], 200 * US);
        world.faults(FaultScript.parse("at " + world.nowPs() + "ps " + fault));
        run(world, 4 * RTT_NS);
        long early = placed(world, hosts[1], 200 * US);
        String figures = String.format(
                Locale.ROOT,
                "planes %d, %s: %d bytes before, %d after (%d %%)",
                planes,
                fault,
                full,
                early,
                100 * early / full);
        assertThat(early * 10 * planes).as(figures).isGreaterThan(full * 9 * (planes - 1));
    }

    private long placed(World world, Host host, long ns) {
        long before = host.endpoint().counters().get(Counter.RX_PAYLOAD_BYTES);
        run(world, ns);
        return host.endpoint().counters().get(Counter.RX_PAYLOAD_BYTES) - before;
    }

    private void run(World world, long ns) {
        long until = world.nowNs() + ns;
        while (world.nowNs() < until) {
            boolean unused = world.runUntil(this::pump, until - world.nowNs());
        }
    }

    private boolean pump() {
        for (int i = 0; i < senders.length; i++) {
            while (posted[i] - senders[i].app.poll().size() < OUTSTANDING) {
                int at = posted[i] % OUTSTANDING * MESSAGE_BYTES;
                senders[i].app.post(
                        posted[i]++, WrOpcode.RDMA_WRITE, new App.Range(at, MESSAGE_BYTES), receivers[i].app.at(at, 0));
            }
        }
        return false;
    }
}

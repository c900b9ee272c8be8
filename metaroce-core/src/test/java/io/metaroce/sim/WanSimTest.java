package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.AckConfig;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WrOpcode;
import io.metaroce.trace.Counter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long distances: thousands of packets in flight, losses both ways, windows wider than what one block shows. */
class WanSimTest {
    private static final int MESSAGE_BYTES = 1 << 18;
    private static final int DEPTH = 256;
    private static final int WARM_UP_ROUNDS = 40;
    private static final int MEASURED_ROUNDS = 25;
    private static final long GBIT = 125_000_000;
    private static final double SHARE_OF_PAYLOAD = 0.973; // of the line rate, with 4096 bytes a packet

    @ParameterizedTest
    @CsvSource({
        // round trip in ms, Gbit/s, paths, window, words, loss in ppm, share of the bound (1 - p) to be reached
        "20, 2, 2, 4096, 4, 10000, 92",
        "20, 2, 4, 2048, 4, 50000, 94",
        "40, 1, 4, 4096, 16, 50000, 94",
        "50, 1, 4, 4096, 16, 10000, 90",
        "20, 2, 2, 4096, 16, 50000, 90"
    })
    @Covers({"R-SACK-001", "R-SACK-003", "R-SACK-005", "R-LOSS-009", "R-PATH-003", "R-PATH-009"})
    void wideWindowsKeepLongPathsFull(
            int rttMs, int gbit, int paths, int window, int words, int lossPpm, int percentOfBound) {
        World world = World.ofSeed(rttMs + paths);
        LinkConfig link =
                LinkConfig.wire(rttMs * SimTime.MS / 2).withFaults(LinkConfig.Faults.NONE.withLoss(lossPpm, 1));
        Fabric fabric = Topology.pair(world, new Topology.Pair(1, 4, NicConfig.ofGbit(gbit), link, 200 * SimTime.US));
        Invariants.watch(world);
        EndpointConfig config = Transfer.config(gbit, 1);
        config = config.withPath(config.path().withPaths(paths).withWindow(window, words))
                .withAck(new AckConfig(16, 128 * 1024, rttMs * 1_000_000L / 64));
        Peer a = new Peer(fabric.host("a", config), MESSAGE_BYTES, DEPTH);
        Peer b = new Peer(fabric.host("b", config), MESSAGE_BYTES, DEPTH);
        b.listens();
        a.connects(b);
        assertThat(world.runUntil(() -> a.isEstablished && b.isEstablished, 10_000_000_000L))
                .isTrue();
        long rttNs = rttMs * 1_000_000L;
        long[] posted = {0};
        feed(world, a, b, posted, WARM_UP_ROUNDS * rttNs);
        int before = a.app.poll().size();
        int inFlight = 0;
        for (int i = 0; i < MEASURED_ROUNDS; i++) {
            feed(world, a, b, posted, rttNs);
            inFlight = Math.max(
                    inFlight,
                    a.view().paths().stream()
                            .mapToInt(path -> (int) (path.inFlightBytes() / 4096))
                            .sum());
        }
        long bytes = (long) (a.app.poll().size() - before) * MESSAGE_BYTES;
        double bound = gbit * GBIT * SHARE_OF_PAYLOAD * (1 - lossPpm / 1e6) * MEASURED_ROUNDS * rttNs / 1e9;
        assertThat(inFlight).as("packets in flight").isGreaterThan(1000);
        assertThat(a.host.counters().get(Counter.SPURIOUS_RETRANSMIT)).isZero();
        assertThat(b.host.counters().get(Counter.RX_DUPLICATES)).isZero();
        assertThat(bytes / bound).as("share of the bound").isGreaterThan(percentOfBound / 100.0);
    }

    private static void feed(World world, Peer a, Peer b, long[] posted, long durationNs) {
        long end = world.nowNs() + durationNs;
        while (world.nowNs() < end) {
            while (posted[0] - a.app.poll().size() < DEPTH - 1) {
                a.app.post(posted[0]++, WrOpcode.RDMA_WRITE, new App.Range(0, MESSAGE_BYTES), b.app.at(0, 0));
            }
            world.run(Math.min(1_000_000, end - world.nowNs()));
        }
    }
}

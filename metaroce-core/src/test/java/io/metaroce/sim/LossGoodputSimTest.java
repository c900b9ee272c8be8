package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.param.EndpointConfig;
import io.metaroce.queue.WcStatus;
import io.metaroce.queue.WrOpcode;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What random loss costs one long transfer through the real engine, as a fraction of the same transfer without loss.
 * Packets and acknowledgements are lost alike, independently, and nothing is marked. No transport that repairs every
 * loss exactly once can do better than {@code 1 - p}.
 */
class LossGoodputSimTest {
    private static final int MESSAGE = 4 << 20;
    private static final int MESSAGES = 24;
    private static final int[] LOSS_PPM = {1_000, 10_000, 50_000, 100_000};
    private static final int[] LEAST_PER_MILLE = {990, 975, 930, 870};
    private static final int LINK_PPM = 34_511; // three of them are 10 %
    private static final long LIMIT_NS = 1_000_000_000;

    @ParameterizedTest
    @CsvSource({"100, 8, 5000", "400, 32, 6000"})
    @Covers("R-CC-006")
    void randomLossCostsWhatIsLostAndNextToNothingMore(int gbit, int paths, long oneWayNs) {
        long clean = goodputMbit(gbit, paths, oneWayNs, 0);
        for (int i = 0; i < LOSS_PPM.length; i++) {
            long lossy = goodputMbit(gbit, paths, oneWayNs, LOSS_PPM[i]);
            long perMille = 1000 * lossy / clean;
            String figures = String.format(
                    Locale.ROOT,
                    "%d Gbit/s, loss %d ppm: goodput %d of %d Mbit/s, %d per mille",
                    gbit,
                    LOSS_PPM[i],
                    lossy,
                    clean,
                    perMille);
            assertThat(perMille).as(figures).isGreaterThanOrEqualTo(LEAST_PER_MILLE[i]);
        }
    }

    /**
     * Packets sprayed over spines meet again in the last port, and some of them wait: that is not why others are lost.
     */
    @Test
    @Covers("R-CC-006")
    void packetsThatWaitBecauseTheyAreSprayedMakeNoCongestionOfChance() {
        long clean = sprayedMbit(0);
        long lossy = sprayedMbit(LINK_PPM);
        assertThat(1000 * lossy / clean).as("per mille of %d Mbit/s", clean).isGreaterThanOrEqualTo(870);
    }

    private static long sprayedMbit(int linkPpm) {
        World world = World.ofSeed(1);
        LinkConfig port = LinkConfig.port(400_000_000_000L, 1_500 * SimTime.NS, 3_000_000)
                .withEcn(new EcnRamp(120_000, 480_000, 1_000_000))
                .withLoss(linkPpm);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(2, 8, 1, 1, NicConfig.ofGbit(400), port, port));
        return goodputMbit(world, fabric, "h0", "h1", 400, 32);
    }

    private static long goodputMbit(int gbit, int paths, long oneWayNs, int lossPpm) {
        World world = World.ofSeed(1 + lossPpm);
        LinkConfig link = LinkConfig.wire(oneWayNs * SimTime.NS).withLoss(lossPpm);
        Fabric fabric = Topology.pair(world, new Topology.Pair(1, 4, NicConfig.ofGbit(gbit), link, 0));
        return goodputMbit(world, fabric, "a", "b", gbit, paths);
    }

    /** Payload of a whole transfer, from the first request posted to the last completion. */
    private static long goodputMbit(World world, Fabric fabric, String from, String to, int gbit, int paths) {
        EndpointConfig config = Transfer.config(gbit, 1);
        config = config.withPath(config.path().withPaths(paths));
        Peer a = new Peer(fabric.host(from, config), MESSAGE, MESSAGES);
        Peer b = new Peer(fabric.host(to, config), MESSAGE, MESSAGES);
        b.listens();
        a.connects(b);
        assertThat(world.runUntil(() -> a.isEstablished && b.isEstablished, LIMIT_NS))
                .isTrue();
        long startNs = world.nowNs();
        for (int i = 0; i < MESSAGES; i++) {
            a.app.post(i, WrOpcode.RDMA_WRITE, new App.Range(0, MESSAGE), b.app.at(0, 0));
        }
        assertThat(world.runUntil(() -> a.app.poll().size() == MESSAGES, LIMIT_NS))
                .as(a.state())
                .isTrue();
        assertThat(a.app.poll()).allMatch(done -> done.status() == WcStatus.SUCCESS);
        return 8_000L * MESSAGE * MESSAGES / (world.nowNs() - startNs);
    }
}

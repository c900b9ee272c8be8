package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.Covers;
import io.metaroce.engine.PathView;
import io.metaroce.param.EndpointConfig;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four senders beside the receiver and four of another site, a hundred times as far and more. */
class ScaleAcrossSimTest {
    private static final int SENDERS = 8;
    private static final int GBIT = 25;
    private static final long NEAR_RTT_NS = 10_000;
    private static final long PRODUCT = GBIT * 125L * NEAR_RTT_NS / 1_000;
    private static final int MESSAGE = 1 << 18;
    private static final int WIRE = 4096 + 118;

    @ParameterizedTest
    @ValueSource(longs = {1_000_000, 2_000_000, 10_000_000})
    @Covers({"R-CC-017", "R-HINT-016"})
    void farSendersHaveTheirShareAfterTwoRoundTripsAndKeepIt(long farRttNs) {
        Incast incast = incast(farRttNs, 4L * GBIT);
        incast.post(1 << 11);
        incast.world.run(2 * farRttNs);
        assertShared(incast, farRttNs, 990);
        assertShared(incast, 10 * farRttNs, 980);
        assertThat(incast.last().counters().droppedTotal()).isZero();
    }

    @Test
    @Covers({"R-CC-017", "R-HINT-016"})
    void whatNearSendersLeaveFarOnesTakeWithinThreeRoundTrips() {
        long farRttNs = 1_000_000;
        Incast incast = incast(farRttNs, 4L * GBIT);
        incast.post(incast.senders.subList(0, 4), 8);
        incast.post(incast.senders.subList(4, SENDERS), 512);
        incast.until(() -> incast.senders.subList(0, 4).stream().allMatch(s -> s.isDone(1)), "near ones not done");
        incast.world.run(3 * farRttNs);
        long before = incast.sum(PathView::slots);
        incast.world.run(4 * farRttNs);
        assertThat(used(incast.sum(PathView::slots) - before, 4 * farRttNs)).isGreaterThan(850);
    }

    @Test
    @Covers({"R-CC-017", "R-CC-018"})
    void aLineBetweenTheSitesThatIsTooNarrowIsNotOverrunForLong() {
        long farRttNs = 1_000_000;
        Incast incast = incast(farRttNs, GBIT / 5);
        incast.post(incast.senders.subList(4, SENDERS), 512);
        incast.world.run(10 * farRttNs);
        long sent = incast.sum(PathView::sentPackets);
        long lost = incast.sum(PathView::lostPackets);
        incast.world.run(20 * farRttNs);
        sent = incast.sum(PathView::sentPackets) - sent;
        lost = incast.sum(PathView::lostPackets) - lost;
        assertThat(1000 * lost / sent).as("lost per mille").isLessThan(10);
        assertThat(5 * used(sent - lost, 20 * farRttNs)).as("used per mille").isGreaterThan(850);
    }

    private static void assertShared(Incast incast, long ns, int leastPerMille) {
        long[] before = incast.slots();
        incast.world.run(ns);
        long[] after = incast.slots();
        for (int i = 0; i < after.length; i++) {
            after[i] -= before[i];
        }
        String figures = Arrays.toString(after);
        assertThat(incast.fairnessPerMille(before)).as(figures).isGreaterThanOrEqualTo(leastPerMille);
        assertThat(used(Arrays.stream(after).sum(), ns)).as(figures).isGreaterThan(920);
    }

    /** Thousandths of the receiver's line. */
    private static long used(long packets, long ns) {
        return 1000 * packets * WIRE / (GBIT * 125L * ns / 1_000);
    }

    private static Incast incast(long farRttNs, long haulGbit) {
        LinkConfig down = LinkConfig.port(GBIT * 1_000_000_000L, NEAR_RTT_NS / 4 * SimTime.NS, 20 * PRODUCT)
                .withEcn(new EcnRamp(PRODUCT / 5, PRODUCT * 4 / 5, 1_000_000));
        long haulProduct = haulGbit * 125 * farRttNs / 1_000;
        LinkConfig haul = LinkConfig.port(haulGbit * 1_000_000_000L, farRttNs / 2 * SimTime.NS, 2 * haulProduct)
                .withEcn(new EcnRamp(haulProduct / 5, haulProduct * 4 / 5, 1_000_000));
        EndpointConfig config = Transfer.config(GBIT, 1);
        config = config.withPath(config.path().withWindow(1024, 4));
        NicConfig nic = NicConfig.ofGbit(GBIT);
        Fabric fabric = TwoSites.build(World.ofSeed(5), 4, 4, nic, down, haul);
        Incast incast = new Incast(fabric, config, config, MESSAGE, 1 << 12);
        incast.world.run(2 * farRttNs);
        return incast;
    }
}

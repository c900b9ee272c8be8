package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Little's law: what is under way on average is what comes in a time, times how long each stays. */
class LittleSimTest {
    private static final long PRODUCT = 25 * 125 * 10L; // 25 Gbit/s, 10 us

    /**
     * The real engine, eight to one, with losses: packets on all links, summed over time, are the stays of all packets,
     * to the picosecond.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsUnderWayIsTheSumOfAllStays(boolean isExact) {
        LinkConfig down = LinkConfig.port(25_000_000_000L, 2_500 * SimTime.NS, PRODUCT)
                .withEcn(new EcnRamp(PRODUCT / 5, PRODUCT * 4 / 5, 1_000_000))
                .withLoss(5_000);
        Fabric fabric = Topology.star(World.ofSeed(3), new Topology.Star(9, 1, NicConfig.ofGbit(25), down));
        if (isExact) {
            fabric.exactPorts(PortConfig.PLAIN);
        }
        Stays stays = new Stays(fabric);
        fabric.world().observe(stays);
        Incast incast = new Incast(fabric, Transfer.config(25, 1), Transfer.config(25, 1), 1 << 16, 64);
        incast.post(2);
        incast.complete();
        assertThat(stays.lost).isPositive();
        // What has not arrived yet has stayed so far.
        while (fabric.packetsUnderWay() > 0) {
            assertThat(fabric.world().step()).isTrue();
        }
        assertThat(stays.area).isEqualTo(stays.sum).isPositive();
        assertThat(fabric.world().conservation().fault()).isEmpty();
    }

    /** One port, random arrivals: packets in it on average, their rate, and the time from the NIC to the far end. */
    @ParameterizedTest
    @ValueSource(ints = {50, 80, 95})
    void aLoadedPortHoldsRateTimesStay(int loadPercent) {
        World world = new World(WorldConfig.ofSeed(7).withPacketBytes(64));
        LinkConfig port = LinkConfig.port(100_000_000_000L, 0, 1L << 40);
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NicConfig.ofGbit(100_000), port));
        PoissonNode source = new PoissonNode(world, fabric.attachment("h0"), "test.little", loadPercent, 100_000);
        PoissonNode sink = new PoissonNode(world, fabric.attachment("h1"), "test.little", loadPercent, 0);
        Link link = fabric.links().stream()
                .filter(one -> one.name().to().equals("h1"))
                .findFirst()
                .orElseThrow();
        double area = 0;
        long beforePs = world.nowPs();
        long held = 0;
        while (world.step()) {
            area += (double) held * (world.nowPs() - beforePs);
            beforePs = world.nowPs();
            held = link.onLink();
        }
        assertThat(source.left()).isZero();
        double meanHeld = area / world.nowPs();
        double rate = (double) sink.arrived() / world.nowPs();
        double meanStay = (double) sink.delaySumPs() / sink.arrived();
        assertThat(meanHeld).isCloseTo(rate * meanStay, withinPercentage(1));
        assertThat(meanHeld).isGreaterThan(loadPercent / 100.0);
    }

    @Test
    void everyLinkGivesWhatItWasGiven() {
        Fabric fabric = Topology.star(
                World.ofSeed(4),
                new Topology.Star(
                        5,
                        1,
                        NicConfig.ofGbit(25),
                        LinkConfig.port(25_000_000_000L, SimTime.US, PRODUCT).withLoss(10_000)));
        Incast incast = new Incast(fabric, Transfer.config(25, 1), Transfer.config(25, 1), 1 << 16, 64);
        incast.post(4);
        incast.complete();
        for (Link link : fabric.links()) {
            LinkCounters counters = link.counters();
            assertThat(counters.offered() + counters.duplicated())
                    .as(link.name().toString())
                    .isEqualTo(counters.delivered() + counters.droppedTotal() + link.onLink());
        }
    }

    /** Counts on links, and stays by the clock of each packet: two books that know nothing of each other. */
    private static final class Stays implements PacketObserver {
        private final Fabric fabric;
        private long area;
        private long sum;
        private long lost;
        private long beforePs;
        private long held;

        Stays(Fabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public void delivered(long timePs, int node, int packet) {
            sum += timePs - fabric.world().packets().sentPs(packet);
        }

        @Override
        public void dropped(long timePs, String where, int packet, DropCause cause) {
            sum += timePs - fabric.world().packets().sentPs(packet);
            lost++;
        }

        @Override
        public void afterEvent(long timePs) {
            area += held * (timePs - beforePs);
            beforePs = timePs;
            held = fabric.packetsUnderWay();
        }
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.metaroce.datagram.TrafficClass;
import io.metaroce.num.SplitMix64;
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
        Source source = new Source(fabric.attachment("h0"), world, loadPercent, 100_000);
        Source sink = new Source(fabric.attachment("h1"), world, loadPercent, 0);
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
        assertThat(source.left).isZero();
        double meanHeld = area / world.nowPs();
        double rate = (double) sink.arrived / world.nowPs();
        double meanStay = (double) sink.staysPs / sink.arrived;
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

    /** Sends packets of 1,000 bytes at random, or takes them. */
    private static final class Source implements EdgeNode {
        private static final int WIRE_BYTES = 1000;
        private static final long SERVICE_PS = WIRE_BYTES * 80;

        private final World world;
        private final Attachment place;
        private final SplitMix64 stream;
        private final double meanGapPs;
        private int left;
        private double nextPs;
        private long arrived;
        private long staysPs;

        Source(Attachment place, World world, int loadPercent, int packets) {
            this.world = world;
            this.place = place;
            left = packets;
            meanGapPs = SERVICE_PS * 100.0 / loadPercent;
            stream = world.seeds().stream("test.little", place.node());
            nextPs = gapPs();
            place.attach(this);
        }

        @Override
        public void onArrival(long timePs, int packet) {
            arrived++;
            staysPs += timePs - world.packets().sentPs(packet);
            world.packets().release(packet);
        }

        @Override
        public void onWake(long timePs) {
            if (left > 0 && nextPs <= timePs) {
                left--;
                nextPs += gapPs();
                int packet = world.packets().take(8, WIRE_BYTES - PacketPool.OVERHEAD_BYTES);
                world.packets().trafficClass(packet, TrafficClass.CONTROL); // may wait in the NIC for a moment
                world.packets().address(packet, place.node(), 1, 1, 2);
                place.port(0).send(timePs, packet);
            }
        }

        @Override
        public long nextWakePs() {
            return left > 0 ? (long) Math.ceil(nextPs) : SimTime.NEVER;
        }

        private double gapPs() {
            double uniform = ((stream.nextLong() >>> 11) + 1) * 0x1.0p-53;
            return -meanGapPs * Math.log(uniform);
        }
    }
}

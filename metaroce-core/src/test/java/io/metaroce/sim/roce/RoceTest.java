package io.metaroce.sim.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.metaroce.sim.EcnRamp;
import io.metaroce.sim.Fabric;
import io.metaroce.sim.FaultScript;
import io.metaroce.sim.LinkConfig;
import io.metaroce.sim.NicConfig;
import io.metaroce.sim.SimTime;
import io.metaroce.sim.Topology;
import io.metaroce.sim.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The models of RoCEv2 against closed forms. */
class RoceTest {
    private static final long RATE = 100_000_000_000L;
    private static final long BYTE_PS = 80;
    private static final long ONE_WAY_PS = 6 * SimTime.US;
    private static final long SERIAL_PS = RocePacket.WIRE_BYTES_MAX * BYTE_PS;
    private static final double PRODUCT_PACKETS = 1 + 2.0 * ONE_WAY_PS / SERIAL_PS; // a packet's own time included
    private static final long FOREVER_NS = 10_000_000_000L;

    @Test
    void oneMessageTakesItsSerialisationAndOneRoundTrip() {
        long bytes = 1_000 * 4_096L;
        for (RoceConfig config :
                new RoceConfig[] {RoceConfig.goBackN(null), RoceConfig.selective(RATE, 4 * ONE_WAY_PS)}) {
            World world = World.ofSeed(1);
            Run run = new Run(world, config, bytes, "");
            long wire = bytes + 1_000 * 82 + 16;
            long ack = 20 + 66;
            assertThat(run.doneAtPs()).isEqualTo(wire * BYTE_PS + ack * BYTE_PS + 2 * ONE_WAY_PS);
            assertThat(run.sent()).isEqualTo(1_000);
        }
    }

    /** Every loss costs what is under way: efficiency (1 - p) / (1 + p W) if gaps are reported without fail. */
    @ParameterizedTest
    @CsvSource({"1000, 200000", "10000, 100000", "100000, 20000"})
    void goBackNLosesWhatTheFormulaSays(int lossPpm, int packets) {
        World world = World.ofSeed(3);
        RoceConfig config = RoceConfig.goBackN(null).withIdealNaks();
        Run run = new Run(world, config, packets * 4_096L, "at 0 link a-b.0 to b loss " + lossPpm + "e-6");
        double p = lossPpm / 1e6;
        double efficiency = (double) packets * SERIAL_PS / run.doneAtPs();
        assertThat(efficiency).isCloseTo((1 - p) / (1 + p * PRODUCT_PACKETS), withinPercentage(5));
    }

    /** A gap is reported once; if the packet sent again is lost as well only the timer helps. */
    @Test
    void realAdaptersLoseMoreThanTheFormula() {
        World world = World.ofSeed(3);
        Run run = new Run(world, RoceConfig.goBackN(null), 20_000 * 4_096L, "at 0 link a-b.0 to b loss 1e-2");
        double efficiency = 20_000.0 * SERIAL_PS / run.doneAtPs();
        assertThat(efficiency)
                .isLessThan(0.95 * 0.99 / (1 + 0.01 * PRODUCT_PACKETS))
                .isPositive();
    }

    @Test
    void selectiveRepeatSendsAgainWhatWasLostAndHardlyMore() {
        World world = World.ofSeed(5);
        int packets = 50_000;
        Run run = new Run(
                world,
                RoceConfig.selective(RATE, 2 * ONE_WAY_PS + 10 * SERIAL_PS),
                packets * 4_096L,
                "at 0 link a-b.0 to b loss 1e-2");
        assertThat(run.sent()).isBetween(packets * 1_009L / 1_000, packets * 1_013L / 1_000);
    }

    /** Acknowledgements are lost too, and so is the last one. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, true", "4, true"})
    void everythingArrivesWhateverIsLost(long seed, boolean isSelective) {
        RoceConfig config = isSelective ? RoceConfig.selective(RATE, 2 * ONE_WAY_PS) : RoceConfig.goBackN(null);
        Run run = new Run(World.ofSeed(seed), config, 500 * 4_096L, "at 0 link * loss 1e-1");
        assertThat(run.sent()).isGreaterThan(500);
    }

    /** What does not pass the check of its bits is lost too. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, true", "4, true"})
    void everythingArrivesWhateverIsBroken(long seed, boolean isSelective) {
        RoceConfig config = isSelective ? RoceConfig.selective(RATE, 2 * ONE_WAY_PS) : RoceConfig.goBackN(null);
        Run run = new Run(
                World.ofSeed(seed),
                config,
                500 * 4_096L,
                "at 0 link * corrupt 5e-2 header\nat 0 link * corrupt 5e-2 payload\nat 0 link * truncate 5e-2");
        assertThat(run.sent()).isGreaterThan(500);
    }

    /** The end of a message is lost, so nothing comes that could tell of a gap: one timeout is enough for all of it. */
    @Test
    void aLostEndCostsOneTimeout() {
        RoceConfig config = RoceConfig.selective(RATE, 2 * ONE_WAY_PS);
        Run run = new Run(World.ofSeed(1), config, 30 * 4_096L, "at 7us link * down\nat 20us link * up");
        assertThat(run.sent()).isGreaterThan(40);
        assertThat(run.doneAtPs()).isBetween(config.shortTimeoutPs(), config.timeoutPs() + 4 * ONE_WAY_PS);
    }

    @ParameterizedTest
    @CsvSource({"vendor, 40", "paper, 150"})
    void twoSendersShareAPort(String constants, int settleMs) {
        World world = World.ofSeed(1);
        // Vendors: 100 and 400 KB at 25 Gbit/s, a fifth; the paper: 5 and 200 KB at 40 Gbit/s, a hundredth.
        EcnRamp ramp = constants.equals("vendor")
                ? new EcnRamp(400_000, 1_600_000, 200_000)
                : new EcnRamp(12_500, 500_000, 10_000);
        LinkConfig port = LinkConfig.port(RATE, SimTime.US, 64_000_000).withEcn(ramp);
        Fabric fabric = Topology.star(world, new Topology.Star(3, 1, NicConfig.ofGbit(100), port));
        DcqcnConfig dcqcn = constants.equals("vendor") ? DcqcnConfig.vendor(RATE) : DcqcnConfig.paper(RATE);
        RoceConfig config = RoceConfig.goBackN(dcqcn);
        RoceHost receiver = RoceHost.attach(fabric.attachment("h0"), config);
        RoceHost one = RoceHost.attach(fabric.attachment("h1"), config);
        RoceHost two = RoceHost.attach(fabric.attachment("h2"), config);
        RoceChannel fromOne = one.open(receiver, 1);
        RoceChannel fromTwo = two.open(receiver, 2);
        fromOne.send(4L << 30, 0, 0);
        fromTwo.send(4L << 30, 0, 0);
        world.run(settleMs * 1_000_000L);
        long first = fromOne.arrivedPackets();
        long second = fromTwo.arrivedPackets();
        world.run(60_000_000);
        double half = 60e9 / SERIAL_PS / 2;
        assertThat(one.notifications()).isPositive();
        assertThat((double) (fromOne.arrivedPackets() - first)).isCloseTo(half, withinPercentage(10));
        assertThat((double) (fromTwo.arrivedPackets() - second)).isCloseTo(half, withinPercentage(10));
    }

    /** One message from a to b over a cable, to its end. */
    private static final class Run {
        private final RoceChannel channel;

        Run(World world, RoceConfig config, long bytes, String faults) {
            LinkConfig wire = LinkConfig.wire(ONE_WAY_PS);
            Fabric fabric = Topology.pair(world, new Topology.Pair(1, 1, NicConfig.ofGbit(100), wire, 0));
            if (!faults.isEmpty()) {
                world.faults(FaultScript.parse(faults));
            }
            RoceHost a = RoceHost.attach(fabric.attachment("a"), config);
            RoceHost b = RoceHost.attach(fabric.attachment("b"), config);
            channel = a.open(b, 1);
            channel.send(bytes, 0, 0);
            assertThat(world.runUntil(() -> doneAtPs() < SimTime.NEVER, FOREVER_NS))
                    .isTrue();
            assertThat(world.conservation().fault()).isEmpty();
        }

        long doneAtPs() {
            return channel.doneAtPs();
        }

        long sent() {
            return channel.sentPackets();
        }
    }
}

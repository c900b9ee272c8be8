package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.sim.light.FabricLoad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pauses: nothing is lost while the headroom is what it must be, and who has nothing to do with it waits too. */
class PfcTest {
    private static final int FULL = 4178;

    /**
     * One host writes over a link of a fiftieth of its rate, so that hardly anything leaves while a pause is on its
     * way; the port the pause leaves by is kept busy. Packets that way are of another length: over many pauses the
     * worst moment comes.
     */
    @ParameterizedTest
    @CsvSource({"100, 1000, 100, true", "100, 1000, 89, false", "400, 1000, 100, true", "400, 1000, 89, false"})
    void theHeadroomIsNeededAndIsEnough(int gbit, long delayNs, int percent, boolean isEnough) {
        World world = World.ofSeed(1);
        long rate = gbit * 1_000_000_000L;
        LinkConfig port = LinkConfig.port(rate, delayNs * SimTime.NS, 0);
        Fabric fabric = Topology.star(world, new Topology.Star(3, 1, NicConfig.ofGbit(gbit), port));
        PfcConfig exact = PfcConfig.ofLink(rate, delayNs * SimTime.NS, FULL, SimTime.US);
        PfcConfig pfc = exact.withHeadroom(exact.headroomBytes() * percent / 100);
        fabric.exactPorts(PortConfig.PLAIN
                .withShared(400_000 + 3 * pfc.headroomBytes(), 32)
                .withPauses(pfc));
        ToyNode[] node = new ToyNode[3];
        for (int i = 0; i < node.length; i++) {
            node[i] = ToyNode.on(fabric, "h" + i);
        }
        world.faults(FaultScript.parse("at 0 link h0-hub to h0 rate 2%"));
        node[1].sends(400, FULL, node[0]);
        node[2].sends(20_000, FULL - 7, node[1]);
        world.run(100_000_000);
        long drops = 0;
        for (Link link : fabric.links()) {
            drops += link.counters().droppedTotal();
        }
        PfcCounters counters = fabric.pfcCounters();
        String figures = "headroom " + pfc.headroomBytes() + ", used " + counters.headroomMaxBytes() + ", pauses "
                + counters.pauses() + ", drops " + drops;
        assertThat(counters.pauses()).as(figures).isGreaterThan(10);
        assertThat(drops == 0).as(figures).isEqualTo(isEnough);
        assertThat(world.conservation().fault()).isEmpty();
        assertThat(world.packets().inUse()).isZero();
        if (isEnough) {
            assertThat(node[0].arrivals()).hasSize(400);
            assertThat(counters.headroomMaxBytes()).as(figures).isLessThanOrEqualTo(pfc.headroomBytes());
        }
    }

    /**
     * Two hosts of different leaves write to one of a third; from one of these leaves another host writes to somebody
     * idle. Links between switches are wide. With pauses its packets wait behind the others, without they do not.
     */
    @Test
    void whoSharesALinkWithTheCulpritWaitsToo() {
        long free = victimTookPs(false, false);
        long besides = victimTookPs(true, false);
        long paused = victimTookPs(true, true);
        assertThat(besides).isLessThan(free * 11 / 10);
        assertThat(paused).isGreaterThan(free * 13 / 10);
    }

    /** Whether nodes go on in the order of time or one after the other, they are paused at the same instants. */
    @Test
    void pausesAreTheSameInBothOrders() {
        FabricLoad ofTime = pausedLoad(WorldConfig.Order.OF_TIME);
        FabricLoad byNode = pausedLoad(WorldConfig.Order.BY_NODE);
        PfcCounters counters = ofTime.world().fabric().pfcCounters();
        assertThat(counters.pauses()).isGreaterThan(100);
        assertThat(byNode.world().fabric().pfcCounters().pauses()).isEqualTo(counters.pauses());
        assertThat(byNode.world().fabric().pfcCounters().pausedPs()).isEqualTo(counters.pausedPs());
        assertThat(byNode.world().trace().value())
                .isEqualTo(ofTime.world().trace().value());
    }

    private static FabricLoad pausedLoad(WorldConfig.Order order) {
        FabricLoad load = new FabricLoad(1, 512, order);
        PfcConfig pfc = PfcConfig.ofLink(400_000_000_000L, SimTime.US, FULL + 40, SimTime.US);
        load.world()
                .fabric()
                .exactPorts(PortConfig.PLAIN
                        .withShared(200_000 + 16 * pfc.headroomBytes(), 32)
                        .withPauses(pfc));
        load.run();
        assertThat(load.world().conservation().droppedPackets()).isZero();
        return load;
    }

    private static long victimTookPs(boolean isCrowded, boolean pauses) {
        World world = World.ofSeed(1);
        LinkConfig edge = LinkConfig.port(100_000_000_000L, SimTime.US, 1L << 40);
        LinkConfig core = LinkConfig.port(400_000_000_000L, SimTime.US, 1L << 40);
        Fabric fabric =
                Topology.leafSpine(world, new Topology.LeafSpine(3, 1, 2, 1, NicConfig.ofGbit(100), edge, core));
        if (pauses) {
            PfcConfig pfc = PfcConfig.ofLink(400_000_000_000L, SimTime.US, FULL, SimTime.US);
            fabric.exactPorts(PortConfig.PLAIN
                    .withShared(400_000 + 5 * pfc.headroomBytes(), 32)
                    .withPauses(pfc));
        }
        ToyNode[] node = new ToyNode[6];
        for (int i = 0; i < node.length; i++) {
            node[i] = ToyNode.on(fabric, "h" + i);
        }
        if (isCrowded) {
            node[2].sends(5_000, FULL, node[0]);
            node[4].sends(5_000, FULL, node[0]);
        }
        node[3].sends(1_250, FULL, node[5]);
        world.run(100_000_000);
        assertThat(world.conservation().droppedPackets()).isZero();
        return node[5].arrivedAt().get(1_249);
    }
}

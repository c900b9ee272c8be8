package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorldTest {
    private static final int WIRE_BYTES = 1000;

    @Test
    void aPacketGoesThereAndBack() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        ToyNode b = ToyNode.on(fabric, "b").answers(1);
        ToyNode a = ToyNode.on(fabric, "a").sends(1, WIRE_BYTES, b);
        assertThat(world.runUntil(() -> !a.arrivals().isEmpty(), 10_000)).isTrue();
        assertThat(world.nowPs()).isEqualTo(2 * (80 * SimTime.NS + SimTime.US));
        assertThat(world.step()).isFalse();
    }

    @Test
    void equalSeedsGiveEqualWorldsAndOthersDoNot() {
        assertThat(noisy(11)).isEqualTo(noisy(11));
        assertThat(noisy(12)).isNotEqualTo(noisy(11));
    }

    @Test
    void aLimitMovesTheClockAndSaysNo() {
        World world = World.ofSeed(1);
        Topology.pair(world, Topology.Pair.plain());
        assertThat(world.runUntil(() -> false, 500)).isFalse();
        assertThat(world.nowNs()).isEqualTo(500);
    }

    @Test
    void callsAreMadeInOrderOfTimeThenOfAsking() {
        World world = World.ofSeed(1);
        List<String> calls = new ArrayList<>();
        world.at(20, () -> calls.add("c"));
        world.at(10, () -> calls.add("a"));
        world.at(10, () -> calls.add("b"));
        world.run(1);
        assertThat(calls).containsExactly("a", "b", "c");
    }

    @Test
    void timeThatStandsStillIsNoticed() {
        World world = new World(new WorldConfig(1, 16, 2048, 100));
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        fabric.attachment("a").attach(new EdgeNode() {
            @Override
            public void onArrival(long timePs, int packet) {}

            @Override
            public void onWake(long timePs) {}

            @Override
            public long nextWakePs() {
                return 5;
            }
        });
        assertThatThrownBy(() -> world.run(1))
                .isInstanceOf(SimLimitException.class)
                .hasMessageContaining("still");
    }

    /** One packet goes to and fro: most of the time nobody has more than two events at hand. */
    @ParameterizedTest
    @EnumSource
    void whoeverGoesOnNowAndThenDoesNotStandStill(WorldConfig.Order order) {
        World world = new World(new WorldConfig(1, 16, 2048, 20, WorldConfig.Payload.COPIED, order));
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        ToyNode b = ToyNode.on(fabric, "b").answers(100);
        ToyNode.on(fabric, "a").answers(100).sends(1, WIRE_BYTES, b);
        world.run(1_000_000);
        assertThat(b.arrivals()).hasSize(101);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyRunsTheWorldFromWithin(WorldConfig.Order order) {
        World world = new World(WorldConfig.ofSeed(1).withOrder(order));
        Topology.pair(world, Topology.Pair.plain());
        world.at(5, () -> world.run(1));
        world.at(5, () -> {});
        assertThatThrownBy(() -> world.run(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("from within one of its own events");
    }

    @Test
    void aPoolThatRunsOutStopsTheRun() {
        World world = new World(WorldConfig.ofSeed(1).withPackets(10));
        Fabric fabric = Topology.pair(world, Topology.Pair.plain().withLink(LinkConfig.wire(SimTime.MS)));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(11, WIRE_BYTES, b);
        assertThatThrownBy(() -> world.run(1_000_000))
                .isInstanceOf(SimLimitException.class)
                .hasMessageContaining("WorldConfig.packets");
    }

    @Test
    void aPausedHostGetsEverythingAfterwardsInOrder() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(100, WIRE_BYTES, b);
        world.faults(FaultScript.parse("at 3us host b pause 20us"));
        world.run(100_000);
        assertThat(b.arrivals()).hasSize(100).isSorted();
        assertThat(b.arrivedAt().stream().filter(t -> t == 23 * SimTime.US).count())
                .isGreaterThan(50);
        assertThat(b.arrivedAt()).noneMatch(t -> t > 3 * SimTime.US && t < 23 * SimTime.US);
    }

    @Test
    void masksLoseExactlyTheNamedPackets() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.plain());
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").sends(6, WIRE_BYTES, b);
        world.faults(FaultScript.parse("drop a all 1 3 6"));
        world.run(100_000);
        assertThat(b.arrivals()).containsExactly(1L, 3L, 4L);
    }

    @Test
    void aBlackHoleSwallowsOneSourcePort() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode a = ToyNode.on(fabric, "a").fromPort(7);
        world.faults(FaultScript.parse("at 1us host a blackhole 7\nat 30us heal all"));
        a.sends(1000, WIRE_BYTES, b);
        world.run(1_000_000);
        assertThat(b.arrivals()).hasSize(1000 - 29 * 1000 / 80).isSorted();
    }

    @Test
    void everyDropIsCountedSomewhere() {
        World world = World.ofSeed(9);
        LinkConfig.Faults faults = LinkConfig.Faults.NONE
                .withLoss(20_000, 3)
                .withDuplicates(10_000, SimTime.US)
                .withReordering(10_000, 2, SimTime.MS);
        Fabric fabric = Topology.leafSpine(
                world,
                new Topology.LeafSpine(
                        2,
                        2,
                        2,
                        1,
                        NicConfig.ofGbit(100),
                        LinkConfig.port(100_000_000_000L, SimTime.US, 20_000).withFaults(faults),
                        LinkConfig.port(50_000_000_000L, SimTime.US, 20_000)));
        ToyNode[] nodes = new ToyNode[4];
        for (int i = 0; i < 4; i++) {
            nodes[i] = ToyNode.on(fabric, "h" + i).fromRandomPorts(64);
        }
        for (int i = 0; i < 4; i++) {
            nodes[i].sends(500, WIRE_BYTES, nodes[(i + 2) % 4]);
        }
        while (world.step()) {
            assertThat(world.conservation().fault()).isEmpty();
        }
        assertThat(world.packets().inUse()).isZero();
        long lost = 0;
        for (Link link : fabric.links()) {
            lost += link.counters().droppedTotal();
        }
        assertThat(lost).isEqualTo(world.conservation().droppedPackets()).isPositive();
    }

    private static long noisy(long seed) {
        World world = World.ofSeed(seed);
        LinkConfig.Faults faults = LinkConfig.Faults.NONE.withLoss(50_000, 1);
        Fabric fabric = Topology.pair(
                world,
                Topology.Pair.skewed(2).withLink(LinkConfig.wire(SimTime.US).withFaults(faults)));
        ToyNode b = ToyNode.on(fabric, "b").answers(300);
        ToyNode.on(fabric, "a").fromRandomPorts(64).sends(500, WIRE_BYTES, b);
        world.run(10_000_000);
        assertThat(world.conservation().fault()).isEmpty();
        return world.trace().value();
    }
}

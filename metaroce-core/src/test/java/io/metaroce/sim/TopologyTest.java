package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final int WIRE_BYTES = 1000;
    private static final long SERIAL_PS = 80 * SimTime.NS;
    private static final NicConfig NIC = NicConfig.ofGbit(100);
    private static final LinkConfig PORT = LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 20);

    @Test
    void skewedLinksReorderAcrossPortsAndNeverWithinOne() {
        assertThat(isOrdered(overSkewedLinks(64))).isFalse();
        assertThat(isOrdered(overSkewedLinks(1))).isTrue();
    }

    @Test
    void planesArePacketsApart() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.pair(world, new Topology.Pair(3, 2, NIC, LinkConfig.wire(0), 0));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").onPlane(2).sends(10, WIRE_BYTES, b);
        world.faults(FaultScript.parse("at 0 plane 0 down\nat 0 plane 1 down"));
        world.run(100_000);
        assertThat(b.arrivals()).hasSize(10);
        assertThat(fabric.attachment("a").port(2).packetsSent()).isEqualTo(10);
        assertThat(fabric.attachment("a").port(0).packetsSent()).isZero();
    }

    @Test
    void aStarStoresAndForwards() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.star(world, new Topology.Star(4, 1, NIC, PORT));
        ToyNode c = ToyNode.on(fabric, "h2");
        ToyNode.on(fabric, "h0").sends(3, WIRE_BYTES, c);
        world.run(100_000);
        for (int i = 0; i < 3; i++) {
            assertThat(c.arrivedAt().get(i)).isEqualTo((i + 2) * SERIAL_PS + 2 * SimTime.US);
        }
    }

    @Test
    void twoSendersShareTheLastHop() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.star(world, new Topology.Star(3, 1, NIC, PORT));
        ToyNode c = ToyNode.on(fabric, "h2");
        ToyNode.on(fabric, "h0").sends(50, WIRE_BYTES, c);
        ToyNode.on(fabric, "h1").sends(50, WIRE_BYTES, c);
        world.run(1_000_000);
        // Work conserving: 100 packets back to back after the first store and forward.
        assertThat(c.arrivedAt().get(99)).isEqualTo(101 * SERIAL_PS + 2 * SimTime.US);
    }

    @Test
    void leavesAndSpinesReachEverybodyOverEverySpine() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.leafSpine(world, new Topology.LeafSpine(3, 4, 2, 2, NIC, PORT, PORT));
        List<ToyNode> nodes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            nodes.add(ToyNode.on(fabric, "h" + i).fromRandomPorts(64).onPlane(i % 2));
        }
        for (int i = 0; i < 6; i++) {
            nodes.get(i).sends(40, WIRE_BYTES, nodes.get((i + 1) % 6));
        }
        world.run(10_000_000);
        for (ToyNode node : nodes) {
            assertThat(node.arrivals()).hasSize(40);
        }
        long used = fabric.links().stream()
                .filter(link ->
                        link.name().to().startsWith("spine") && link.counters().delivered() > 0)
                .count();
        assertThat(used).isGreaterThanOrEqualTo(3 * 4);
        assertThat(world.conservation().droppedPackets()).isZero();
    }

    @Test
    void aPacketToNobodyIsCounted() {
        World world = World.ofSeed(1);
        Fabric fabric = Topology.star(world, new Topology.Star(2, 1, NIC, PORT));
        ToyNode a = ToyNode.on(fabric, "h0");
        int packet = world.packets().take(100);
        world.packets().address(packet, 0, 1, 77, 2);
        fabric.attachment("h0").port(0).send(0, packet);
        world.run(100_000);
        assertThat(world.conservation().droppedPackets()).isEqualTo(1);
        assertThat(a.arrivals()).isEmpty();
    }

    private static List<Long> overSkewedLinks(int ports) {
        World world = World.ofSeed(4);
        Fabric fabric = Topology.pair(world, Topology.Pair.skewed(1));
        ToyNode b = ToyNode.on(fabric, "b");
        ToyNode.on(fabric, "a").fromRandomPorts(ports).sends(200, WIRE_BYTES, b);
        world.run(1_000_000);
        assertThat(b.arrivals()).hasSize(200);
        return b.arrivals();
    }

    private static boolean isOrdered(List<Long> numbers) {
        List<Long> sorted = new ArrayList<>(numbers);
        Collections.sort(sorted);
        return sorted.equals(numbers);
    }
}

package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FatTreeTest {
    private static final int WIRE_BYTES = 1000;
    private static final long SERIAL_PS = 80 * SimTime.NS;
    private static final LinkConfig PORT = LinkConfig.port(100_000_000_000L, SimTime.US, 1 << 24);
    private static final FatTree TREE = new FatTree(3, 2, 2, 2, 4, 1, NicConfig.ofGbit(100), PORT, PORT);

    /** Two links under a leaf, four in a pod, six between pods; each is one delay and, after the first, one packet. */
    @ParameterizedTest
    @CsvSource({"h0, h1, 2", "h0, h3, 4", "h0, h4, 6", "h11, h0, 6"})
    void linksOnTheWay(String from, String to, int links) {
        World world = World.ofSeed(1);
        Fabric fabric = TREE.build(world);
        ToyNode target = ToyNode.on(fabric, to);
        ToyNode.on(fabric, from).sends(1, WIRE_BYTES, target);
        world.run(100_000);
        assertThat(target.arrivedAt()).containsExactly(links * (SERIAL_PS + SimTime.US));
    }

    @Test
    void everybodyReachesEverybodyOverEveryCore() {
        World world = World.ofSeed(2);
        Fabric fabric = TREE.build(world);
        List<ToyNode> nodes = new ArrayList<>();
        for (Attachment place : fabric.attachments()) {
            nodes.add(ToyNode.on(fabric, place.name()).fromRandomPorts(1024));
        }
        for (int shift = 1; shift < nodes.size(); shift++) {
            for (int i = 0; i < nodes.size(); i++) {
                nodes.get(i).sends(50, WIRE_BYTES, nodes.get((i + shift) % nodes.size()));
            }
            world.run(1_000_000);
        }
        for (ToyNode node : nodes) {
            assertThat(node.arrivals()).hasSize(50 * (nodes.size() - 1));
        }
        assertThat(world.conservation().fault()).isEmpty();
        for (Link link : fabric.links()) {
            assertThat(link.counters().delivered()).as(link.name().text()).isPositive();
        }
    }

    @Test
    void aPlaneIsAWholeTree() {
        FatTree two = new FatTree(3, 2, 2, 2, 4, 2, NicConfig.ofGbit(100), PORT, PORT);
        Fabric fabric = two.build(World.ofSeed(1));
        // 12 hosts, 6 leaves with 2 ways up, 6 aggregation switches with 4; all both ways.
        assertThat(fabric.links()).hasSize(2 * 2 * (12 + 6 * 2 + 6 * 4));
        assertThat(fabric.switches()).hasSize(2 * (6 + 6 + 8));
        assertThatThrownBy(() -> new FatTree(0, 2, 2, 2, 4, 2, NicConfig.ofGbit(100), PORT, PORT))
                .hasMessageContaining("pods 0");
    }
}

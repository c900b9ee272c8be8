package io.metaroce.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.sim.light.FabricLoad;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The selector beside a plain heap, over a whole run: both name the same leaf before each event, so a world that asked
 * the heap would be the same world.
 */
class EventTreeTwinTest {
    private record Entry(long key, int leaf) {}

    private final PriorityQueue<Entry> heap =
            new PriorityQueue<>(Comparator.comparingLong(Entry::key).thenComparingInt(Entry::leaf));
    private long[] keys = {};

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHeapWouldNameTheSameEvents(boolean isExact) {
        FabricLoad load = new FabricLoad(1, 64, WorldConfig.Order.OF_TIME);
        World world = load.world();
        if (isExact) {
            world.fabric().exactPorts(PortConfig.PLAIN);
        }
        EventTree tree = world.tree();
        follow(tree);
        do {
            assertThat(tree.first()).isEqualTo(earliest().leaf());
            assertThat(tree.firstKey()).isEqualTo(earliest().key());
        } while (step(world, tree));
        assertThat(load.packets()).isEqualTo(64 * 64);
    }

    private boolean step(World world, EventTree tree) {
        boolean isGoingOn = world.step();
        follow(tree);
        return isGoingOn;
    }

    private void follow(EventTree tree) {
        int known = keys.length;
        keys = Arrays.copyOf(keys, tree.leaves());
        for (int leaf = 0; leaf < keys.length; leaf++) {
            if (leaf >= known || keys[leaf] != tree.key(leaf)) {
                keys[leaf] = tree.key(leaf);
                heap.add(new Entry(keys[leaf], leaf));
            }
        }
    }

    private Entry earliest() {
        Entry top = heap.element();
        while (keys[top.leaf()] != top.key()) {
            heap.remove();
            top = heap.element();
        }
        return top;
    }
}

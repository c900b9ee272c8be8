package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One switch of one plane: looks up the destination, picks among equal-cost links by hash, and forgets the packet. */
public final class Switch implements LinkTarget {
    private final World world;
    private final String name;
    private final int plane;
    private final SplitMix64 salts;
    private Link[] @Nullable [] nextHops = {}; // by destination node
    private long salt;

    Switch(World world, String name, int plane, int number) {
        this.world = world;
        this.name = name;
        this.plane = plane;
        salts = world.seeds().stream("switch.salt", ((long) plane << 32) + number);
        salt = salts.nextLong();
    }

    /** Its name, the same in every plane. */
    public String name() {
        return name;
    }

    /** Its plane. */
    public int plane() {
        return plane;
    }

    /** Packets to {@code node} leave by one of {@code links}. */
    void route(int node, Link[] links) {
        if (node >= nextHops.length) {
            nextHops = Arrays.copyOf(nextHops, 2 * node + 1);
        }
        nextHops[node] = links;
    }

    /** Draws another salt: every choice it made changes, under running traffic. */
    void changeSalt() {
        salt = salts.nextLong();
    }

    @Override
    public void onArrival(long timePs, Link over, int packet) {
        int node = world.packets().destination(packet);
        if (node >= 0 && node < nextHops.length) {
            Link[] links = nextHops[node];
            if (links != null) {
                links[pick(packet, links.length)].enqueue(timePs, packet);
                return;
            }
        }
        world.dropped(timePs, over.id(), name, packet, DropCause.NO_ROUTE);
    }

    private int pick(int packet, int choices) {
        return choices == 1 ? 0 : EcmpHash.pick(EcmpHash.of(world.packets(), packet, salt), choices);
    }
}

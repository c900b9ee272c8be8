package io.metaroce.sim;

import io.metaroce.num.SplitMix64;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One switch of one plane: looks up the destination, picks among equal-cost links by hash, and forgets the packet. */
public final class Switch implements LinkTarget {
    private final World world;
    private final String name;
    private final int plane;
    private final long component;
    private final int turn;
    private final SplitMix64 salts;
    private Link[] @Nullable [] nextHops = {}; // by destination node
    private long salt;
    private @Nullable SplitMix64 pairs; // of links, for adaptive routing
    private boolean saysWhereFrom;

    Switch(World world, String name, int plane, int number) {
        this.world = world;
        this.name = name;
        this.plane = plane;
        turn = world.addNode();
        component = ((long) plane << 32) + number;
        salts = world.seeds().stream("switch.salt", component);
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

    /** Whether a link leaves it. */
    boolean feeds(Link link) {
        return link.name().plane() == plane && link.name().from().equals(name);
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

    /** From now on each packet goes to the shorter queue of two links drawn at random. */
    void adapts() {
        pairs = world.seeds().stream("switch.adaptive", component);
    }

    /** From now on packets say over which link they came, while they wait in its ports. */
    void saysWhereFrom() {
        saysWhereFrom = true;
    }

    @Override
    public void onArrival(long timePs, Link over, int packet) {
        int node = world.packets().destination(packet);
        if (node >= 0 && node < nextHops.length) {
            Link[] links = nextHops[node];
            if (links != null) {
                if (saysWhereFrom) {
                    world.packets().ingress(packet, over.id());
                }
                pick(timePs, packet, links).enqueue(timePs, packet);
                return;
            }
        }
        world.dropped(timePs, over.id(), name, packet, DropCause.NO_ROUTE);
    }

    @Override
    public int turn() {
        return turn;
    }

    private Link pick(long nowPs, int packet, Link[] links) {
        if (links.length == 1) {
            return links[0];
        }
        return pairs == null
                ? links[EcmpHash.pick(EcmpHash.of(world.packets(), packet, salt), links.length)]
                : shorterOfTwo(nowPs, links, pairs);
    }

    private static Link shorterOfTwo(long nowPs, Link[] links, SplitMix64 draws) {
        int first = draws.nextInt(links.length);
        int second = draws.nextInt(links.length - 1);
        Link one = links[first];
        Link other = links[second < first ? second : second + 1];
        boolean isOther = !one.isUp() || (other.isUp() && other.waitPs(nowPs) < one.waitPs(nowPs));
        return isOther ? other : one;
    }
}

package io.metaroce.sim;

/** Builders of fabrics. Every plane is a complete copy with salts of its own; planes share nothing. */
public final class Topology {
    private Topology() {}

    /**
     * Two hosts and nothing between them but cables.
     *
     * @param planes planes, 1..16
     * @param links parallel equal-cost links per plane and direction; the source port decides which one a packet takes
     * @param nic what both NICs do
     * @param link what each link does
     * @param skewPs how much longer each link is than the one before: packets on different links overtake each other,
     *     packets on one link never do
     */
    public record Pair(int planes, int links, NicConfig nic, LinkConfig link, long skewPs) {
        /** One plane, one link without loss: 100 Gbit/s, 1 us each way. */
        public static Pair plain() {
            return new Pair(1, 1, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US), 0);
        }

        /** Four links per plane whose delays differ by half a microsecond: packets overtake each other. */
        public static Pair skewed(int planes) {
            return new Pair(planes, 4, NicConfig.ofGbit(100), LinkConfig.wire(SimTime.US), SimTime.US / 2);
        }

        /** The same with links of another kind. */
        public Pair withLink(LinkConfig value) {
            return new Pair(planes, links, nic, value, skewPs);
        }
    }

    /**
     * Hosts around one switch.
     *
     * @param hosts hosts, called h0, h1 and so on
     * @param planes planes, 1..16
     * @param nic what every NIC does
     * @param down what the links from the switch to the hosts do; those to the switch have the same delay and no queue
     */
    public record Star(int hosts, int planes, NicConfig nic, LinkConfig down) {}

    /**
     * Two tiers: every leaf is connected to every spine.
     *
     * @param leaves leaf switches
     * @param spines spine switches
     * @param hostsPerLeaf hosts at each leaf, called h0, h1 and so on, leaf by leaf
     * @param planes planes, 1..16
     * @param nic what every NIC does
     * @param edge what the links from leaves to hosts do
     * @param core what the links between leaves and spines do, both ways
     */
    public record LeafSpine(
            int leaves, int spines, int hostsPerLeaf, int planes, NicConfig nic, LinkConfig edge, LinkConfig core) {}

    /** Builds two hosts, called a and b; cables are called a-b.0, a-b.1 and so on. */
    public static Fabric pair(World world, Pair shape) {
        Fabric fabric = new Fabric(world);
        Attachment a = fabric.addAttachment("a", shape.planes(), shape.nic());
        Attachment b = fabric.addAttachment("b", shape.planes(), shape.nic());
        for (int plane = 0; plane < shape.planes(); plane++) {
            Link[] there = new Link[shape.links()];
            Link[] back = new Link[shape.links()];
            for (int i = 0; i < shape.links(); i++) {
                long delayPs = shape.link().delayPs()
                        + i * shape.skewPs()
                        + shape.nic().rxLatencyPs();
                LinkConfig config = shape.link().withDelay(delayPs);
                String cable = "a-b." + i;
                there[i] = fabric.addLink(new LinkName(plane, cable, "a", "b"), config, b);
                back[i] = fabric.addLink(new LinkName(plane, cable, "b", "a"), config, a);
            }
            a.port(plane).feeds(there);
            b.port(plane).feeds(back);
        }
        world.built(fabric);
        return fabric;
    }

    /** Builds hosts around one switch, called hub; cables are called h0-hub and so on. */
    public static Fabric star(World world, Star shape) {
        Fabric fabric = new Fabric(world);
        for (int i = 0; i < shape.hosts(); i++) {
            fabric.addAttachment("h" + i, shape.planes(), shape.nic());
        }
        for (int plane = 0; plane < shape.planes(); plane++) {
            Switch hub = fabric.addSwitch("hub", plane);
            for (Attachment host : fabric.attachments()) {
                hub.route(host.node(), new Link[] {access(fabric, plane, host, hub, shape.nic(), shape.down())});
            }
        }
        world.built(fabric);
        return fabric;
    }

    /** Builds two tiers; switches are called leaf0, spine0 and so on, cables h0-leaf0 and leaf0-spine1. */
    public static Fabric leafSpine(World world, LeafSpine shape) {
        Fabric fabric = new Fabric(world);
        for (int i = 0; i < shape.leaves() * shape.hostsPerLeaf(); i++) {
            fabric.addAttachment("h" + i, shape.planes(), shape.nic());
        }
        for (int plane = 0; plane < shape.planes(); plane++) {
            buildTiers(fabric, shape, plane);
        }
        world.built(fabric);
        return fabric;
    }

    private static void buildTiers(Fabric fabric, LeafSpine shape, int plane) {
        Switch[] leaves = switches(fabric, "leaf", plane, shape.leaves());
        Switch[] spines = switches(fabric, "spine", plane, shape.spines());
        for (Attachment host : fabric.attachments()) {
            Switch leaf = leaves[host.node() / shape.hostsPerLeaf()];
            leaf.route(host.node(), new Link[] {access(fabric, plane, host, leaf, shape.nic(), shape.edge())});
        }
        for (int l = 0; l < shape.leaves(); l++) {
            Link[] ups = new Link[shape.spines()];
            for (int s = 0; s < shape.spines(); s++) {
                String cable = leaves[l].name() + "-" + spines[s].name();
                LinkName up = new LinkName(plane, cable, leaves[l].name(), spines[s].name());
                LinkName down = new LinkName(plane, cable, spines[s].name(), leaves[l].name());
                ups[s] = fabric.addLink(up, shape.core(), spines[s]);
                Link[] only = {fabric.addLink(down, shape.core(), leaves[l])};
                for (int h = 0; h < shape.hostsPerLeaf(); h++) {
                    spines[s].route(l * shape.hostsPerLeaf() + h, only);
                }
            }
            for (Attachment host : fabric.attachments()) {
                if (host.node() / shape.hostsPerLeaf() != l) {
                    leaves[l].route(host.node(), ups);
                }
            }
        }
    }

    // Both directions between a host and its switch; the NIC has serialised already, so the way up has no queue.
    static Link access(Fabric fabric, int plane, Attachment host, Switch to, NicConfig nic, LinkConfig config) {
        String cable = host.name() + "-" + to.name();
        Link up = fabric.addLink(
                new LinkName(plane, cable, host.name(), to.name()), LinkConfig.wire(config.delayPs()), to);
        host.port(plane).feeds(new Link[] {up});
        return fabric.addLink(
                new LinkName(plane, cable, to.name(), host.name()),
                config.withDelay(config.delayPs() + nic.rxLatencyPs()),
                host);
    }

    static Switch[] switches(Fabric fabric, String tier, int plane, int count) {
        Switch[] made = new Switch[count];
        for (int i = 0; i < count; i++) {
            made[i] = fabric.addSwitch(tier + i, plane);
        }
        return made;
    }
}

package io.metaroce.sim;

/**
 * Two sites of two tiers each, far from each other: every spine of a site is linked to its border switch, as often as
 * to leaves, and the two borders are joined by equal links. One plane. Hosts h0, h1 and so on are those of the first
 * site, then those of the second; switches of the second have names such as far-leaf0.
 *
 * @param leaves leaf switches of a site
 * @param spines spine switches of a site
 * @param hostsPerLeaf hosts at each leaf
 * @param hauls links between the borders, each way
 * @param nic what every NIC does
 * @param inside what the links within a site do
 * @param haul what each link between the borders does; cables are called haul0 and so on
 */
public record FarSites(
        int leaves, int spines, int hostsPerLeaf, int hauls, NicConfig nic, LinkConfig inside, LinkConfig haul) {
    private static final String[] PREFIXES = {"", "far-"};

    /** One site while it is built. */
    private static final class Site {
        final int firstHost;
        final Switch[] leaves;
        final Switch[] spines;
        final Switch border;

        Site(int firstHost, Switch[] leaves, Switch[] spines, Switch border) {
            this.firstHost = firstHost;
            this.leaves = leaves;
            this.spines = spines;
            this.border = border;
        }
    }

    /** Hosts of a site. */
    public int hostsOfSite() {
        return leaves * hostsPerLeaf;
    }

    /** Builds it. */
    public Fabric build(World world) {
        Fabric fabric = new Fabric(world);
        for (int i = 0; i < PREFIXES.length * hostsOfSite(); i++) {
            fabric.addAttachment("h" + i, 1, nic);
        }
        Site here = site(fabric, 0);
        Site there = site(fabric, 1);
        Link[] out = new Link[hauls];
        Link[] back = new Link[hauls];
        for (int i = 0; i < hauls; i++) {
            out[i] = link(fabric, "haul" + i, here.border, there.border, haul);
            back[i] = link(fabric, "haul" + i, there.border, here.border, haul);
        }
        routeAll(here.border, there, out);
        routeAll(there.border, here, back);
        connect(fabric, here, there);
        connect(fabric, there, here);
        world.built(fabric);
        return fabric;
    }

    private Site site(Fabric fabric, int number) {
        String prefix = PREFIXES[number];
        return new Site(
                number * hostsOfSite(),
                Topology.switches(fabric, prefix + "leaf", 0, leaves),
                Topology.switches(fabric, prefix + "spine", 0, spines),
                fabric.addSwitch(prefix + "border", 0));
    }

    // Everything within a site, and the ways from its leaves to its border; the other site is beyond it.
    private void connect(Fabric fabric, Site site, Site other) {
        for (Attachment host : fabric.attachments()) {
            int place = host.node() - site.firstHost;
            if (place >= 0 && place < hostsOfSite()) {
                Switch leaf = site.leaves[place / hostsPerLeaf];
                leaf.route(host.node(), new Link[] {Topology.access(fabric, 0, host, leaf, nic, inside)});
            }
        }
        Link[] down = new Link[spines * leaves];
        for (int s = 0; s < spines; s++) {
            Link[] up = new Link[leaves];
            for (int l = 0; l < leaves; l++) {
                String cable = cable(site.spines[s], site.border) + "." + l;
                down[s * leaves + l] = link(fabric, cable, site.border, site.spines[s], inside);
                up[l] = link(fabric, cable, site.spines[s], site.border, inside);
            }
            routeAll(site.spines[s], other, up);
        }
        routeAll(site.border, site, down);
        for (int l = 0; l < leaves; l++) {
            Link[] ups = new Link[spines];
            for (int s = 0; s < spines; s++) {
                String cable = cable(site.leaves[l], site.spines[s]);
                ups[s] = link(fabric, cable, site.leaves[l], site.spines[s], inside);
                routeLeaf(
                        site.spines[s], site, l, new Link[] {link(fabric, cable, site.spines[s], site.leaves[l], inside)
                        });
            }
            routeAll(site.leaves[l], other, ups);
            for (int k = 0; k < leaves; k++) {
                if (k != l) {
                    routeLeaf(site.leaves[l], site, k, ups);
                }
            }
        }
    }

    private void routeAll(Switch from, Site to, Link[] links) {
        for (int l = 0; l < leaves; l++) {
            routeLeaf(from, to, l, links);
        }
    }

    private void routeLeaf(Switch from, Site to, int leaf, Link[] links) {
        for (int h = 0; h < hostsPerLeaf; h++) {
            from.route(to.firstHost + leaf * hostsPerLeaf + h, links);
        }
    }

    private static String cable(Switch lower, Switch upper) {
        return lower.name() + "-" + upper.name();
    }

    private static Link link(Fabric fabric, String cable, Switch from, Switch to, LinkConfig config) {
        return fabric.addLink(new LinkName(0, cable, from.name(), to.name()), config, to);
    }
}

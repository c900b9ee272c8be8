package io.metaroce.sim;

import java.util.ArrayList;
import java.util.List;

/** Two switches far from each other: h0, which receives, and its neighbours at the first, the rest at the second. */
final class TwoSites {
    private TwoSites() {}

    /**
     * Builds it, one plane.
     *
     * @param near hosts at the site of h0, which is one more
     * @param far hosts at the other site
     * @param down links from switches to hosts; those to the switches have the same delay and no queue
     * @param haul the link between the sites, each way
     */
    static Fabric build(World world, int near, int far, NicConfig nic, LinkConfig down, LinkConfig haul) {
        Fabric fabric = new Fabric(world);
        for (int i = 0; i < 1 + near + far; i++) {
            fabric.addAttachment("h" + i, 1, nic);
        }
        Switch here = fabric.addSwitch("here", 0);
        Switch there = fabric.addSwitch("there", 0);
        Link[] out = {fabric.addLink(new LinkName(0, "here-there", "here", "there"), haul, there)};
        Link[] back = {fabric.addLink(new LinkName(0, "here-there", "there", "here"), haul, here)};
        List<Attachment> hosts = new ArrayList<>(fabric.attachments());
        for (Attachment host : hosts) {
            boolean isNear = host.node() <= near;
            Switch own = isNear ? here : there;
            Switch other = isNear ? there : here;
            own.route(host.node(), new Link[] {Topology.access(fabric, 0, host, own, nic, down)});
            other.route(host.node(), isNear ? back : out);
        }
        world.built(fabric);
        return fabric;
    }
}

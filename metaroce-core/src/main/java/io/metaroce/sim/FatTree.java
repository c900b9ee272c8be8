package io.metaroce.sim;

/**
 * Three tiers: hosts under leaves, leaves and aggregation switches in pods, cores above. Every leaf is connected to
 * every aggregation switch of its pod; aggregation switch a of every pod is connected to the cores of group a.
 *
 * <p>Hosts are called h0, h1 and so on, pod by pod and leaf by leaf; switches leaf0, agg0, core0 and so on, counted in
 * the same way through all pods or groups; cables by both ends, such as {@code h0-leaf0}, {@code leaf0-agg1},
 * {@code agg1-core5}. Between pods there are six links one after the other, within a pod four, under a leaf two.
 *
 * @param pods pods
 * @param leaves leaves of a pod
 * @param aggregations aggregation switches of a pod
 * @param hostsPerLeaf hosts under a leaf
 * @param coresPerGroup cores above each aggregation switch
 * @param planes planes, 1..16
 * @param nic what every NIC does
 * @param edge what the links from leaves to hosts do
 * @param inner what all links between switches do, both ways
 */
public record FatTree(
        int pods,
        int leaves,
        int aggregations,
        int hostsPerLeaf,
        int coresPerGroup,
        int planes,
        NicConfig nic,
        LinkConfig edge,
        LinkConfig inner) {
    /** Checks the bounds. */
    public FatTree {
        if (Math.min(Math.min(pods, leaves), Math.min(aggregations, Math.min(hostsPerLeaf, coresPerGroup))) < 1) {
            throw new IllegalArgumentException("a fat tree needs at least one of everything: pods " + pods + ", leaves "
                    + leaves + ", aggregations " + aggregations + ", hosts per leaf " + hostsPerLeaf
                    + ", cores per group " + coresPerGroup);
        }
    }

    /** Hosts in all. */
    public int hosts() {
        return pods * leaves * hostsPerLeaf;
    }

    /** Builds it in a world. */
    public Fabric build(World world) {
        Fabric fabric = new Fabric(world);
        for (int i = 0; i < hosts(); i++) {
            fabric.addAttachment("h" + i, planes, nic);
        }
        for (int plane = 0; plane < planes; plane++) {
            buildPlane(fabric, plane);
        }
        world.built(fabric);
        return fabric;
    }

    private void buildPlane(Fabric fabric, int plane) {
        Switch[] leaf = Topology.switches(fabric, "leaf", plane, pods * leaves);
        Switch[] agg = Topology.switches(fabric, "agg", plane, pods * aggregations);
        Switch[] core = Topology.switches(fabric, "core", plane, aggregations * coresPerGroup);
        for (Attachment host : fabric.attachments()) {
            Switch above = leaf[host.node() / hostsPerLeaf];
            above.route(host.node(), new Link[] {Topology.access(fabric, plane, host, above, nic, edge)});
        }
        for (int pod = 0; pod < pods; pod++) {
            buildPod(fabric, plane, pod, leaf, agg);
            for (int a = 0; a < aggregations; a++) {
                buildTop(fabric, plane, pod, agg[pod * aggregations + a], core, a * coresPerGroup);
            }
        }
    }

    // Leaves up to their aggregation switches, and these down to the leaves.
    private void buildPod(Fabric fabric, int plane, int pod, Switch[] leaf, Switch[] agg) {
        for (int l = pod * leaves; l < (pod + 1) * leaves; l++) {
            Link[] ups = new Link[aggregations];
            for (int a = 0; a < aggregations; a++) {
                Switch above = agg[pod * aggregations + a];
                ups[a] = link(fabric, plane, leaf[l], above, leaf[l], above);
                Link[] down = {link(fabric, plane, leaf[l], above, above, leaf[l])};
                for (int h = l * hostsPerLeaf; h < (l + 1) * hostsPerLeaf; h++) {
                    above.route(h, down);
                }
            }
            for (int h = 0; h < hosts(); h++) {
                if (h / hostsPerLeaf != l) {
                    leaf[l].route(h, ups);
                }
            }
        }
    }

    // One aggregation switch up to the cores of its group, and these down to it.
    private void buildTop(Fabric fabric, int plane, int pod, Switch agg, Switch[] core, int firstCore) {
        int hostsPerPod = leaves * hostsPerLeaf;
        Link[] ups = new Link[coresPerGroup];
        for (int c = 0; c < coresPerGroup; c++) {
            Switch above = core[firstCore + c];
            ups[c] = link(fabric, plane, agg, above, agg, above);
            Link[] down = {link(fabric, plane, agg, above, above, agg)};
            for (int h = pod * hostsPerPod; h < (pod + 1) * hostsPerPod; h++) {
                above.route(h, down);
            }
        }
        for (int h = 0; h < hosts(); h++) {
            if (h / hostsPerPod != pod) {
                agg.route(h, ups);
            }
        }
    }

    private Link link(Fabric fabric, int plane, Switch lower, Switch upper, Switch from, Switch to) {
        String cable = lower.name() + "-" + upper.name();
        return fabric.addLink(new LinkName(plane, cable, from.name(), to.name()), inner, to);
    }
}

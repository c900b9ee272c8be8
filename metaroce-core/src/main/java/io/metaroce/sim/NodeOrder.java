package io.metaroce.sim;

import java.util.Arrays;

/**
 * The next events of a world, node by node: of each host and each switch what arrives over the links that lead to it,
 * and its own wakes.
 *
 * <p>What a node sends reaches another after the delay of a link at the earliest. So whatever happens to it within the
 * least delay of all links is known beforehand, and nodes may work that off one after the other: each sees the same
 * things at the same instants in the same order as if the earliest event of all always came first. Only the order in
 * which an onlooker sees different nodes is another, and what a node remembers is in the cache while it is needed.
 *
 * <p>Nodes have sides, so that every link leads to the other side, as tiers do that are counted odd and even. Of two
 * sides that take turns each is always one delay ahead of the other, and goes on for two.
 */
final class NodeOrder {
    private EventTree[] trees = new EventTree[64];
    private int[][] leafOfPlace = new int[64][];
    private int nodes;
    private int[] nodeOfLeaf = new int[256];
    private int[] placeOfLeaf = new int[256];
    private byte[] side = {};
    private boolean hasTwoSides;

    /** Adds a node without events. Set-up only. */
    int addNode() {
        if (nodes == trees.length) {
            trees = Arrays.copyOf(trees, 2 * nodes);
            leafOfPlace = Arrays.copyOf(leafOfPlace, 2 * nodes);
        }
        trees[nodes] = new EventTree();
        leafOfPlace[nodes] = new int[16];
        return nodes++;
    }

    /** A leaf of the world belongs to a node. Set-up only. */
    void addLeaf(int leaf, int node) {
        if (leaf >= nodeOfLeaf.length) {
            nodeOfLeaf = Arrays.copyOf(nodeOfLeaf, 2 * leaf);
            placeOfLeaf = Arrays.copyOf(placeOfLeaf, 2 * leaf);
        }
        int place = trees[node].addLeaf();
        if (place == leafOfPlace[node].length) {
            leafOfPlace[node] = Arrays.copyOf(leafOfPlace[node], 2 * place);
        }
        leafOfPlace[node][place] = leaf;
        nodeOfLeaf[leaf] = node;
        placeOfLeaf[leaf] = place;
    }

    /** How many nodes there are. */
    int nodes() {
        return nodes;
    }

    /** 0 or 1. */
    int side(int node) {
        return side[node];
    }

    /**
     * How far a side may go beyond the other, in ps: the least delay of all links, or half of that where there are
     * links within a side.
     */
    long leastDelayPs(Fabric fabric) {
        if (side.length != nodes) {
            findSides(fabric);
        }
        long least = SimTime.NEVER;
        for (Link link : fabric.links()) {
            least = Math.min(least, link.config().delayPs());
        }
        long ahead = hasTwoSides ? least : least / 2;
        if (ahead < 1) {
            throw new IllegalStateException("a link without delay; change WorldConfig.order");
        }
        return ahead;
    }

    // Set-up only: from one node on, who is linked to a side is of the other.
    private void findSides(Fabric fabric) {
        side = new byte[nodes];
        boolean[] isKnown = new boolean[nodes];
        int[] from = new int[fabric.links().size()];
        for (int i = 0; i < from.length; i++) {
            from[i] = sender(fabric, fabric.links().get(i));
        }
        hasTwoSides = true;
        for (int node = 0; node < nodes; node++) {
            isKnown[node] = true; // of a part of the fabric that hangs together with none before, or known already
            for (boolean isGoingOn = true; isGoingOn; ) {
                isGoingOn = false;
                for (int i = 0; i < from.length; i++) {
                    int to = fabric.links().get(i).target().turn();
                    if (isKnown[from[i]] && !isKnown[to]) {
                        isKnown[to] = true;
                        side[to] = (byte) (1 - side[from[i]]);
                        isGoingOn = true;
                    }
                }
            }
        }
        for (int i = 0; i < from.length; i++) {
            hasTwoSides &= side[from[i]] != side[fabric.links().get(i).target().turn()];
        }
    }

    private static int sender(Fabric fabric, Link link) {
        Switch one = fabric.switchBefore(link);
        return one == null ? fabric.attachment(link.name().from()).turn() : one.turn();
    }

    /** The node a leaf belongs to. */
    int nodeOf(int leaf) {
        return nodeOfLeaf[leaf];
    }

    /** The next event of a leaf is at another time. */
    void set(int leaf, long timePs) {
        trees[nodeOfLeaf[leaf]].set(placeOfLeaf[leaf], timePs);
    }

    /** When the next event of a node is. */
    long nextPs(int node) {
        EventTree tree = trees[node];
        return tree.leaves() == 0 ? SimTime.NEVER : tree.firstKey();
    }

    /** Whose event that is. */
    int nextLeaf(int node) {
        return leafOfPlace[node][trees[node].first()];
    }

    /** When the next event of any node is. */
    long nextPs() {
        long earliest = SimTime.NEVER;
        for (int node = 0; node < nodes; node++) {
            earliest = Math.min(earliest, nextPs(node));
        }
        return earliest;
    }
}

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
 */
final class NodeOrder {
    private EventTree[] trees = new EventTree[64];
    private int[][] leafOfPlace = new int[64][];
    private int nodes;
    private int[] nodeOfLeaf = new int[256];
    private int[] placeOfLeaf = new int[256];

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

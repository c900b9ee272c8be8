package io.metaroce.tools.lab;

import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.List;

/** Who writes to whom. The same seed places every transport alike. */
final class Placement {
    private Placement() {}

    /**
     * Pairs of places, as many as the knob {@code pairs} says or else one for each host: hosts are taken leaf after
     * leaf; each writes to the host of the same number, turned by a draw, of another leaf.
     */
    static List<int[]> permutation(LabFabric fabric) {
        int pairs = fabric.knobs().number("pairs", fabric.places());
        SplitMix64 stream = fabric.world().seeds().stream("lab.placement", 0);
        int perLeaf = fabric.hostsPerLeaf();
        int leaves = fabric.places() / perLeaf;
        int shift = 1 + stream.nextInt(leaves - 1);
        int turn = stream.nextInt(perLeaf);
        List<int[]> all = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            int leaf = i % leaves;
            int number = i / leaves;
            all.add(new int[] {leaf * perLeaf + number, (leaf + shift) % leaves * perLeaf + (number + turn) % perLeaf});
        }
        return all;
    }
}

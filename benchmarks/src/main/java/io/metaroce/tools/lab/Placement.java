package io.metaroce.tools.lab;

import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.List;

/** Who writes to whom. The same seed places every transport alike. */
final class Placement {
    private Placement() {}

    /**
     * Pairs of places as the knobs ask for: any permutation if {@code random} is set, one from leaf to leaf otherwise.
     */
    static List<int[]> pairs(LabFabric fabric) {
        return fabric.knobs().isSet("random") ? random(fabric) : permutation(fabric);
    }

    /** Every host writes to one other and is written to by one other, whoever that is. */
    private static List<int[]> random(LabFabric fabric) {
        SplitMix64 stream = fabric.world().seeds().stream("lab.placement", 0);
        int[] to = new int[fabric.places()];
        // Sattolo's shuffle of the identity: one cycle through all, so that nobody writes to himself.
        for (int i = 0; i < to.length; i++) {
            to[i] = i;
        }
        for (int i = to.length - 1; i > 0; i--) {
            int j = stream.nextInt(i);
            int swapped = to[i];
            to[i] = to[j];
            to[j] = swapped;
        }
        List<int[]> all = new ArrayList<>();
        for (int from = 0; from < to.length; from++) {
            all.add(new int[] {from, to[from]});
        }
        return all;
    }

    /**
     * Pairs of places, as many as the knob {@code pairs} says or else one for each host: hosts are taken leaf after
     * leaf; each writes to the host of the same number, turned by a draw, of another leaf.
     */
    private static List<int[]> permutation(LabFabric fabric) {
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

package io.metaroce.tools.lab;

import io.metaroce.num.SplitMix64;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Who writes to whom, where ranks are, and when each begins. The same seed places every transport alike. */
final class Placement {
    private static final String STREAM = "lab.placement";
    private static final String ALL_TO_ALL = "all_to_all";
    private static final String CLIENTS = "clients";

    private Placement() {}

    /**
     * Pairs of places as the knobs ask for: all of them if {@code all_to_all} is set, or else each of some
     * {@code clients} with each of some {@code servers}, or any permutation if {@code random} is set, or one from leaf
     * to leaf.
     */
    static List<int[]> pairs(LabFabric fabric) {
        if (fabric.knobs().isSet(ALL_TO_ALL)) {
            return allToAll(fabric);
        }
        if (fabric.knobs().isSet(CLIENTS)) {
            return clientsAndServers(fabric);
        }
        return fabric.knobs().isSet("random") ? random(fabric) : permutation(fabric);
    }

    /** How many of these pairs begin at each place at which one does. */
    static int flowsOfSender(LabFabric fabric) {
        return fabric.knobs().isSet(ALL_TO_ALL) ? fabric.places() - 1 : 1;
    }

    /** How long after the others a flow begins, in ns, as its seed draws it: less than {@code jitterNs}. */
    static long delayNs(LabFabric fabric, int flow, long jitterNs) {
        return jitterNs == 0
                ? 0
                : Math.floorMod(
                        fabric.world().seeds().stream("lab.jitter", flow).nextLong(), jitterNs);
    }

    /**
     * The place of each rank, as the knob {@code placement} says: 0 in order, 1 neighbours in different leaves, 2
     * drawn.
     */
    static List<Integer> ofRanks(LabFabric fabric) {
        int perLeaf = fabric.hostsPerLeaf();
        int leaves = fabric.places() / perLeaf;
        long placement = fabric.knobs().get("placement", 0);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < fabric.places(); i++) {
            places.add(placement == 1 ? i % leaves * perLeaf + i / leaves : i);
        }
        if (placement == 2) {
            SplitMix64 stream = fabric.world().seeds().stream(STREAM, 0);
            for (int i = places.size() - 1; i > 0; i--) {
                Collections.swap(places, i, stream.nextInt(i + 1));
            }
        }
        return places;
    }

    private static List<int[]> allToAll(LabFabric fabric) {
        List<int[]> all = new ArrayList<>();
        for (int k = 1; k < fabric.places(); k++) {
            for (int from = 0; from < fabric.places(); from++) {
                all.add(new int[] {from, (from + k) % fabric.places()});
            }
        }
        return all;
    }

    /** Clients are the first of the leaves, servers all others in turn, leaf by leaf. */
    private static List<int[]> clientsAndServers(LabFabric fabric) {
        int perLeaf = fabric.hostsPerLeaf();
        int leaves = fabric.places() / perLeaf;
        List<int[]> all = new ArrayList<>();
        for (int client = 0; client < fabric.knobs().number(CLIENTS); client++) {
            for (int server = 0; server < fabric.knobs().number("servers"); server++) {
                all.add(new int[] {client * perLeaf, server % leaves * perLeaf + 1 + server / leaves});
            }
        }
        return all;
    }

    /** Every host writes to one other and is written to by one other, whoever that is. */
    private static List<int[]> random(LabFabric fabric) {
        SplitMix64 stream = fabric.world().seeds().stream(STREAM, 0);
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
     * leaf; each writes to the host of the same number, turned by a draw, of another leaf. With {@code apart} no host
     * does both.
     */
    private static List<int[]> permutation(LabFabric fabric) {
        int pairs = fabric.knobs().number("pairs", fabric.places());
        SplitMix64 stream = fabric.world().seeds().stream(STREAM, 0);
        int perLeaf = fabric.hostsPerLeaf();
        int leaves = fabric.places() / perLeaf;
        int shift = 1 + stream.nextInt(leaves - 1);
        int senders = (pairs + leaves - 1) / leaves; // of a leaf
        int turn = fabric.knobs().isSet("apart")
                ? senders + stream.nextInt(Math.max(1, perLeaf - 2 * senders + 1))
                : stream.nextInt(perLeaf);
        List<int[]> all = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            int leaf = i % leaves;
            int number = i / leaves;
            all.add(new int[] {leaf * perLeaf + number, (leaf + shift) % leaves * perLeaf + (number + turn) % perLeaf});
        }
        return all;
    }
}

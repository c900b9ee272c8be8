package io.metaroce.tools.lab;

import io.metaroce.sim.Attachment;
import io.metaroce.sim.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Transfers through a fabric, and what it can carry of them at most. Its stages are the NICs, each way, and what leads
 * from a leaf, or from a pod, to the switches above and back, taken together as one link each. Links count with the
 * rate they have when asked, and those that are cut do not.
 */
final class FabricLoad {
    private final LabFabric fabric;
    private final List<List<String>> transfers = new ArrayList<>();
    private final Map<String, Double> bytes = new TreeMap<>(); // on the wire, by stage
    private final Map<String, Double> ways = new TreeMap<>(); // the shortest of each stage, in ns
    private final Map<String, Double> waysAndBack = new TreeMap<>();

    FabricLoad(LabFabric fabric) {
        this.fabric = fabric;
    }

    /** One more: so many messages of so many bytes, from the place that has them to the place that gets them. */
    void add(int from, int to, double messageBytes, double messages) {
        List<String> stages = stages(from, to);
        transfers.add(stages);
        double wire = messages * fabric.wire(messageBytes);
        stages.forEach(stage -> bytes.merge(stage, wire, Double::sum));
        double wayNs = fabric.wayNs(from, to, fabric.wire(LabFabric.lastPayload(messageBytes)));
        stages.forEach(stage -> ways.merge(stage, wayNs, Math::min));
        stages.forEach(stage -> waysAndBack.merge(stage, wayNs + fabric.answerNs(from, to), Math::min));
    }

    /**
     * The least time until all has arrived, in ns: what the stage that needs longest needs for all that passes it, and
     * the way of a packet of that.
     */
    double idealNs() {
        return longestNs(ways);
    }

    /** The same until the last sender knows, or, of what is read, until the last reader has it. */
    double idealAtSenderNs() {
        return longestNs(waysAndBack);
    }

    /** How long the stage that needs longest is busy, in ns. */
    double serialNs() {
        return longestNs(Map.of());
    }

    private double longestNs(Map<String, Double> more) {
        Map<String, Double> rates = rates();
        double longest = 0;
        for (Map.Entry<String, Double> one : bytes.entrySet()) {
            double rate = rates.getOrDefault(one.getKey(), Double.POSITIVE_INFINITY);
            longest = Math.max(longest, one.getValue() / rate * 1e9 + more.getOrDefault(one.getKey(), 0.0));
        }
        return longest;
    }

    /** Bytes per second on the wire that each transfer has while all go on and share fairly. */
    double[] shares() {
        return MaxMin.shares(rates(), transfers);
    }

    private List<String> stages(int from, int to) {
        List<String> stages = new ArrayList<>(List.of("h" + from + " out", "h" + to + " in"));
        above(stages, "leaf", from / fabric.hostsPerLeaf(), to / fabric.hostsPerLeaf());
        int hostsOfPod = fabric.hostsPerLeaf() * fabric.knobs().number("leaves");
        above(stages, "pod", from / hostsOfPod, to / hostsOfPod);
        return stages;
    }

    private static void above(List<String> stages, String what, int from, int to) {
        if (from != to) {
            stages.add(what + from + " up");
            stages.add(what + to + " down");
        }
    }

    /** Bytes per second of each stage, over all planes; a stage that is no limit is not named. */
    private Map<String, Double> rates() {
        Map<String, Double> rates = new TreeMap<>();
        for (Link link : fabric.fabric().links()) {
            String from = link.name().from();
            String to = link.name().to();
            if (isHost(from)) {
                Attachment place = fabric.fabric().attachment(from);
                long rate = place.port(link.name().plane()).rateBitsPerSecond();
                add(rates, from + " out", link, rate);
            } else if (isHost(to)) {
                add(rates, to + " in", link, link.config().rateBitsPerSecond());
            } else {
                between(rates, link, from, to);
            }
        }
        return rates;
    }

    private void between(Map<String, Double> rates, Link link, String from, String to) {
        long rate = link.config().rateBitsPerSecond();
        if (from.startsWith("leaf")) {
            add(rates, from + " up", link, rate);
        } else if (to.startsWith("leaf")) {
            add(rates, to + " down", link, rate);
        } else if (from.startsWith("agg")) {
            add(rates, pod(from) + " up", link, rate);
        } else if (to.startsWith("agg")) {
            add(rates, pod(to) + " down", link, rate);
        }
    }

    private String pod(String aggregation) {
        int number = Integer.parseInt(aggregation.substring("agg".length()));
        return "pod" + number / fabric.knobs().number("spines");
    }

    private static boolean isHost(String name) {
        return name.matches("h[0-9]+");
    }

    private static void add(Map<String, Double> rates, String stage, Link link, long bitsPerSecond) {
        rates.merge(stage, link.isUp() ? bitsPerSecond / 8.0 : 0, Double::sum);
    }
}

package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contest.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Goodput against that of others, beside what is wanted. */
final class Ratios {
    private static final List<String> OURS = List.of("metaroce", "metaroce-8k");
    private static final List<Bound> ON_LOOPBACK = List.of( // packets of at most 8 KiB, so without aeron-64k
            new Bound("Aeron", List.of("aeron-1k4", "aeron-8k"), 3),
            new Bound("QUIC of Netty", List.of("quic", "quic-bbr"), 3.5),
            new Bound("rxd", List.of("rxd", "rxd-writes"), 8));
    private static final double MUCH_LOSS = 0.1;
    private static final double WANTED_AT_MUCH_LOSS = 20;

    private record Bound(String against, List<String> peers, double wanted) {}

    private record Best(String peer, Samples samples) {}

    /**
     * One comparison.
     *
     * @param ratio NaN when one of the two was not measured
     * @param basis what was compared, or who is missing
     */
    record Ratio(String title, double ratio, double wanted, String basis) {
        /** "holds", "missed", or "not measured". */
        String verdict() {
            if (Double.isNaN(ratio)) {
                return "not measured";
            }
            return ratio >= wanted ? "holds" : "missed";
        }
    }

    private final List<Ratio> all = new ArrayList<>();

    private Ratios() {}

    /** Of a table over loopback, and of those with loss. */
    static Ratios of(Leg loopback, List<Leg> lossy) {
        Ratios ratios = new Ratios();
        for (Bound bound : ON_LOOPBACK) {
            ratios.add("loopback, packets of at most 8 KiB, to " + bound.against(), loopback, bound);
        }
        for (Leg leg : lossy) {
            if (leg.loss() == MUCH_LOSS) {
                List<String> others = leg.rows().stream()
                        .map(Leg.Row::peer)
                        .distinct()
                        .filter(peer -> !OURS.contains(peer))
                        .toList();
                ratios.add("10 % lost, to the best", leg, new Bound("the best", others, WANTED_AT_MUCH_LOSS));
            }
        }
        return ratios;
    }

    private void add(String title, Leg leg, Bound bound) {
        Best ours = best(leg, OURS);
        Best theirs = best(leg, bound.peers());
        double ratio = ours.samples().median() / theirs.samples().median();
        String basis = ours.peer() + " to " + theirs.peer();
        boolean isNear = ours.samples().isNear() && theirs.samples().isNear();
        all.add(new Ratio(title, ratio, bound.wanted(), isNear || Double.isNaN(ratio) ? basis : basis + ", not near"));
    }

    private static Best best(Leg leg, List<String> peers) {
        return peers.stream()
                .map(peer -> new Best(peer, leg.samples(peer, Figure.GOODPUT)))
                .filter(one -> !Double.isNaN(one.samples().median()))
                .max(Comparator.comparingDouble(one -> one.samples().median()))
                .orElseGet(() -> new Best(
                        peers.isEmpty() ? "nobody" : peers.stream().collect(Collectors.joining(" or ")),
                        new Samples()));
    }

    List<Ratio> all() {
        return all;
    }

    void print(Consumer<String> say) {
        say.accept("");
        say.accept("goodput of metaroce to that of others");
        for (Ratio one : all) {
            say.accept(String.format(
                    Locale.ROOT,
                    "%-52s %8s  wanted %4s  %-12s (%s)",
                    one.title(),
                    Double.isNaN(one.ratio()) ? "-" : String.format(Locale.ROOT, "%.2f", one.ratio()),
                    String.format(Locale.ROOT, "%.1f", one.wanted()),
                    one.verdict(),
                    one.basis()));
        }
    }

    void fill(ArrayNode node) {
        for (Ratio one : all) {
            ObjectNode ratio = node.addObject().put("title", one.title());
            if (!Double.isNaN(one.ratio())) {
                ratio.put("ratio", one.ratio());
            }
            ratio.put("wanted", one.wanted()).put("verdict", one.verdict()).put("basis", one.basis());
        }
    }
}

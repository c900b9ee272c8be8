package io.metaroce.tools.peers;

import io.metaroce.tools.peers.Contest.Entrant;
import io.metaroce.tools.peers.Contest.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of one contest, as it stood then.
 *
 * @param loss share of packets lost each way
 */
record Leg(String title, double loss, List<Row> rows, List<Out> outs) {
    private static final String LINE = "%-12s %-32s %10s %10s %10s %-7s %s";

    /** One figure of one peer. */
    record Row(String peer, Figure figure, Samples samples) {}

    /** One who was left out on the way. */
    record Out(String peer, String fault) {}

    /** What these tests have shown so far. */
    static Leg of(String title, double loss, Contest contest) {
        List<Row> rows = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            for (Entrant each : contest.entrants()) {
                if (each.samples.containsKey(figure)) {
                    rows.add(new Row(each.name, figure, each.samples(figure).copy()));
                }
            }
        }
        List<Out> outs = contest.entrants().stream()
                .filter(each -> !each.fault.isEmpty())
                .map(each -> new Out(each.name, each.fault))
                .toList();
        return new Leg(title, loss, rows, outs);
    }

    /** The samples of a figure of a peer; empty ones when it was not measured. */
    Samples samples(String peer, Figure figure) {
        return rows.stream()
                .filter(row -> row.peer().equals(peer) && row.figure() == figure)
                .map(Row::samples)
                .findFirst()
                .orElseGet(Samples::new);
    }

    void print(Consumer<String> say) {
        say.accept("");
        say.accept(title);
        say.accept(String.format(Locale.ROOT, LINE, "peer", "", "median", "least", "most", "", "samples"));
        rows.forEach(row -> say.accept(line(row)));
        outs.forEach(out -> say.accept(String.format(Locale.ROOT, "%-12s out: %s", out.peer(), out.fault())));
    }

    private static String line(Row row) {
        Samples samples = row.samples();
        Figure figure = row.figure();
        return String.format(
                Locale.ROOT,
                LINE,
                row.peer(),
                figure.title,
                text(figure, samples.median()),
                text(figure, samples.least()),
                text(figure, samples.most()),
                figure.unit,
                samples.isNear()
                        ? samples.nearCount() + " near, " + samples.otherCount() + " others left out"
                        : samples.otherCount() + ", none near");
    }

    private static String text(Figure figure, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, figure.format, value);
    }

    void fill(ObjectNode node) {
        node.put("title", title).put("loss", loss);
        ArrayNode all = node.putArray("rows");
        for (Row row : rows) {
            Samples samples = row.samples();
            all.addObject()
                    .put("peer", row.peer())
                    .put("figure", row.figure().title)
                    .put("unit", row.figure().unit)
                    .put("median", samples.median())
                    .put("least", samples.least())
                    .put("most", samples.most())
                    .put("near_samples", samples.nearCount())
                    .put("other_samples", samples.otherCount());
        }
        ArrayNode left = node.putArray("out");
        outs.forEach(out -> left.addObject().put("peer", out.peer()).put("why", out.fault()));
    }
}

package io.metaroce.tools.peers;

import io.metaroce.tools.JsonFile;
import io.metaroce.tools.Share;
import io.metaroce.tools.Span;
import io.metaroce.tools.peers.Contest.Entrant;
import io.metaroce.tools.peers.Contest.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** This transport beside others. */
@Command(
        name = "peers",
        description = {
            "This transport beside raw UDP and TCP, and Aeron and QUIC where the class path has them: goodput,"
                    + " processor time, messages of 64 bytes, round trips, and goodput where packets get lost.",
            "All take turns in one run; what is shown is the median, with least and most, of the samples that were"
                    + " taken while the two processors were near each other."
        },
        mixinStandardHelpOptions = true)
public final class PeersCommand implements Callable<Integer> {
    private static final String HOST = "127.0.0.1";

    @Option(names = "--only", split = ",", description = "Only these peers.")
    private List<String> only = List.of();

    @Option(names = "--rounds", defaultValue = "5", description = "Samples of each (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--time", defaultValue = "1s", description = "Length of a sample (${DEFAULT-VALUE}).")
    private Span time = Span.parse("1s");

    @Option(names = "--warm-up", defaultValue = "5s", description = "Before the first one (${DEFAULT-VALUE}).")
    private Span warmUp = Span.parse("5s");

    @Option(
            names = "--loss",
            split = ",",
            defaultValue = "0,0.01,0.1",
            description = "Shares lost between two network namespaces, each way (${DEFAULT-VALUE}).")
    private List<Share> losses = List.of();

    @Option(names = "--no-namespaces", description = "Leave out what needs network namespaces.")
    private boolean noNamespaces;

    @Mixin
    private JsonFile jsonFile = new JsonFile();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        List<Peer> peers =
                only.isEmpty() ? Peers.all() : only.stream().map(Peers::named).toList();
        for (Peer peer : peers) {
            say(String.format(Locale.ROOT, "%-12s %s", peer.name(), peer.about()));
        }
        List<Leg> legs = new ArrayList<>();
        legs.add(loopback(peers));
        if (noNamespaces) {
            say("between namespaces: left out as asked for");
        } else {
            legs.addAll(lossy(peers));
        }
        jsonFile.write(root -> {
            ArrayNode all = root.putArray("legs");
            legs.forEach(leg -> leg.fill(all.addObject()));
        });
        return 0;
    }

    /** The table of one contest, as it stood then. */
    private record Leg(String title, List<Row> rows) {
        void fill(ObjectNode node) {
            node.put("title", title);
            ArrayNode all = node.putArray("rows");
            rows.forEach(row -> row.fill(all.addObject()));
        }
    }

    /** One figure of one peer. */
    private record Row(String peer, Figure figure, Samples samples) {
        void fill(ObjectNode node) {
            node.put("peer", peer)
                    .put("figure", figure.title)
                    .put("unit", figure.unit)
                    .put("median", samples.median())
                    .put("least", samples.least())
                    .put("most", samples.most())
                    .put("near_samples", samples.nearCount())
                    .put("other_samples", samples.otherCount());
        }
    }

    private Leg loopback(List<Peer> peers) {
        try (Contest contest = new Contest(this::say)) {
            peers.forEach(peer -> contest.enter(peer, List.of(), HOST, List.of(), HOST));
            contest.warmUp(warmUp.duration(), Contest.Extent.ALL);
            for (int i = 0; i < rounds; i++) {
                contest.round(time.duration(), Contest.Extent.ALL);
            }
            return print("loopback", contest, List.of(Figure.values()));
        }
    }

    private List<Leg> lossy(List<Peer> peers) {
        List<Leg> legs = new ArrayList<>();
        try (LossyPair pair = LossyPair.open();
                Contest contest = new Contest(this::say)) {
            for (Peer peer : peers.stream().filter(Peer::repairs).toList()) {
                contest.enter(peer, pair.farPrefix(), LossyPair.FAR_HOST, pair.nearPrefix(), LossyPair.NEAR_HOST);
            }
            contest.warmUp(warmUp.duration(), Contest.Extent.BULK);
            for (Share loss : losses) {
                pair.drop(loss.value());
                contest.forget();
                for (int i = 0; i < rounds; i++) {
                    contest.round(time.duration(), Contest.Extent.BULK);
                }
                String title = String.format(
                        Locale.ROOT, "between namespaces, MTU 9000, %.3g %% lost each way", 100 * loss.value());
                legs.add(print(title, contest, List.of(Figure.GOODPUT, Figure.CPU)));
            }
        } catch (IOException e) {
            say("between namespaces: left out, " + e.getMessage());
        }
        return legs;
    }

    private Leg print(String title, Contest contest, List<Figure> figures) {
        List<Row> rows = new ArrayList<>();
        say("");
        say(title);
        say(String.format(
                Locale.ROOT,
                "%-12s %-32s %10s %10s %10s %-7s %s",
                "peer",
                "",
                "median",
                "least",
                "most",
                "",
                "samples"));
        for (Figure figure : figures) {
            for (Entrant each : contest.entrants()) {
                Row row = new Row(each.peer.name(), figure, each.samples(figure));
                rows.add(row);
                say(line(row));
            }
        }
        return new Leg(title, rows);
    }

    private static String line(Row row) {
        Samples samples = row.samples();
        Figure figure = row.figure();
        return String.format(
                Locale.ROOT,
                "%-12s %-32s %10s %10s %10s %-7s %s",
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

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}

package io.metaroce.tools.peers;

import io.metaroce.tools.JsonFile;
import io.metaroce.tools.Share;
import io.metaroce.tools.Span;
import io.metaroce.tools.peers.Contender.Test;
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

/** This transport beside others. */
@Command(
        name = "peers",
        description = {
            "This transport beside raw UDP and TCP, Aeron and QUIC where they were built, and iperf3, UCX and libfabric"
                    + " where they are installed: goodput, processor time, messages of 64 bytes, round trips, and"
                    + " goodput where packets get lost.",
            "All take turns in one run; what is shown is the median, with least and most, of the samples that were"
                    + " taken while the two processors were near each other."
        },
        mixinStandardHelpOptions = true)
public final class PeersCommand implements Callable<Integer> {
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
        List<Candidate> present = present();
        if (present.isEmpty()) {
            say("nobody is left to take part");
            return 0;
        }
        Leg loopback = loopback(present);
        List<Leg> lossy = noNamespaces ? List.of() : lossy(present);
        if (noNamespaces) {
            say("between namespaces: left out as asked for");
        }
        Ratios ratios = Ratios.of(loopback, lossy);
        ratios.print(this::say);
        jsonFile.write(root -> {
            ArrayNode all = root.putArray("legs");
            loopback.fill(all.addObject());
            lossy.forEach(leg -> leg.fill(all.addObject()));
            ratios.fill(root.putArray("ratios"));
        });
        return 0;
    }

    /** Introduces everybody; those that can take part. */
    private List<Candidate> present() {
        List<Candidate> present = new ArrayList<>();
        for (Candidate each : Peers.chosen(only)) {
            boolean isAbsent = !each.absence().isEmpty();
            say(String.format(
                    Locale.ROOT,
                    "%-12s %s%s",
                    each.name(),
                    isAbsent ? "absent: " + each.absence() + "; " : "",
                    each.about()));
            if (!isAbsent) {
                present.add(each);
            }
        }
        return present;
    }

    private Leg loopback(List<Candidate> candidates) {
        try (Contest contest = new Contest(List.of(Test.values()), this::say)) {
            candidates.forEach(each -> contest.enter(each, Place.LOOPBACK, Place.LOOPBACK));
            say("loopback: " + contest.entrants().size() + " warm up");
            contest.warmUp(warmUp.duration());
            rounds("loopback", contest);
            return told("loopback", 0, contest);
        }
    }

    private List<Leg> lossy(List<Candidate> candidates) {
        List<Leg> legs = new ArrayList<>();
        try (LossyPair pair = LossyPair.open();
                Contest contest = new Contest(List.of(Test.BULK), this::say)) {
            candidates.stream()
                    .filter(Candidate::repairs)
                    .forEach(each -> contest.enter(each, pair.far(), pair.near()));
            say("");
            say("between namespaces: " + contest.entrants().size() + " warm up");
            contest.warmUp(warmUp.duration());
            for (Share loss : losses) {
                pair.drop(loss.value());
                contest.forget();
                String title = String.format(Locale.ROOT, "%.3g %% lost", 100 * loss.value());
                rounds(title, contest);
                legs.add(told("between namespaces, MTU 9000, " + title + " each way", loss.value(), contest));
            }
        } catch (IOException e) {
            say("between namespaces: left out, " + e.getMessage());
        }
        return legs;
    }

    private void rounds(String title, Contest contest) {
        for (int i = 1; i <= rounds; i++) {
            contest.round(title + ", round " + i + " of " + rounds, time.duration());
        }
    }

    private Leg told(String title, double loss, Contest contest) {
        Leg leg = Leg.of(title, loss, contest);
        leg.print(this::say);
        return leg;
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}

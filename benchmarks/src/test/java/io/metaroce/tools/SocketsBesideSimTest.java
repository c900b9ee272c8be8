package io.metaroce.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.engine.PathView;
import io.metaroce.tools.lab.CellStore;
import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Progress;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import io.metaroce.tools.lab.ScenarioRunner;
import io.metaroce.tools.perf.Transfer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * The same transfer with the same loss over sockets of this machine and in the simulator: what has nothing to do with
 * time.
 */
class SocketsBesideSimTest {
    private static final String CASE = "as-sockets-5%";
    private static final double LOSS = 0.05;

    @Test
    void asMuchIsSentAgainAsInTheSimulator(TestReporter reporter) throws Exception {
        Transfer.Outcome real = overSockets();
        StringWriter unread = new StringWriter();
        Results simulated = new ScenarioRunner(true, 1, CellStore.none(), new Progress(new PrintWriter(unread), 1))
                .run(Scenario.named("E0"), 1, CASE);
        StringBuilder table = new StringBuilder("for each packet      sockets  simulator\n");
        double resent = row(table, simulated, "resent", ofSlots(real, PathView::resentPackets));
        double twice = row(table, simulated, "spurious", ofSlots(real, PathView::duplicates));
        row(table, simulated, "probes", ofSlots(real, PathView::probes));
        row(table, simulated, "reports", real.reports() / slots(real));
        reporter.publishEntry(table.toString());
        assertThat(real.isVerified()).isTrue();
        // Whatever is lost is sent again, once more if that is lost too; what came twice was sent again in vain.
        double needed = LOSS / (1 - LOSS);
        assertThat(resent - twice).as(table.toString()).isBetween(0.75 * needed, 1.25 * needed);
        double inSimulator = figure(simulated, "resent") - figure(simulated, "spurious");
        assertThat(inSimulator).as(table.toString()).isBetween(0.75 * needed, 1.25 * needed);
    }

    private static Transfer.Outcome overSockets() throws Exception {
        Transfer.Wish wish = new Transfer.Wish(32 << 20, 1 << 20, 16, LOSS, -1);
        String port = Tool.freePort();
        List<String> words = new ArrayList<>(List.of("write_bw", "-p", port));
        wish.serverArguments().stream().filter(word -> !word.equals("--child")).forEach(words::add);
        Tool server = Tool.serve(words.toArray(String[]::new));
        Transfer.Outcome outcome = Transfer.run(wish, "127.0.0.1", Integer.parseInt(port));
        server.endsWell();
        return outcome;
    }

    private static double row(StringBuilder table, Results simulated, String name, double real) {
        table.append(String.format(Locale.ROOT, "%-18s %9.4f %10.4f%n", name, real, figure(simulated, name)));
        return real;
    }

    private static double figure(Results simulated, String name) {
        Figure figure = simulated.figures(CASE).get(name);
        return Objects.requireNonNull(figure, name).median();
    }

    private static double ofSlots(Transfer.Outcome outcome, ToLongFunction<PathView> count) {
        return outcome.paths().stream().mapToLong(count).sum() / slots(outcome);
    }

    private static double slots(Transfer.Outcome outcome) {
        return outcome.paths().stream().mapToLong(PathView::slots).sum();
    }
}

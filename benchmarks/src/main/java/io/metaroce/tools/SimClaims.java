package io.metaroce.tools;

import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import io.metaroce.tools.lab.Scenario.Claim;
import io.metaroce.tools.lab.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The table of claims: what was measured, its bound, and whether it is reproduced or beaten. */
@Command(
        name = "claims",
        description =
                "Runs every scenario and compares the median of each claimed figure with its lines. Exit code 1 if"
                        + " one is not reproduced.",
        mixinStandardHelpOptions = true)
final class SimClaims implements Callable<Integer> {
    @Mixin
    private SimOptions options = new SimOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private record Row(Scenario scenario, Claim claim, Figure figure) {
        boolean isPassed() {
            return claim.meets(figure.median(), claim.pass());
        }

        boolean isStretched() {
            return claim.meets(figure.median(), claim.stretch());
        }

        String verdict() {
            return isStretched() ? "beaten" : isPassed() ? "reproduced" : "not reproduced";
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ScenarioRunner runner = options.runner(spec);
        List<Row> rows = new ArrayList<>();
        for (String name : Scenario.NAMES) {
            Scenario scenario = Scenario.named(name);
            if (scenario.claims().isEmpty()) {
                continue;
            }
            Results results = runner.run(scenario, options.seeds(), "");
            for (Claim claim : scenario.claims()) {
                Figure figure = results.figures(claim.caseName()).get(claim.metric());
                if (figure == null) {
                    throw new IllegalStateException(claim.id() + " is about a figure that was not measured: "
                            + claim.caseName() + ", " + claim.metric());
                }
                rows.add(new Row(scenario, claim, figure));
            }
        }
        print(rows);
        options.jsonFile().write(root -> fill(root, rows));
        return rows.stream().allMatch(Row::isPassed) ? 0 : 1;
    }

    private void print(List<Row> rows) {
        PrintWriter out = spec.commandLine().getOut();
        String format = "%-16s %9s %20s %7s %7s %8s  %-14s %s";
        out.println(String.format(
                Locale.ROOT,
                format,
                "claim",
                "measured",
                "least..greatest",
                "bound",
                "pass",
                "stretch",
                "verdict",
                "what"));
        for (Row row : rows) {
            Claim claim = row.claim();
            String sign = claim.isUpperLimit() ? "<=" : ">=";
            out.println(String.format(
                    Locale.ROOT,
                    format,
                    claim.id(),
                    figure(row.figure().median()),
                    figure(row.figure().min()) + ".." + figure(row.figure().max()),
                    claim.bound(),
                    sign + claim.pass(),
                    sign + claim.stretch(),
                    row.verdict(),
                    claim.text() + " (" + row.scenario().name() + " " + claim.caseName() + ", "
                            + row.figure().seeds() + " seeds)"));
        }
        out.flush();
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    private void fill(ObjectNode root, List<Row> rows) {
        root.put("quick", options.isQuick());
        ArrayNode claims = root.putArray("claims");
        for (Row row : rows) {
            Claim claim = row.claim();
            claims.addObject()
                    .put("id", claim.id())
                    .put("text", claim.text())
                    .put("scenario", row.scenario().name())
                    .put("case", claim.caseName())
                    .put("metric", claim.metric())
                    .put("measured", row.figure().median())
                    .put("measured_min", row.figure().min())
                    .put("measured_max", row.figure().max())
                    .put("seeds", row.figure().seeds())
                    .put("bound", claim.bound())
                    .put("upper_limit", claim.isUpperLimit())
                    .put("pass", claim.pass())
                    .put("stretch", claim.stretch())
                    .put("met", row.isPassed())
                    .put("stretch_met", row.isStretched())
                    .put("verdict", row.verdict());
        }
    }
}

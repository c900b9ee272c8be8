package io.metaroce.tools;

import io.metaroce.tools.lab.Figure;
import io.metaroce.tools.lab.Results;
import io.metaroce.tools.lab.Scenario;
import io.metaroce.tools.lab.Scenario.Claim;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims beside what was measured. */
final class ClaimTable {
    private static final String FORMAT = "%-16s %9s %20s %7s %7s %8s  %-14s %s";

    private final List<Row> rows = new ArrayList<>();

    /**
     * One claim.
     *
     * @param scenario where it stands
     * @param claim what is claimed
     * @param figure what was measured, or null if no run gave it
     * @param failures why runs that it rests on could not be finished
     */
    record Row(Scenario scenario, Claim claim, @Nullable Figure figure, List<String> failures) {
        boolean isPassed() {
            return meets(claim.pass());
        }

        boolean isStretched() {
            return meets(claim.stretch());
        }

        // A run that could not be finished is no pass, whatever the others say.
        private boolean meets(double line) {
            return failures.isEmpty() && figure != null && claim.meets(figure.median(), line);
        }

        String verdict() {
            if (!failures.isEmpty() || figure == null) {
                return "failed";
            }
            return isStretched() ? "beaten" : isPassed() ? "reproduced" : "not reproduced";
        }

        String measured() {
            return figure == null ? "-" : number(figure.median());
        }

        String range() {
            return figure == null ? "-" : number(figure.min()) + ".." + number(figure.max());
        }

        String sign() {
            return claim.isUpperLimit() ? "<=" : ">=";
        }

        int seeds() {
            return figure == null ? 0 : figure.seeds();
        }
    }

    ClaimTable(List<Results> all) {
        for (Results results : all) {
            for (Claim claim : results.scenario().claims()) {
                List<String> failures = results.failures(claim);
                Figure figure = results.figures(claim.caseName()).get(claim.metric());
                if (figure == null && failures.isEmpty()) {
                    throw new IllegalStateException(claim.id() + " is about a figure that was not measured: "
                            + claim.caseName() + ", " + claim.metric());
                }
                rows.add(new Row(results.scenario(), claim, figure, failures));
            }
        }
    }

    List<Row> rows() {
        return rows;
    }

    boolean isPassed() {
        return rows.stream().allMatch(Row::isPassed);
    }

    void print(PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                FORMAT,
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
            out.println(String.format(
                    Locale.ROOT,
                    FORMAT,
                    claim.id(),
                    row.measured(),
                    row.range(),
                    claim.bound(),
                    row.sign() + claim.pass(),
                    row.sign() + claim.stretch(),
                    row.verdict(),
                    claim.text() + " (" + row.scenario().name() + " " + claim.caseName() + ", " + row.seeds()
                            + " seeds)"));
            row.failures().forEach(why -> out.println("    " + why));
        }
        out.flush();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    void fill(ObjectNode root, boolean isQuick) {
        root.put("quick", isQuick);
        ArrayNode claims = root.putArray("claims");
        for (Row row : rows) {
            Claim claim = row.claim();
            ObjectNode node = claims.addObject()
                    .put("id", claim.id())
                    .put("text", claim.text())
                    .put("scenario", row.scenario().name())
                    .put("case", claim.caseName())
                    .put("metric", claim.metric())
                    .put("seeds", row.seeds())
                    .put("bound", claim.bound())
                    .put("upper_limit", claim.isUpperLimit())
                    .put("pass", claim.pass())
                    .put("stretch", claim.stretch())
                    .put("met", row.isPassed())
                    .put("stretch_met", row.isStretched())
                    .put("verdict", row.verdict());
            Figure figure = row.figure();
            if (figure != null) {
                node.put("measured", figure.median())
                        .put("measured_min", figure.min())
                        .put("measured_max", figure.max());
            }
        }
    }
}

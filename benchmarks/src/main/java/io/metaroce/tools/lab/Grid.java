package io.metaroce.tools.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Cases that are every workload with every switch, and the table of one figure for each: a row for each switch, a
 * column for each workload. The first row is what the others are seen beside.
 *
 * @param switches names of the switches; none if there is no grid
 * @param columns the workloads
 */
public record Grid(List<String> switches, List<Column> columns) {
    /** Nothing. */
    public static final Grid NONE = new Grid(List.of(), List.of());

    /** A workload, and its figure that the table shows. */
    public record Column(String workload, String metric) {}

    /** One row of the table: a switch, and a figure for each workload. */
    public record Row(String name, List<Entry> entries) {}

    /** A median, and whether it is outside of what all seeds of the first row gave. */
    public record Entry(String text, boolean isOther) {}

    static Grid read(JsonNode root) {
        List<String> switches = root.path("switches")
                .valueStream()
                .map(one -> one.path("name").asString(""))
                .toList();
        List<Column> columns = root.path("workloads")
                .valueStream()
                .map(one -> new Column(
                        one.path("name").asString(""), one.path("metric").asString("")))
                .toList();
        return switches.isEmpty() ? NONE : new Grid(switches, columns);
    }

    /** Name of the case that is a workload with a switch. */
    static String caseName(String workload, String one) {
        return workload + "/" + one;
    }

    /** The table; no rows where nothing of it was run. */
    public List<Row> rows(Results results) {
        List<Row> rows = new ArrayList<>();
        for (String one : switches) {
            List<Entry> entries =
                    columns.stream().map(column -> entry(results, column, one)).toList();
            if (entries.stream().anyMatch(entry -> !entry.text().isEmpty())) {
                rows.add(new Row(one, entries));
            }
        }
        return rows;
    }

    private Entry entry(Results results, Column column, String one) {
        String name = caseName(column.workload(), one);
        if (!results.failures(name).isEmpty()) {
            return new Entry("failed", true);
        }
        Figure figure = results.figures(name).get(column.metric());
        Figure usual =
                results.figures(caseName(column.workload(), switches.get(0))).get(column.metric());
        if (figure == null) {
            return new Entry("", false);
        }
        boolean isOther = usual != null && (figure.median() < usual.min() || figure.median() > usual.max());
        double shown = column.metric().endsWith("_bps") ? figure.median() / 1e9 : figure.median();
        return new Entry(String.format(Locale.ROOT, shown < 10 ? "%.3f" : "%.1f", shown), isOther);
    }

    /** The table as text in the form of Markdown; what is other stands out. */
    public String text(Results results) {
        StringBuilder out = new StringBuilder("| |");
        columns.forEach(column -> out.append(' ')
                .append(column.workload())
                .append(": ")
                .append(column.metric().replace("_bps", ", Gbit/s").replace('_', ' '))
                .append(" |"));
        out.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        for (Row row : rows(results)) {
            out.append("| ").append(row.name()).append(" |");
            row.entries()
                    .forEach(entry -> out.append(' ')
                            .append(entry.isOther() ? "**" + entry.text() + "**" : entry.text())
                            .append(" |"));
            out.append('\n');
        }
        return out.toString();
    }
}

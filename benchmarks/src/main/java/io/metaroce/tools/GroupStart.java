package io.metaroce.tools;

import io.metaroce.collective.Collective;
import io.metaroce.tools.group.GroupOptions;
import io.metaroce.tools.group.GroupTable;
import io.metaroce.tools.group.Member;
import io.metaroce.tools.group.Row;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Brings the ranks of a measurement together: processes of this machine, or those of a list of addresses. */
final class GroupStart {
    private static final String ANY_PORT = "127.0.0.1:0";

    private final Collective what;
    private final GroupOptions options;
    private final CommandSpec spec;
    private final JsonFile jsonFile;
    private final PrintWriter out;

    GroupStart(Collective what, GroupOptions options, CommandSpec spec, JsonFile jsonFile) {
        this.what = what;
        this.options = options;
        this.spec = spec;
        this.jsonFile = jsonFile;
        out = spec.commandLine().getOut();
    }

    /** Runs the own rank; returns the exit code. */
    int run() throws IOException {
        if (options.child) {
            return child();
        }
        List<String> addresses = options.join;
        return addresses == null ? together() : joined(addresses);
    }

    private int joined(List<String> addresses) throws IOException {
        if (options.rank < 0 || options.rank >= addresses.size()) {
            throw new IllegalArgumentException(
                    "--rank " + options.rank + " is none of the " + addresses.size() + " ranks of --join");
        }
        try (Member member = Member.open(what, options, options.rank, addresses.size(), addresses.get(options.rank))) {
            GroupTable table = new GroupTable(out, options);
            return finish(member, member.run(addresses, options.rank == 0 ? table : null));
        }
    }

    /** Rank 0 is this process; it starts the others and tells all where everybody is. */
    private int together() throws IOException {
        List<ChildProcess> children = new ArrayList<>();
        try (Member member = Member.open(what, options, 0, options.ranks, ANY_PORT)) {
            List<String> addresses = new ArrayList<>(List.of(member.address()));
            for (int rank = 1; rank < options.ranks; rank++) {
                children.add(ChildProcess.launch(childArguments(rank)));
            }
            for (ChildProcess child : children) {
                child.awaitAddress();
                addresses.add(child.address());
            }
            for (ChildProcess child : children) {
                child.tell(String.join(",", addresses));
            }
            int code = finish(member, member.run(addresses, new GroupTable(out, options)));
            for (ChildProcess child : children) {
                if (!child.endsWell()) {
                    throw new IOException("a rank failed: " + child.output());
                }
            }
            return code;
        } finally {
            children.forEach(ChildProcess::close);
        }
    }

    private int child() throws IOException {
        try (Member member = Member.open(what, options, options.rank, options.ranks, ANY_PORT)) {
            out.println("listening " + member.address());
            out.flush();
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = in.readLine();
            if (line == null) {
                throw new IOException("rank 0 has gone before it said where everybody is");
            }
            return code(member.run(List.of(line.split(",")), null));
        }
    }

    /** A child gets the same words, but for the file that only one process can write. */
    private List<String> childArguments(int rank) {
        List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        ChildProcess.withoutOption(words, "--out_json_file");
        words.addAll(List.of("--child", "--rank", Integer.toString(rank)));
        return words;
    }

    private int finish(Member member, List<Row> rows) throws IOException {
        jsonFile.write(root -> fill(root, member, rows));
        return code(rows);
    }

    private static int code(List<Row> rows) {
        return rows.stream().allMatch(row -> row.wrong() == 0) ? 0 : 1;
    }

    private void fill(ObjectNode root, Member member, List<Row> rows) {
        root.put("test", spec.name())
                .put("ranks", rows.get(0).task().ranks())
                .put("algorithm", rows.get(0).task().how().name().toLowerCase(Locale.ROOT))
                .put("transfer", options.transfer.name().toLowerCase(Locale.ROOT))
                .put("type", options.type)
                .put("redop", options.reduction.name().toLowerCase(Locale.ROOT))
                .put("loss", options.loss.value())
                .put("iterations", options.iterations)
                .put("average_busbw_gb_per_sec", GroupTable.average(rows))
                .put("resent_packets_of_rank_0", member.resent());
        ArrayNode list = root.putArray("results");
        for (Row row : rows) {
            list.addObject()
                    .put("size", row.task().bytes())
                    .put("count", row.count())
                    .put("time_usec", row.timeNs() / 1e3)
                    .put("algbw_gb_per_sec", row.algorithmBandwidth())
                    .put("busbw_gb_per_sec", row.busBandwidth())
                    .put("wrong", row.wrong());
        }
    }
}
